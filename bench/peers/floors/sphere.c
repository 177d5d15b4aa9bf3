/* W1: sphere TOLERANCE REPEATS. A ball on Hunt-Crossley ground with friction smoothed at 1 mm/s, for a second. */
#include "floor.h"

#define N 13 /* position, velocity, spin, quaternion w x y z */

static const double RADIUS = 0.0165, MASS = 0.154, STIFFNESS = 8.5e6, DISSIPATION = 0.45, FRICTION = 0.2, SLIP_SPEED = 1e-3;

static void rates(const double *restrict x, double *restrict dx) {
    const double *v = x + 3, *w = x + 6, *q = x + 9, inertia = 0.4 * MASS * RADIUS * RADIUS;
    const double depth = RADIUS - x[2];
    double push = 0, pull_x = 0, pull_y = 0;
    if (depth > 0) {
        push = STIFFNESS * depth * sqrt(depth) * (1 - DISSIPATION * v[2]);
        if (push < 0) push = 0;
        /* slip of the lowest point */
        const double slip_x = v[0] - w[1] * RADIUS, slip_y = v[1] + w[0] * RADIUS;
        const double drag = -FRICTION * push / fmax(sqrt(slip_x * slip_x + slip_y * slip_y), SLIP_SPEED);
        pull_x = drag * slip_x;
        pull_y = drag * slip_y;
    }
    for (int i = 0; i < 3; i++) dx[i] = v[i];
    dx[3] = pull_x / MASS;
    dx[4] = pull_y / MASS;
    dx[5] = push / MASS - 9.81;
    dx[6] = RADIUS * pull_y / inertia;
    dx[7] = -RADIUS * pull_x / inertia;
    dx[8] = 0;
    dx[9] = 0.5 * (-w[0] * q[1] - w[1] * q[2] - w[2] * q[3]);
    dx[10] = 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
    dx[11] = 0.5 * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
    dx[12] = 0.5 * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
}

#include "dopri5.h"

int main(int count, char **words) {
    if (count != 3) return 2;
    const double tolerance = atof(words[1]);
    const int repeats = atoi(words[2]);
    double *times = malloc(repeats * sizeof *times), x[N];
    for (int r = 0; r < repeats; r++) {
        const double start[N] = {0, 0, 0.1165, 0.5, 0.5, 0, 0, 0, 0, 1, 0, 0, 0};
        memcpy(x, start, sizeof x);
        evaluations = 0;
        const double clock = seconds();
        solve(x, 0, 1, tolerance);
        times[r] = seconds() - clock;
    }
    printf("{");
    print_times(times, repeats);
    printf(", \"evaluations\": %ld", evaluations);
    print_numbers("q", x, 3);
    printf("}\n");
    return 0;
}
