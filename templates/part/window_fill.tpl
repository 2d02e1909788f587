% -- How a shared plane is filled: whole, or from the window and by the threads of its sides.
% if whole then
${fill.loops}
${fill.pad}if (${fill.condition})
${fill.pad}    ${tile}${fill.to} = ${fill.from};
% else
${tile}${here} = ${current};
% for _, move in ipairs(moves) do
if (${move.role})
    ${tile}${move.to} = ${move.from};
% end
% end
