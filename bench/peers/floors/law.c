/* W5: law CONTACTS REPEATS. Hunt-Crossley with smoothed Coulomb friction on arrays. Times are per contact. */
#include "floor.h"

static void evaluate(long n, const double *restrict depth, const double *restrict rate, const double *restrict along,
                     const double *restrict across, double *restrict push, double *restrict pull_x, double *restrict pull_y) {
    for (long i = 0; i < n; i++) {
        const double x = depth[i] > 0 ? depth[i] : 0;
        double f = 8.5e6 * x * sqrt(x) * (1 + 0.45 * rate[i]);
        f = f > 0 ? f : 0;
        double speed = sqrt(along[i] * along[i] + across[i] * across[i]);
        speed = speed > 1e-3 ? speed : 1e-3;
        const double drag = -0.2 * f / speed;
        push[i] = f;
        pull_x[i] = drag * along[i];
        pull_y[i] = drag * across[i];
    }
}

int main(int count, char **words) {
    if (count != 3) return 2;
    const long n = atol(words[1]), inner = n < 200000 ? 200000 / n : 1;
    const int repeats = atoi(words[2]);
    double *times = malloc(repeats * sizeof *times), *column[7];
    const double scale[4] = {1e-3, 2, 1, 1}, from[4] = {0, -1, -0.5, -0.5};
    for (int c = 0; c < 7; c++) {
        column[c] = aligned_alloc(64, (n * 8 + 63) / 64 * 64);
        for (long i = 0; i < n; i++) column[c][i] = c < 4 ? from[c] + scale[c] * ((7919 * i + c + 1) % 10007) / 10007.0 : 0;
    }
    for (int r = 0; r < repeats; r++) {
        const double clock = seconds();
        for (long k = 0; k < inner; k++) {
            evaluate(n, column[0], column[1], column[2], column[3], column[4], column[5], column[6]);
            __asm__ volatile("" ::: "memory");
        }
        times[r] = (seconds() - clock) / (inner * (double)n);
    }
    printf("{");
    print_times(times, repeats);
    printf(", \"check\": %.15g}\n", column[4][n / 2]);
    return 0;
}
