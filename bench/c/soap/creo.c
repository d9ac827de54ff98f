/* Creo's generated structs on the soap wire: the writing and reading of a call, without HTTP. The runtime is compiled here, since encoding to bytes
 * is not part of its API. */
#include <src/creo.c>

#include "messages.h"

#include <messages.text.h>
#include <stdlib.h>

union value {
    messages_short brief;
    messages_simple simple;
    messages_medium medium;
    messages_complex complex;
    messages_simple_jpeg jpeg;
};

struct state {
    const struct values *values;
    const creo_text_method *method;
    union value value;
    /* The arguments of a method: always a pointer to the message here. */
    const void *arguments[1];
    union value decoded;
    creo_arena arena;
    uint8_t *response;
    size_t response_size;
};

static creo_string string(const char *text)
{
    return (creo_string){text, strlen(text)};
}

static creo_datetime datetime(struct instant instant)
{
    return (creo_datetime){instant.seconds, (uint32_t)instant.milliseconds * 1000000u};
}

static messages_customer customer(const struct customer *c)
{
    return (messages_customer){string(c->number),  string(c->title),     string(c->first_name), string(c->last_name), string(c->street),
                               string(c->city),    string(c->postcode),  string(c->country),    string(c->telephone), string(c->email),
                               c->active,          c->newsletter,        datetime(c->opened),   datetime(c->last_order)};
}

static messages_product product(const struct product *p)
{
    return (messages_product){string(p->code), string(p->name), string(p->description), p->quantity, p->price, string(p->total), p->in_stock, datetime(p->delivery)};
}

static size_t serialize(void *opaque, uint8_t *out, size_t capacity)
{
    struct state *state = opaque;
    creo_writer writer;
    creo_xml_out xml;
    creo_error error = {0};
    creo_writer_init_fixed(&writer, out, capacity, NULL, &error);
    creo_xml_out_init(&xml, &writer, &state->method->request.spaces);
    static const creo_soap older = {.version = CREO_SOAP_1_1};
    return write_envelope(&xml, &older, CREO_SOAP_1_1, state->method, state->arguments) ? creo_writer_size(&writer) : 0;
}

static void *create(const struct values *values)
{
    struct state *state = must(calloc(1, sizeof *state));
    state->values = values;
    state->method = &messages_messages_text.methods[values->kind];
    creo_arena_init(&state->arena, creo_allocator_libc());
    messages_customer *customers = must(calloc(values->customer_count + 1, sizeof *customers));
    for (size_t i = 0; i < values->customer_count; i++)
        customers[i] = customer(&values->customers[i]);
    messages_product *products = must(calloc(values->product_count + 1, sizeof *products));
    for (size_t i = 0; i < values->product_count; i++)
        products[i] = product(&values->products[i]);
    creo_string identification = string(values->identification);
    switch (values->kind) {
    case SHORT:
        state->value.brief = (messages_short){identification, string(values->text)};
        break;
    case SIMPLE:
        state->value.simple = (messages_simple){identification, customers[0]};
        break;
    case MEDIUM:
        state->value.medium = (messages_medium){identification, {customers, values->customer_count}};
        break;
    case COMPLEX:
        state->value.complex = (messages_complex){identification, customers[0], {products, values->product_count}};
        break;
    case JPEG:
    case KINDS:
        state->value.jpeg = (messages_simple_jpeg){identification, customers[0], {values->picture, values->picture_size}};
        break;
    }
    state->arguments[0] = &state->value;
    uint8_t *request = must(malloc(capacity_of(values)));
    size_t size = serialize(state, request, capacity_of(values));
    state->response = must(malloc(size + 64));
    state->response_size = answer_to(values->kind, request, size, state->response);
    free(request);
    return state;
}

/* What was received stays where it is until the result has been used: so does the client of the runtime. */
static void *deserialize(void *opaque, const uint8_t *bytes, size_t size)
{
    struct state *state = opaque;
    (void)bytes;
    (void)size;
    creo_error error = {0};
    creo_limits limits = creo_limits_default();
    creo_bytes envelope = {state->response, state->response_size};
    if (creo_soap_read(state->method, envelope, CREO_CHARSET_UTF8, NULL, 0, 0, NULL, NULL, &state->arena, &limits, &state->decoded, &error) != CREO_SOAP_OUTCOME)
        return NULL;
    return state;
}

static void release(void *opaque, void *decoded)
{
    struct state *state = opaque;
    (void)decoded;
    creo_arena_reset(&state->arena);
}

static const char *text(creo_string string)
{
    return must(strndup(string.data, string.size));
}

static struct instant instant(creo_datetime datetime)
{
    return (struct instant){datetime.seconds, (int32_t)(datetime.nanoseconds / 1000000u)};
}

static struct customer plain_customer(const messages_customer *c)
{
    return (struct customer){text(c->number),    text(c->title), text(c->first_name), text(c->last_name),  text(c->street),    text(c->city),          text(c->postcode),
                             text(c->country), text(c->telephone), text(c->email),  c->active,           c->newsletter,      instant(c->opened), instant(c->last_order)};
}

static struct product plain_product(const messages_product *p)
{
    return (struct product){text(p->code), text(p->name), text(p->description), p->quantity, p->price, text(p->total), p->in_stock, instant(p->delivery)};
}

static bool same_message(const struct values *values, const void *decoded)
{
    const struct state *state = decoded;
    const union value *v = &state->decoded;
    struct values received = {0};
    const messages_customer *customers = values->kind == SIMPLE ? &v->simple.customer : values->kind == COMPLEX ? &v->complex.customer : &v->jpeg.customer;
    received.customer_count = values->kind == SHORT ? 0 : 1;
    /* All begin with it. */
    received.identification = text(v->brief.identification);
    if (values->kind == SHORT)
        received.text = text(v->brief.text);
    if (values->kind == MEDIUM) {
        customers = v->medium.customers.items;
        received.customer_count = v->medium.customers.count;
    }
    received.customers = must(calloc(received.customer_count + 1, sizeof *received.customers));
    for (size_t i = 0; i < received.customer_count; i++)
        received.customers[i] = plain_customer(&customers[i]);
    if (values->kind == COMPLEX) {
        received.product_count = v->complex.products.count;
        received.products = must(calloc(received.product_count + 1, sizeof *received.products));
        for (size_t i = 0; i < received.product_count; i++)
            received.products[i] = plain_product(&v->complex.products.items[i]);
    }
    if (values->kind == JPEG) {
        received.picture_size = v->jpeg.picture.size;
        received.picture = must(malloc(received.picture_size + 1));
        memcpy(received.picture, v->jpeg.picture.data, received.picture_size);
    }
    return same_values(values, &received);
}

const struct peer creo_peer = {"creo", create, serialize, deserialize, release, same_message};
