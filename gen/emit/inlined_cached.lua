-- The values of templates/staged.cu.tpl for chains that copy nothing ahead.

return require "gen.emit.staged"
