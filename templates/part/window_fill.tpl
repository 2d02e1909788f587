% -- How a shared plane is filled from memory: whole, or by the threads of its sides.
% if whole then
${fill.loops}
${fill.pad}if (${fill.condition})
${fill.pad}    ${fill.copy}
% else
% for _, move in ipairs(moves) do
if (${move.role})
    ${move.copy}
% end
% end
