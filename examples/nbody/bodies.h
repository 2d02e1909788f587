/* Where particles come from: made, or of a file. */
#ifndef BODIES_H
#define BODIES_H

enum { AT = 0, SPEED = 3, MASS = 6, VALUES = 7 };

struct bodies {
    int count;
    double (*value)[VALUES];    /* x, y, z, their speeds, mass; G is 1 */
    double soften;              /* a length */
};

/* A sphere after Plummer in virial equilibrium, mass 1, energy -1/4; drawn as Aarseth,
 * Henon and Wielen do (Astronomy and Astrophysics 37, 183, 1974). */
void bodies_plummer(struct bodies *bodies, int count);
/* TIPSY, little-endian, with an identity where the potential is, as Bonsai writes it: dark
 * matter and stars. Softened by the root of the mean square of all softenings. Ends the
 * program where the file is not that. */
void bodies_read(struct bodies *bodies, const char *path);
void bodies_free(struct bodies *bodies);

#endif
