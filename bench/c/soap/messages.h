/** The five messages as plain structs, and what the peers of the soap wire share. */
#ifndef CREO_BENCH_MESSAGES_H
#define CREO_BENCH_MESSAGES_H

#include "../bench.h"

enum kind { SHORT, SIMPLE, MEDIUM, COMPLEX, JPEG, KINDS };

struct instant {
    int64_t seconds;
    int32_t milliseconds;
};

struct customer {
    const char *number, *title, *first_name, *last_name, *street, *city, *postcode, *country, *telephone, *email;
    bool active, newsletter;
    struct instant opened, last_order;
};

struct product {
    const char *code, *name, *description;
    int32_t quantity;
    double price;
    const char *total;
    bool in_stock;
    struct instant delivery;
};

/** Only the values of the message are set. */
struct values {
    enum kind kind;
    const char *identification;
    const char *text;
    struct customer *customers;
    size_t customer_count;
    struct product *products;
    size_t product_count;
    uint8_t *picture;
    size_t picture_size;
};

#define SHORT_TEXT "The quick brown fox jumps over the lazy dog, 50 ch"
#define PICTURE_SIZE (14 * 1024)

/** The response of the service to a request: other names, and another identification. Returns the size; `out` has room for as much and 64 bytes more. */
size_t answer_to(enum kind kind, const uint8_t *request, size_t size, uint8_t *out);

/** Whether a value that was read, copied into plain structs, is the response to the values. */
bool same_values(const struct values *sent, const struct values *received);

extern const struct peer creo_peer;
extern const struct peer gsoap_peer;

#endif
