/* Cookies (HTTP-43 to HTTP-45): those of one host, in memory. */
#include "http_cookies.h"

#include "../buffer/copy.h"
#include "../text/text_values.h"
#include "http_digest.h"

#include <stdio.h>

#define MAX_AGE 999999999

struct creo_cookies *creo_cookies_open(creo_client *client, creo_error *error)
{
    for (struct creo_cookies *at = client->cookies; at != NULL; at = at->next)
        if (at->port == client->port && strcmp(at->host, client->host) == 0)
            return at;
    struct creo_cookies *made = (struct creo_cookies *)client->allocator.allocate(client->allocator.context, sizeof *made);
    if (made == NULL) {
        (void)creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the cookies");
        return NULL;
    }
    made->next = client->cookies;
    memcpy(made->host, client->host, sizeof made->host);
    made->port = client->port;
    made->count = made->size = 0;
    client->cookies = made;
    return made;
}

void creo_http_forget(creo_client *client, const char *host, uint16_t port)
{
    struct creo_cookies **link = &client->cookies;
    creo_digest_forget(client, host, port);
    while (*link != NULL) {
        struct creo_cookies *at = *link;
        if (host != NULL && (at->port != port || strcmp(at->host, host) != 0)) {
            link = &at->next;
            continue;
        }
        *link = at->next;
        creo_wipe(at, sizeof *at);
        client->allocator.release(client->allocator.context, at, sizeof *at);
    }
}

/*
 * The kept cookies.
 */

static size_t cookie_size(const creo_cookie *cookie)
{
    return (size_t)cookie->name + cookie->value + cookie->path;
}

/* `at`: where its texts begin. */
static void remove_cookie(struct creo_cookies *cookies, size_t index, size_t at)
{
    size_t size = cookie_size(&cookies->list[index]);
    memmove(cookies->texts + at, cookies->texts + at + size, cookies->size - at - size);
    cookies->size -= size;
    cookies->count--;
    memmove(cookies->list + index, cookies->list + index + 1, (cookies->count - index) * sizeof *cookies->list);
}

static void drop_expired(struct creo_cookies *cookies, int64_t now)
{
    size_t at = 0;
    for (size_t i = 0; i < cookies->count;) {
        if (cookies->list[i].end <= now)
            remove_cookie(cookies, i, at);
        else
            at += cookie_size(&cookies->list[i++]);
    }
}

static bool are_too_many(const struct creo_cookies *cookies)
{
    return cookies->count > CREO_MAX_COOKIES || cookies->size > CREO_MAX_COOKIES_SIZE;
}

static void cookie_text(struct creo_cookies *cookies, size_t at, creo_string text)
{
    if (text.size != 0)
        memcpy(cookies->texts + at, text.data, text.size);
}

/* Together they have at most CREO_MAX_COOKIE_SIZE bytes. */
static void keep_cookie(struct creo_cookies *cookies, creo_string name, creo_string value, creo_string path, int64_t end, int64_t now)
{
    size_t at = 0;
    size_t i = 0;
    for (; i < cookies->count; i++) {
        const creo_cookie *each = &cookies->list[i];
        const char *own = cookies->texts + at;
        if (creo_string_equal((creo_string){own, each->name}, name) && creo_string_equal((creo_string){own + each->name + each->value, each->path}, path))
            break;
        at += cookie_size(each);
    }
    bool known = i < cookies->count;
    if (end <= now) {
        if (known)
            remove_cookie(cookies, i, at);
        return;
    }
    size_t before = known ? cookie_size(&cookies->list[i]) : 0;
    size_t size = name.size + value.size + path.size;
    memmove(cookies->texts + at + size, cookies->texts + at + before, cookies->size - at - before);
    cookie_text(cookies, at, name);
    cookie_text(cookies, at + name.size, value);
    cookie_text(cookies, at + name.size + value.size, path);
    cookies->size = cookies->size - before + size;
    cookies->list[i] = (creo_cookie){(uint16_t)name.size, (uint16_t)value.size, (uint16_t)path.size, end};
    cookies->count += known ? 0 : 1;
    if (!are_too_many(cookies))
        return;
    drop_expired(cookies, now);
    while (are_too_many(cookies))
        remove_cookie(cookies, 0, 0);
}

/* Whether a request of this path gets a cookie with that one (RFC 6265, section 5.1.4). */
static bool path_matches(creo_string path, creo_string own)
{
    if (path.size < own.size || !creo_string_equal((creo_string){path.data, own.size}, own))
        return false;
    return own.data[own.size - 1] == '/' || path.size == own.size || path.data[own.size] == '/';
}

