#include "messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[KINDS] = {"short", "simple", "medium", "complex", "jpeg"};
static const char *const types[KINDS] = {"Short", "Simple", "Medium", "Complex", "SimpleJpeg"};

static const char *const titles[] = {"Mr", "Mrs", "Ms", "Dr"};
static const char *const firsts[] = {"James", "Mary", "Zo\xC3\xAB", "Robert", "Patricia", "John", "Jennifer", "Michael"};
static const char *const lasts[] = {"Smith", "Nguyen", "M\xC3\xBCller", "O'Brien", "Williams", "Papadopoulos", "Brown", "Taylor"};
static const char *const streets[] = {"Collins Street", "Flinders Lane", "Swanston Street", "Glenferrie Road", "St Kilda Road"};
static const char *const cities[] = {"Melbourne", "Sydney", "Brisbane", "Adelaide", "Perth", "Hobart"};
static const char *const countries[] = {"Australia", "New Zealand", "Singapore"};
static const char *const kinds[] = {"Small", "Large", "Folding", "Portable", "Heavy"};
static const char *const things[] = {"table", "lamp", "monitor", "printer", "keyboard", "chair", "cabinet"};
static const char *const texts[] = {"Delivered in parts, with tools & screws", "Two years of warranty", "Made of recycled aluminium and oak",
                                    "Ships within two working days"};

const struct peer *const peers[] = {&creo_peer, &gsoap_peer, NULL};

void *must(void *memory)
{
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static const char *format(const char *pattern, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, pattern);
    (void)vsnprintf(text, sizeof text, pattern, arguments);
    va_end(arguments);
    return must(strdup(text));
}

static void fill_customer(struct customer *c, int i)
{
    c->number = format("C%d", 10000000 + i * 7919);
    c->title = titles[i % 4];
    c->first_name = firsts[i % 8];
    c->last_name = lasts[i * 3 % 8];
    c->street = format("%d %s", i * 37 % 200 + 1, streets[i % 5]);
    c->city = cities[i % 6];
    c->postcode = format("%d", 10000 + i * 613);
    c->country = countries[i % 3];
    c->telephone = format("+61 3 %d %d", 9000 + i, 1000 + i * 97);
    c->email = format("customer%d@example.org", i);
    c->active = i % 3 != 0;
    c->newsletter = i % 2 == 0;
    c->opened = (struct instant){1000000000 + i * 86413LL, 0};
    c->last_order = (struct instant){1600000000 + i * 3607LL, i * 37 % 1000};
}

static void fill_product(struct product *p, int i)
{
    int cents = i * 1237 + 995;
    p->code = format("P-%d", 100000 + i * 31);
    p->name = format("%s %s", kinds[i % 5], things[i % 7]);
    p->description = texts[i % 4];
    p->quantity = i * 7 % 20 + 1;
    p->price = cents / 100.0;
    p->total = format("%d.%02d", cents * p->quantity / 100, cents * p->quantity % 100);
    p->in_stock = i % 4 != 1;
    p->delivery = (struct instant){1650000000 + i * 43200LL, 0};
}

const struct values *values_named(const char *workload, const char *size)
{
    static struct values *made[KINDS];
    int kind = 0;
    while (kind < KINDS && strcmp(size, names[kind]) != 0)
        kind++;
    if (kind == KINDS || strcmp(workload, "soap") != 0)
        return NULL;
    if (made[kind] != NULL)
        return made[kind];
    struct values *v = must(calloc(1, sizeof *v));
    v->kind = (enum kind)kind;
    v->identification = "REQUEST";
    v->text = SHORT_TEXT;
    v->customer_count = kind == SHORT ? 0 : kind == MEDIUM ? 20 : 1;
    v->customers = must(calloc(v->customer_count + 1, sizeof *v->customers));
    for (size_t i = 0; i < v->customer_count; i++)
        fill_customer(&v->customers[i], kind == MEDIUM ? (int)i : 7);
    v->product_count = kind == COMPLEX ? 50 : 0;
    v->products = must(calloc(v->product_count + 1, sizeof *v->products));
    for (size_t i = 0; i < v->product_count; i++)
        fill_product(&v->products[i], (int)i);
    if (kind == JPEG) {
        v->picture_size = PICTURE_SIZE;
        v->picture = must(malloc(v->picture_size));
        uint32_t x = 1;
        for (size_t i = 0; i < v->picture_size; i++) {
            x = x * 1103515245u + 12345u;
            v->picture[i] = (uint8_t)(x >> 16);
        }
    }
    return made[kind] = v;
}

