#include "base/iso8601.h"

enum { MS_PER_MINUTE = 60 * 1000, MINUTES_PER_DAY = 24 * 60 };

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Cuts exactly `digits` of them off. */
static bool number(struct span *s, size_t digits, int *ret) {
    if (s->n < digits) return false;
    int v = 0;
    for (size_t i = 0; i < digits; i++) {
        if (!is_digit(s->p[i])) return false;
        v = v * 10 + (s->p[i] - '0');
    }
    *s = span_skip(*s, digits);
    *ret = v;
    return true;
}

static bool sign(struct span *s, const char *any_of) {
    if (s->n == 0 || s->p[0] == '\0' || !strchr(any_of, s->p[0])) return false;
    *s = span_skip(*s, 1);
    return true;
}

static int days_in(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* Days since 1970-01-01. Years are counted from March, so that the day that is sometimes there comes last. */
static int64_t day_number(int year, int month, int day) {
    int64_t y = month > 2 ? year : year - 1;
    int64_t before = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5;
    int64_t leaps = y >= 0 ? y / 4 - y / 100 + y / 400 : -1;
    return y * 365 + leaps + before + day - 1 - 719468;
}

/* HH:MM, then :SS and a fraction if they are there. */
static bool time_of_day(struct span *s, int64_t *ret_ms) {
    int hour, minute, second = 0, ms = 0;
    if (!number(s, 2, &hour) || !sign(s, ":") || !number(s, 2, &minute)) return false;
    if (sign(s, ":")) {
        if (!number(s, 2, &second)) return false;
        if (sign(s, ".,")) {
            if (s->n == 0 || !is_digit(s->p[0])) return false;
            for (int weight = 100; s->n && is_digit(s->p[0]); weight /= 10) {
                ms += (s->p[0] - '0') * weight;
                *s = span_skip(*s, 1);
            }
        }
    }
    if (hour > 23 || minute > 59 || second > 59) return false;
    *ret_ms = (int64_t)(hour * 60 + minute) * MS_PER_MINUTE + second * 1000 + ms;
    return true;
}

/* Z, +HH:MM, +HHMM or +HH; nothing is UTC too. */
static bool zone(struct span *s, int64_t *ret_minutes) {
    int hours = 0, minutes = 0;
    bool west = s->n && s->p[0] == '-';
    *ret_minutes = 0;
    if (s->n == 0 || sign(s, "Zz")) return true;
    if (!sign(s, "+-") || !number(s, 2, &hours)) return false;
    (void)sign(s, ":");
    if (s->n && !number(s, 2, &minutes)) return false;
    int64_t offset = hours * 60 + minutes;
    *ret_minutes = west ? -offset : offset;
    return minutes < 60 && offset <= MINUTES_PER_DAY;
}

bool iso8601_parse(struct span text, int64_t *ret_ms) {
    int year, month, day;
    int64_t ms = 0, east = 0;
    if (!number(&text, 4, &year) || !sign(&text, "-") || !number(&text, 2, &month) || !sign(&text, "-") ||
        !number(&text, 2, &day))
        return false;
    if (month < 1 || month > 12 || day < 1 || day > days_in(year, month)) return false;
    if (text.n && (!sign(&text, "Tt ") || !time_of_day(&text, &ms) || !zone(&text, &east) || text.n))
        return false;
    *ret_ms = day_number(year, month, day) * MINUTES_PER_DAY * MS_PER_MINUTE + ms - east * MS_PER_MINUTE;
    return true;
}
