/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/decimal.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

struct c_locale {
    locale_t own, before;
};

/* When there is no memory for it, the thread's locale stays. */
static struct c_locale enter(void)
{
    struct c_locale c = {.own = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (c.own != (locale_t)0)
        c.before = uselocale(c.own);
    return c;
}

static void leave(const struct c_locale *c)
{
    if (c->own == (locale_t)0)
        return;
    uselocale(c->before);
    freelocale(c->own);
}

float decimal_to_float(const char *text, char **end)
{
    struct c_locale c = enter();
    float value = strtof(text, end);
    leave(&c);
    return value;
}

double decimal_to_double(const char *text, char **end)
{
    struct c_locale c = enter();
    double value = strtod(text, end);
    leave(&c);
    return value;
}

void decimal_print(char *text, size_t size, int digits, double value)
{
    struct c_locale c = enter();
    snprintf(text, size, "%.*g", digits, value);
    leave(&c);
}