size_t capacity_of(const struct values *values)
{
    (void)values;
    return 65536;
}

size_t answer_to(enum kind kind, const uint8_t *request, size_t size, uint8_t *out)
{
    char element[32];
    size_t length = (size_t)snprintf(element, sizeof element, "echo%s", types[kind]);
    size_t written = 0;
    for (size_t i = 0; i < size;) {
        const char *old = NULL, *new = NULL;
        if (request[i] == '>' && size - i > 9 && memcmp(request + i, ">REQUEST<", 9) == 0) {
            old = ">REQUEST<";
            new = ">RESPONSE<";
        } else if (request[i] == 'm' && size - i > 8 && memcmp(request + i, "message>", 8) == 0) {
            old = "message>";
            new = "result>";
        } else if (request[i] == 'e' && size - i > length && memcmp(request + i, element, length) == 0) {
            memcpy(out + written, element, length);
            memcpy(out + written + length, "Response", 8);
            written += length + 8;
            i += length;
            continue;
        }
        if (old == NULL) {
            out[written++] = request[i++];
        } else {
            memcpy(out + written, new, strlen(new));
            written += strlen(new);
            i += strlen(old);
        }
    }
    return written;
}

static bool same_instant(struct instant a, struct instant b)
{
    return a.seconds == b.seconds && a.milliseconds == b.milliseconds;
}

static bool same_customer(const struct customer *a, const struct customer *b)
{
    return strcmp(a->number, b->number) == 0 && strcmp(a->title, b->title) == 0 && strcmp(a->first_name, b->first_name) == 0 &&
           strcmp(a->last_name, b->last_name) == 0 && strcmp(a->street, b->street) == 0 && strcmp(a->city, b->city) == 0 &&
           strcmp(a->postcode, b->postcode) == 0 && strcmp(a->country, b->country) == 0 && strcmp(a->telephone, b->telephone) == 0 &&
           strcmp(a->email, b->email) == 0 && a->active == b->active && a->newsletter == b->newsletter && same_instant(a->opened, b->opened) &&
           same_instant(a->last_order, b->last_order);
}

static bool same_product(const struct product *a, const struct product *b)
{
    return strcmp(a->code, b->code) == 0 && strcmp(a->name, b->name) == 0 && strcmp(a->description, b->description) == 0 && a->quantity == b->quantity &&
           a->price == b->price && strcmp(a->total, b->total) == 0 && a->in_stock == b->in_stock && same_instant(a->delivery, b->delivery);
}

bool same_values(const struct values *sent, const struct values *received)
{
    bool same = strcmp(received->identification, "RESPONSE") == 0 && sent->customer_count == received->customer_count &&
                sent->product_count == received->product_count && sent->picture_size == received->picture_size;
    for (size_t i = 0; same && i < sent->customer_count; i++)
        same = same_customer(&sent->customers[i], &received->customers[i]);
    for (size_t i = 0; same && i < sent->product_count; i++)
        same = same_product(&sent->products[i], &received->products[i]);
    return same && (sent->kind != SHORT || strcmp(sent->text, received->text) == 0) &&
           (sent->picture_size == 0 || memcmp(sent->picture, received->picture, sent->picture_size) == 0);
}
