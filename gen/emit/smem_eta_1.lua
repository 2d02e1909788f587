-- The values of templates/smem.cu.tpl for smem_eta_1.

return require "gen.emit.smem"
