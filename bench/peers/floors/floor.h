/* What all floors share: the clock, and times printed as JSON. A floor is what the arithmetic of one problem costs, with no framework around
   it: a measure for engines, not one of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Least, median and largest of the times; sorts them. */
static void print_times(double *times, int count) {
    qsort(times, count, sizeof *times, by_size);
    printf("\"seconds\": {\"least\": %.9g, \"median\": %.9g, \"most\": %.9g}", times[0], times[count / 2], times[count - 1]);
}

static void print_numbers(const char *name, const double *x, int count) {
    printf(", \"%s\": [", name);
    for (int i = 0; i < count; i++) printf("%s%.15g", i ? ", " : "", x[i]);
    printf("]");
}
