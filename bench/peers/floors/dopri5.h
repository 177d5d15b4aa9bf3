/* Dormand and Prince 5(4) with error control, for N numbers and `static void rates(const double *x, double *dx)`, both defined before. */

static long evaluations;

static void solve(double *x, double t, const double end, const double tolerance) {
    double k1[N], k2[N], k3[N], k4[N], k5[N], k6[N], k7[N], y[N], h = 1e-4;
    rates(x, k1);
    evaluations++;
    while (t < end) {
        const int is_last = t + h >= end;
        if (is_last) h = end - t;
        for (int i = 0; i < N; i++) y[i] = x[i] + h / 5 * k1[i];
        rates(y, k2);
        for (int i = 0; i < N; i++) y[i] = x[i] + h * (3. / 40 * k1[i] + 9. / 40 * k2[i]);
        rates(y, k3);
        for (int i = 0; i < N; i++) y[i] = x[i] + h * (44. / 45 * k1[i] - 56. / 15 * k2[i] + 32. / 9 * k3[i]);
        rates(y, k4);
        for (int i = 0; i < N; i++)
            y[i] = x[i] + h * (19372. / 6561 * k1[i] - 25360. / 2187 * k2[i] + 64448. / 6561 * k3[i] - 212. / 729 * k4[i]);
        rates(y, k5);
        for (int i = 0; i < N; i++)
            y[i] = x[i] + h * (9017. / 3168 * k1[i] - 355. / 33 * k2[i] + 46732. / 5247 * k3[i] + 49. / 176 * k4[i] - 5103. / 18656 * k5[i]);
        rates(y, k6);
        for (int i = 0; i < N; i++)
            y[i] = x[i] + h * (35. / 384 * k1[i] + 500. / 1113 * k3[i] + 125. / 192 * k4[i] - 2187. / 6784 * k5[i] + 11. / 84 * k6[i]);
        rates(y, k7);
        evaluations += 6;
        double sum = 0;
        for (int i = 0; i < N; i++) {
            const double off = h * (71. / 57600 * k1[i] - 71. / 16695 * k3[i] + 71. / 1920 * k4[i] - 17253. / 339200 * k5[i] +
                                    22. / 525 * k6[i] - 1. / 40 * k7[i]);
            const double part = off / (tolerance * (1e-3 + fabs(y[i])));
            sum += part * part;
        }
        const double error = sqrt(sum / N);
        if (error <= 1) {
            t = is_last ? end : t + h;
            memcpy(x, y, sizeof y);
            memcpy(k1, k7, sizeof k7);
        }
        const double factor = error > 0 ? 0.9 * pow(error, -0.2) : 5;
        h *= fmin(fmax(factor, 0.2), 5);
    }
}
