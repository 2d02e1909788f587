-- The values of templates/smem.cu.tpl for smem_u.

return require "gen.emit.smem"
