/* A client of the response time benchmark: what its parts share. */
#ifndef RESPONSE_H
#define RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kind { NUMBERS, STRINGS, BYTES, KINDS };

/* The values that are sent, by the formulas of every language. */
double value_d(size_t i);
int16_t value_s(size_t i);
/* Ten digits and a zero byte. */
void value_string(size_t i, char text[11]);
uint8_t value_byte(size_t i);

/* Allocated, or the program ends. */
void *must(void *allocated);

enum { WHY = 160 };

struct peer {
    const char *name;
    /* A client for one caller, whose calls come one after the other; NULL if it cannot connect. */
    void *(*connect)(const char *address);
    /* The objects of a request as the peer's own code has them, to be sent as often as one likes by every client. */
    void *(*prepare)(enum kind kind, size_t count);
    void (*release)(enum kind kind, void *request, size_t count);
    /* Sends a request and waits for the number of items that arrived. Where it fails, `why` has room for WHY characters. */
    bool (*call)(void *client, enum kind kind, const void *request, int32_t *items, char *why);
};

extern const struct peer creo_peer;
extern const struct peer thrift_binary_peer;
extern const struct peer thrift_compact_peer;
extern const struct peer grpc_peer;

#ifdef __cplusplus
}
#endif

#endif
