% -- Temporaries that have no array are found in the workspace.
const struct $args placed = ${placed}(a);
a = &placed;
