/* W6: pendulum TOLERANCE DURATION REPEATS. A double pendulum of uniform rods whose tip strikes a stiff floor, without friction. */
#include "floor.h"

#define N 4 /* angle of the first rod, of the second over the first, and their rates */

static void rates(const double *restrict x, double *restrict dx) {
    const double l1 = 0.5, m1 = 5, l2 = 0.25, m2 = 2, radius = 0.01, floor_at = -0.61, stiffness = 1e9, dissipation = 0.075, g = 9.81;
    const double a = x[0], b = x[0] + x[1], rate_a = x[2], rate_b = x[2] + x[3];
    const double sa = sin(a), ca = cos(a), sb = sin(b), cb = cos(b);
    const double coupling = 0.5 * m2 * l1 * l2, together = ca * cb + sa * sb, apart = sa * cb - ca * sb;
    double effort_a = -coupling * apart * rate_b * rate_b - (0.5 * m1 + m2) * g * l1 * sa;
    double effort_b = coupling * apart * rate_a * rate_a - 0.5 * m2 * g * l2 * sb;
    const double arm = l2 - radius, depth = radius - (-l1 * ca - arm * cb - floor_at);
    if (depth > 0) {
        const double lift = l1 * sa * rate_a + arm * sb * rate_b;
        const double push = fmax(stiffness * depth * sqrt(depth) * (1 - dissipation * lift), 0);
        effort_a += l1 * sa * push;
        effort_b += arm * sb * push;
    }
    const double aa = m1 * l1 * l1 / 3 + m2 * l1 * l1, bb = m2 * l2 * l2 / 3, ab = coupling * together, det = aa * bb - ab * ab;
    const double turn_a = (bb * effort_a - ab * effort_b) / det, turn_b = (aa * effort_b - ab * effort_a) / det;
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = turn_a;
    dx[3] = turn_b - turn_a;
}

#include "dopri5.h"

int main(int count, char **words) {
    if (count != 4) return 2;
    const double tolerance = atof(words[1]), duration = atof(words[2]);
    const int repeats = atoi(words[3]);
    double *times = malloc(repeats * sizeof *times), x[N];
    for (int r = 0; r < repeats; r++) {
        const double start[N] = {acos(0), 0, 0, 0};
        memcpy(x, start, sizeof x);
        evaluations = 0;
        const double clock = seconds();
        solve(x, 0, duration, tolerance);
        times[r] = seconds() - clock;
    }
    printf("{");
    print_times(times, repeats);
    printf(", \"evaluations\": %ld", evaluations);
    print_numbers("q", x, 2);
    printf("}\n");
    return 0;
}
