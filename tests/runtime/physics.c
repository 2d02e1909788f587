/* Proofs by physics: physics PROGRAM PROOF MODULE .. prints numbers. */
#include "physics.h"

int main(int count, char **words)
{
    static const struct { const char *name; int (*prove)(int, char **); } PROGRAMS[] = {
        { "acoustic", prove_acoustic }, { "diffusion", prove_diffusion },
        { "elastic", prove_elastic }, { "energy", prove_energy }, { "heat", prove_heat },
        { "lattice", prove_lattice }, { "laws", prove_laws }, { "layer", prove_layer }, { "maxwell", prove_maxwell },
        { "tti", prove_tti }, { "water", prove_water }, { "wave", prove_wave },
        { "weights", prove_weights },
    };
    for (size_t i = 0; count > 3 && i < sizeof PROGRAMS / sizeof PROGRAMS[0]; i++)
        if (strcmp(words[1], PROGRAMS[i].name) == 0)
            return PROGRAMS[i].prove(count - 2, words + 2);
    fprintf(stderr, "physics: PROGRAM PROOF MODULE ..\n");
    return 2;
}
