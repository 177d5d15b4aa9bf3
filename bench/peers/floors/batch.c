/* W4: batch WORLDS STEPS STEP THREADS REPEATS. The balls of W1, falling on the ground, each 10 um higher than the one before, semi-implicit Euler, in blocks that the
   compiler vectorises, blocks spread over threads. Times are per ball and step. */
#include <pthread.h>

#include "floor.h"

#define BLOCK 64

typedef struct {
    double p[3][BLOCK], v[3][BLOCK], w[3][BLOCK], q[4][BLOCK];
} Balls;

static Balls *balls;
static long blocks, steps;
static double step;
static int threads;

static void advance(Balls *restrict s) {
    const double radius = 0.0165, mass = 0.154, stiffness = 8.5e6, dissipation = 0.45, friction = 0.2, slip_speed = 1e-3;
    const double dv = step / mass, dw = step * radius / (0.4 * mass * radius * radius), half = 0.5 * step;
    for (long k = 0; k < steps; k++) {
        for (int i = 0; i < BLOCK; i++) {
            double depth = radius - s->p[2][i];
            depth = depth > 0 ? depth : 0;
            double push = stiffness * depth * sqrt(depth) * (1 - dissipation * s->v[2][i]);
            push = push > 0 ? push : 0;
            const double slip_x = s->v[0][i] - s->w[1][i] * radius, slip_y = s->v[1][i] + s->w[0][i] * radius;
            double square = slip_x * slip_x + slip_y * slip_y;
            square = square > slip_speed * slip_speed ? square : slip_speed * slip_speed;
            const double drag = -friction * push / sqrt(square);
            s->v[0][i] += dv * drag * slip_x;
            s->v[1][i] += dv * drag * slip_y;
            s->v[2][i] += dv * push - step * 9.81;
            s->w[0][i] += dw * drag * slip_y;
            s->w[1][i] -= dw * drag * slip_x;
            for (int c = 0; c < 3; c++) s->p[c][i] += step * s->v[c][i];
            const double x = s->w[0][i], y = s->w[1][i], z = s->w[2][i];
            const double a = s->q[0][i], b = s->q[1][i], c = s->q[2][i], d = s->q[3][i];
            const double e = a + half * (-x * b - y * c - z * d), f = b + half * (x * a + y * d - z * c);
            const double g = c + half * (y * a + z * b - x * d), h = d + half * (z * a + x * c - y * b);
            const double shrink = 1.5 - 0.5 * (e * e + f * f + g * g + h * h); /* one step of Newton towards length one */
            s->q[0][i] = e * shrink;
            s->q[1][i] = f * shrink;
            s->q[2][i] = g * shrink;
            s->q[3][i] = h * shrink;
        }
    }
}

static void *share(void *number) {
    for (long b = (long)number; b < blocks; b += threads) advance(balls + b);
    return NULL;
}

int main(int count, char **words) {
    if (count != 6) return 2;
    blocks = (atol(words[1]) + BLOCK - 1) / BLOCK;
    steps = atol(words[2]);
    step = atof(words[3]);
    threads = atoi(words[4]);
    const int repeats = atoi(words[5]);
    double *times = malloc(repeats * sizeof *times);
    pthread_t *running = malloc(threads * sizeof *running);
    balls = aligned_alloc(64, blocks * sizeof *balls);
    for (int r = 0; r < repeats; r++) {
        memset(balls, 0, blocks * sizeof *balls);
        for (long i = 0; i < blocks * BLOCK; i++) {
            Balls *b = balls + i / BLOCK;
            b->p[2][i % BLOCK] = 0.0165 + 1e-5 * i;
            b->v[2][i % BLOCK] = -1.4;
            b->v[0][i % BLOCK] = b->v[1][i % BLOCK] = 0.5;
            b->q[0][i % BLOCK] = 1;
        }
        const double clock = seconds();
        for (long t = 0; t < threads; t++)
            if (pthread_create(running + t, NULL, share, (void *)t)) return 1;
        for (int t = 0; t < threads; t++) pthread_join(running[t], NULL);
        times[r] = (seconds() - clock) / ((double)blocks * BLOCK * steps);
    }
    printf("{");
    print_times(times, repeats);
    printf(", \"height\": %.15g}\n", balls->p[2][0]);
    return 0;
}
