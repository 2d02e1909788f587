-- The values of templates/smem.cu.tpl for smem_eta_3.

return require "gen.emit.smem"