bool creo_cookies_put(struct creo_cookies *cookies, creo_string path, int64_t now, creo_writer *head)
{
    size_t starts[CREO_MAX_COOKIES];
    size_t order[CREO_MAX_COOKIES];
    size_t found = 0;
    size_t at = 0;
    drop_expired(cookies, now);
    for (size_t i = 0; i < cookies->count; i++) {
        const creo_cookie *each = &cookies->list[i];
        starts[i] = at;
        at += cookie_size(each);
        if (!path_matches(path, (creo_string){cookies->texts + at - each->path, each->path}))
            continue;
        /* Longer paths come first, then those that were set first. */
        size_t place = found++;
        for (; place > 0 && cookies->list[order[place - 1]].path < each->path; place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
    for (size_t i = 0; i < found; i++) {
        const creo_cookie *each = &cookies->list[order[i]];
        const char *text = cookies->texts + starts[order[i]];
        if (!creo_http_put(head, i == 0 ? "Cookie: " : "; ") || !creo_write_raw(head, creo_bytes_of(text, each->name)) || !creo_http_put(head, "=") ||
            !creo_write_raw(head, creo_bytes_of(text + each->name, each->value)))
            return false;
    }
    return found == 0 || creo_http_put(head, "\r\n");
}

/*
 * Dates (RFC 6265, section 5.1.1).
 */

static bool is_between(uint8_t c)
{
    return c == '\t' || (c >= 0x20 && c <= 0x2F) || (c >= 0x3B && c <= 0x40) || (c >= 0x5B && c <= 0x60) || (c >= 0x7B && c <= 0x7E);
}

/* Takes the digits at the beginning of a word, of which there must be so many. */
static bool date_digits(creo_string *word, size_t least, size_t most, int *number)
{
    size_t size = 0;
    *number = 0;
    for (; size < word->size && word->data[size] >= '0' && word->data[size] <= '9'; size++)
        if (size < most)
            *number = *number * 10 + (word->data[size] - '0');
    *word = (creo_string){word->data + size, word->size - size};
    return size >= least && size <= most;
}

static bool date_colon(creo_string *word)
{
    if (word->size == 0 || word->data[0] != ':')
        return false;
    *word = (creo_string){word->data + 1, word->size - 1};
    return true;
}

typedef struct cookie_date {
    /* Hour, minute and second. What is missing is below 0. */
    int time[3];
    int day;
    int month;
    int year;
} cookie_date;

static bool take_time(creo_string word, cookie_date *date)
{
    int hour;
    if (!date_digits(&word, 1, 2, &hour) || !date_colon(&word) || !date_digits(&word, 1, 2, &date->time[1]) || !date_colon(&word) ||
        !date_digits(&word, 1, 2, &date->time[2]))
        return false;
    date->time[0] = hour;
    return true;
}

static bool date_number(creo_string word, size_t least, size_t most, int *number)
{
    int found;
    if (!date_digits(&word, least, most, &found))
        return false;
    *number = found;
    return true;
}

static bool take_month(creo_string word, int *month)
{
    static const char *const names[] = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};
    for (int i = 0; word.size >= 3 && i < 12; i++) {
        if (creo_http_same((creo_string){word.data, 3}, names[i])) {
            *month = i + 1;
            return true;
        }
    }
    return false;
}

/* Each word is the first of these that it can be and that is still missing. */
static void take_word(creo_string word, cookie_date *date)
{
    if ((date->time[0] >= 0 || !take_time(word, date)) && (date->day >= 0 || !date_number(word, 1, 2, &date->day)) &&
        (date->month >= 0 || !take_month(word, &date->month)) && date->year < 0)
        (void)date_number(word, 2, 4, &date->year);
}

/* In seconds since 1970; false if it is none. */
static bool read_date(creo_string text, int64_t *seconds)
{
    cookie_date date = {{-1, -1, -1}, -1, -1, -1};
    for (size_t at = 0; at < text.size;) {
        size_t first = at;
        while (at < text.size && !is_between((uint8_t)text.data[at]))
            at++;
        take_word((creo_string){text.data + first, at - first}, &date);
        at += at < text.size ? 1 : 0;
    }
    if (date.year >= 0 && date.year < 100)
        date.year += date.year >= 70 ? 1900 : 2000;
    if (date.time[0] < 0 || date.time[0] > 23 || date.day < 0 || date.month < 0 || date.year < 1601)
        return false;
    char whole[64];
    creo_datetime instant;
    (void)snprintf(whole, sizeof whole, "%04d-%02d-%02dT%02d:%02d:%02dZ", date.year, date.month, date.day, date.time[0], date.time[1], date.time[2]);
    if (creo_parse_datetime(creo_text(whole), &instant) != NULL)
        return false;
    *seconds = instant.seconds;
    return true;
}

/*
 * `Set-Cookie` (RFC 6265, section 5.2).
 */

/* What the attributes say, as far as they can be read; of several the last counts. */
typedef struct cookie_said {
    creo_string domain;
    creo_string path;
    bool secure;
    bool has_age;
    int64_t age;
    bool has_date;
    int64_t date;
} cookie_said;

/* Takes the text up to the next semicolon, and that. */
static creo_string next_part(creo_string *rest)
{
    const char *end = rest->size == 0 ? NULL : (const char *)memchr(rest->data, ';', rest->size);
    creo_string part = {rest->data, end == NULL ? rest->size : (size_t)(end - rest->data)};
    size_t taken = part.size + (end == NULL ? 0 : 1);
    *rest = (creo_string){rest->data + taken, rest->size - taken};
    return part;
}

/* Splits a part at its first `=`; false if it has none. Both sides are trimmed. */
static bool split_part(creo_string part, creo_string *name, creo_string *value)
{
    const char *equals = part.size == 0 ? NULL : (const char *)memchr(part.data, '=', part.size);
    size_t size = equals == NULL ? part.size : (size_t)(equals - part.data);
    *name = creo_http_trim((creo_string){part.data, size});
    *value = equals == NULL ? creo_text("") : creo_http_trim((creo_string){equals + 1, part.size - size - 1});
    return equals != NULL;
}

/* Digits, perhaps after a minus. Below 0 is 0, and more than 9 digits count as nine of the largest. */
static bool read_age(creo_string text, int64_t *age)
{
    bool minus = text.size > 0 && text.data[0] == '-';
    *age = 0;
    for (size_t i = minus ? 1 : 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
        *age = *age * 10 + (text.data[i] - '0');
        *age = *age > MAX_AGE ? MAX_AGE : *age;
    }
    *age = minus ? 0 : *age;
    return text.size > (minus ? 1U : 0U);
}

static void take_attribute(creo_string part, cookie_said *said)
{
    creo_string name;
    creo_string value;
    int64_t number;
    (void)split_part(part, &name, &value);
    if (creo_http_same(name, "domain")) {
        said->domain = value;
    } else if (creo_http_same(name, "path")) {
        said->path = value;
    } else if (creo_http_same(name, "secure")) {
        said->secure = true;
    } else if (creo_http_same(name, "max-age") && read_age(value, &number)) {
        said->has_age = true;
        said->age = number;
    } else if (creo_http_same(name, "expires") && read_date(value, &number)) {
        said->has_date = true;
        said->date = number;
    }
}

/* Whether a cookie of this `Domain` is for the host (HTTP-44). */
static bool is_own_domain(const char *host, creo_string domain)
{
    size_t size = strlen(host);
    if (domain.size > 0 && domain.data[0] == '.')
        domain = (creo_string){domain.data + 1, domain.size - 1};
    if (domain.size == 0 || creo_http_same(domain, host))
        return true;
    bool address = strchr(host, ':') != NULL || strspn(host, "0123456789.") == size;
    return !address && domain.size < size && host[size - domain.size - 1] == '.' && creo_http_same(domain, host + size - domain.size);
}

/* The path of a cookie that names none (RFC 6265, section 5.1.4). */
static creo_string default_path(creo_string path)
{
    size_t size = path.size;
    while (size > 0 && path.data[size - 1] != '/')
        size--;
    return size < 2 ? creo_text("/") : (creo_string){path.data, size - 1};
}

static bool is_printable(creo_string text)
{
    for (size_t i = 0; i < text.size; i++)
        if ((uint8_t)text.data[i] < 0x20 || (uint8_t)text.data[i] > 0x7E)
            return false;
    return true;
}

void creo_cookies_take(struct creo_cookies *cookies, bool tls, creo_string path, creo_string line, int64_t now)
{
    creo_string name;
    creo_string value;
    cookie_said said;
    memset(&said, 0, sizeof said);
    if (!split_part(next_part(&line), &name, &value) || name.size == 0)
        return;
    while (line.size > 0)
        take_attribute(next_part(&line), &said);
    if (!is_own_domain(cookies->host, said.domain) || (said.secure && !tls))
        return;
    creo_string own = said.path.size > 0 && said.path.data[0] == '/' ? said.path : default_path(path);
    size_t size = name.size + value.size;
    if (!is_printable(name) || !is_printable(value) || !is_printable(own) || size > CREO_MAX_COOKIE_SIZE || own.size > CREO_MAX_COOKIE_SIZE - size)
        return;
    int64_t end = said.has_age ? (said.age == 0 ? INT64_MIN : now + said.age) : said.has_date ? said.date : INT64_MAX;
    keep_cookie(cookies, name, value, own, end, now);
}
