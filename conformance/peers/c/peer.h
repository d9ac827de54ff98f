/* The conformance peer: what its parts share. */
#ifndef PEER_H
#define PEER_H

#include <creo/creo.h>

#include <stdio.h>

/* A type of the conformance schemas: made from the model by the harness. */
typedef struct peer_type {
    /* Full name; NULL ends the table. */
    const char *name;
    size_t size;
    bool (*decode)(creo_reader *reader, void *value);
    bool (*encode)(creo_writer *writer, const void *value);
    /* Writes the value as JSON (spec/values.md). */
    void (*show)(FILE *out, const void *value);
    /* The value alone, for the text wires. */
    const creo_text_root *xml;
} peer_type;

extern const peer_type peer_types[];

/* The type of that full name, or NULL. */
const peer_type *peer_find_type(const char *name);

/* JSON of the language's own types. */
void peer_show_boolean(FILE *out, bool value);
void peer_show_byte(FILE *out, int8_t value);
void peer_show_short(FILE *out, int16_t value);
void peer_show_char(FILE *out, uint16_t value);
void peer_show_int(FILE *out, int32_t value);
void peer_show_long(FILE *out, int64_t value);
void peer_show_float(FILE *out, float value);
void peer_show_double(FILE *out, double value);
void peer_show_string(FILE *out, creo_string value);
void peer_show_decimal(FILE *out, creo_decimal value);
void peer_show_datetime(FILE *out, creo_datetime value);
void peer_show_bytes(FILE *out, creo_bytes value);
void peer_show_enum(FILE *out, const char *name, uint32_t number);

/* Keys of a map (VAL-12). */
void peer_key_boolean(FILE *out, bool value);
void peer_key_char(FILE *out, uint16_t value);
void peer_key_long(FILE *out, int64_t value);
void peer_key_enum(FILE *out, const char *name, uint32_t number);

#define PEER_SHOW_ARRAY(out, array, show)                                                                                                            \
    do {                                                                                                                                             \
        for (size_t item = 0; item < (array).count; item++) {                                                                                        \
            fputc(item == 0 ? '[' : ',', out);                                                                                                       \
            show(out, (array).items[item]);                                                                                                          \
        }                                                                                                                                            \
        fputs((array).count == 0 ? "[]" : "]", out);                                                                                                 \
    } while (0)

/* Reads JSON from `at`; NULL if it is wrong. */
const char *peer_skip_space(const char *at);
const char *peer_skip_value(const char *at);

/* Reads a JSON string into memory from malloc. */
const char *peer_read_string(const char *at, char **text, size_t *size);

/* Calls `visit` with the name and the start of each member of a JSON object. Returns what follows the object, or NULL. */
typedef void peer_visit(void *context, creo_string name, const char *value);
const char *peer_read_object(const char *at, peer_visit *visit, void *context);

/* Bytes from hexadecimal digits, in memory from malloc that is exactly as large; false if they are wrong. */
bool peer_unhex(creo_string hex, uint8_t **bytes, size_t *size);
void peer_show_hex(FILE *out, creo_bytes bytes);

/* A whole file in memory from malloc, zero-terminated; NULL if it cannot be read. */
char *peer_read_file(const char *path);

/* Compression to lend to a client. */
typedef struct peer_gzip {
    uint8_t *data;
    size_t size;
    size_t room;
    size_t given;
    bool expanded;
} peer_gzip;

creo_gzip peer_gzip_lend(peer_gzip *state);

/* The wire of a codec's bytes. Tables are read in any form, and written in this one. */
typedef enum peer_wire { PEER_BINARY = 0, PEER_XML, PEER_JSON, PEER_TDXML, PEER_TDXML_AGGREGATED, PEER_TDXML_SCHEMA } peer_wire;

/* Reads a value of a type that fills the bytes, and writes one. */
bool peer_decode(const peer_type *type, peer_wire wire, creo_bytes bytes, void *value, creo_arena *arena, const creo_limits *limits, creo_error *error);
bool peer_encode(const peer_type *type, peer_wire wire, creo_writer *writer, const void *value);

/* The mode of values that cannot be written; the exit code. */
int peer_writer(void);

/* The modes. Each returns the exit code. */
int peer_codec(peer_wire wire);
int peer_probe(void);
int peer_retries(void);
int peer_streams(void);
int peer_client(const char *host, const char *port, const char *vectors);
int peer_client_tdxml_tcp(const char *host, const char *port, const char *vectors);
/* `client-soap`, `client-json`, `client-tables`, `client-tdxml`; 2 for another mode. */
int peer_client_http(const char *mode, const char *url, const char *vectors);

#ifdef PEER_JMS
/* The same over JMS; the wire is `soap`, `tdxml` or `binary`. */
int peer_client_jms(const char *wire, const char *host, const char *port, const char *vectors);
#endif

#endif
