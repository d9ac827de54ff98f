/* gSOAP's generated code, with the calls of its client stub, from and to memory, and one reused context. SOAP_XML_TREE skips its search for repeated
 * values, which document/literal does not have. */
#include "messages.h"

#include "soapH.h"

#include "MessagesSoap11.nsmap"

#include <stdlib.h>
#include <string.h>

union request {
    struct _n1__echoShort brief;
    struct _n1__echoSimple simple;
    struct _n1__echoMedium medium;
    struct _n1__echoComplex complex;
    struct _n1__echoSimpleJpeg jpeg;
};

union response {
    struct _n1__echoShortResponse brief;
    struct _n1__echoSimpleResponse simple;
    struct _n1__echoMediumResponse medium;
    struct _n1__echoComplexResponse complex;
    struct _n1__echoSimpleJpegResponse jpeg;
};

struct state {
    enum kind kind;
    struct soap *soap;
    union request request;
    union response decoded;
    uint8_t *response;
    size_t response_size;
    /* Where the context reads and writes now. */
    const uint8_t *in;
    size_t in_size;
    uint8_t *out;
    size_t out_size;
    size_t capacity;
};

static int put(struct soap *soap, const char *bytes, size_t size)
{
    struct state *state = soap->user;
    if (size > state->capacity - state->out_size)
        return SOAP_EOM;
    memcpy(state->out + state->out_size, bytes, size);
    state->out_size += size;
    return SOAP_OK;
}

static size_t get(struct soap *soap, char *bytes, size_t size)
{
    struct state *state = soap->user;
    size_t n = size < state->in_size ? size : state->in_size;
    memcpy(bytes, state->in, n);
    state->in += n;
    state->in_size -= n;
    return n;
}

static int put_body(struct soap *soap, struct state *state)
{
    switch (state->kind) {
    case SHORT:
        soap_serialize__n1__echoShort(soap, &state->request.brief);
        return soap_put__n1__echoShort(soap, &state->request.brief, "n1:echoShort", "");
    case SIMPLE:
        soap_serialize__n1__echoSimple(soap, &state->request.simple);
        return soap_put__n1__echoSimple(soap, &state->request.simple, "n1:echoSimple", "");
    case MEDIUM:
        soap_serialize__n1__echoMedium(soap, &state->request.medium);
        return soap_put__n1__echoMedium(soap, &state->request.medium, "n1:echoMedium", "");
    case COMPLEX:
        soap_serialize__n1__echoComplex(soap, &state->request.complex);
        return soap_put__n1__echoComplex(soap, &state->request.complex, "n1:echoComplex", "");
    case JPEG:
    case KINDS:
        break;
    }
    soap_serialize__n1__echoSimpleJpeg(soap, &state->request.jpeg);
    return soap_put__n1__echoSimpleJpeg(soap, &state->request.jpeg, "n1:echoSimpleJpeg", "");
}

static size_t serialize(void *opaque, uint8_t *out, size_t capacity)
{
    struct state *state = opaque;
    struct soap *soap = state->soap;
    state->out = out;
    state->out_size = 0;
    state->capacity = capacity;
    soap_begin(soap);
    soap->encodingStyle = NULL;
    soap_serializeheader(soap);
    if (soap_begin_send(soap) || soap_envelope_begin_out(soap) || soap_putheader(soap) || soap_body_begin_out(soap) || put_body(soap, state) ||
        soap_body_end_out(soap) || soap_envelope_end_out(soap) || soap_end_send(soap))
        return 0;
    return state->out_size;
}

static bool get_body(struct soap *soap, struct state *state)
{
    switch (state->kind) {
    case SHORT:
        soap_default__n1__echoShortResponse(soap, &state->decoded.brief);
        return soap_get__n1__echoShortResponse(soap, &state->decoded.brief, "n1:echoShortResponse", NULL) != NULL;
    case SIMPLE:
        soap_default__n1__echoSimpleResponse(soap, &state->decoded.simple);
        return soap_get__n1__echoSimpleResponse(soap, &state->decoded.simple, "n1:echoSimpleResponse", NULL) != NULL;
    case MEDIUM:
        soap_default__n1__echoMediumResponse(soap, &state->decoded.medium);
        return soap_get__n1__echoMediumResponse(soap, &state->decoded.medium, "n1:echoMediumResponse", NULL) != NULL;
    case COMPLEX:
        soap_default__n1__echoComplexResponse(soap, &state->decoded.complex);
        return soap_get__n1__echoComplexResponse(soap, &state->decoded.complex, "n1:echoComplexResponse", NULL) != NULL;
    case JPEG:
    case KINDS:
        break;
    }
    soap_default__n1__echoSimpleJpegResponse(soap, &state->decoded.jpeg);
    return soap_get__n1__echoSimpleJpegResponse(soap, &state->decoded.jpeg, "n1:echoSimpleJpegResponse", NULL) != NULL;
}

static void *deserialize(void *opaque, const uint8_t *bytes, size_t size)
{
    struct state *state = opaque;
    struct soap *soap = state->soap;
    (void)bytes;
    (void)size;
    state->in = state->response;
    state->in_size = state->response_size;
    if (soap_begin_recv(soap) || soap_envelope_begin_in(soap) || soap_recv_header(soap) || soap_body_begin_in(soap) || !get_body(soap, state) ||
        soap_body_end_in(soap) || soap_envelope_end_in(soap) || soap_end_recv(soap))
        return NULL;
    return state;
}

static void release(void *opaque, void *decoded)
{
    struct state *state = opaque;
    (void)decoded;
    soap_destroy(state->soap);
    soap_end(state->soap);
}

static struct timeval time_of(struct instant instant)
{
    return (struct timeval){instant.seconds, instant.milliseconds * 1000};
}

static char *text(const char *text)
{
    return must(strdup(text));
}

static void fill_customer(struct n1__Customer *to, const struct customer *c)
{
    *to = (struct n1__Customer){text(c->number),
                                text(c->title),
                                text(c->first_name),
                                text(c->last_name),
                                text(c->street),
                                text(c->city),
                                text(c->postcode),
                                text(c->country),
                                text(c->telephone),
                                text(c->email),
                                c->active ? xsd__boolean__true_ : xsd__boolean__false_,
                                c->newsletter ? xsd__boolean__true_ : xsd__boolean__false_,
                                time_of(c->opened),
                                time_of(c->last_order)};
}

static void *create(const struct values *values)
{
    struct state *state = must(calloc(1, sizeof *state));
    state->kind = values->kind;
    state->soap = must(soap_new1(SOAP_C_UTFSTRING | SOAP_XML_TREE));
    state->soap->user = state;
    state->soap->fsend = put;
    state->soap->frecv = get;
    char *identification = text(values->identification);
    struct n1__Customer *customers = must(calloc(values->customer_count + 1, sizeof *customers));
    for (size_t i = 0; i < values->customer_count; i++)
        fill_customer(&customers[i], &values->customers[i]);
    switch (values->kind) {
    case SHORT: {
        struct n1__Short *m = must(calloc(1, sizeof *m));
        *m = (struct n1__Short){identification, text(values->text)};
        state->request.brief.message = m;
        break;
    }
    case SIMPLE: {
        struct n1__Simple *m = must(calloc(1, sizeof *m));
        *m = (struct n1__Simple){identification, customers};
        state->request.simple.message = m;
        break;
    }
    case MEDIUM: {
        struct n1__Medium *m = must(calloc(1, sizeof *m));
        *m = (struct n1__Medium){identification, (int)values->customer_count, customers};
        state->request.medium.message = m;
        break;
    }
    case COMPLEX: {
        struct n1__Product *products = must(calloc(values->product_count + 1, sizeof *products));
        for (size_t i = 0; i < values->product_count; i++) {
            const struct product *p = &values->products[i];
            products[i] = (struct n1__Product){text(p->code),  text(p->name),  text(p->description), p->quantity,
                                               p->price,       text(p->total), p->in_stock ? xsd__boolean__true_ : xsd__boolean__false_,
                                               time_of(p->delivery)};
        }
        struct n1__Complex *m = must(calloc(1, sizeof *m));
        *m = (struct n1__Complex){identification, customers, (int)values->product_count, products};
        state->request.complex.message = m;
        break;
    }
    case JPEG:
    case KINDS: {
        struct n1__SimpleJpeg *m = must(calloc(1, sizeof *m));
        m->identification = identification;
        m->customer = customers;
        m->picture.__ptr = values->picture;
        m->picture.__size = (int)values->picture_size;
        state->request.jpeg.message = m;
        break;
    }
    }
    uint8_t *request = must(malloc(capacity_of(values)));
    size_t size = serialize(state, request, capacity_of(values));
    state->response = must(malloc(size + 64));
    state->response_size = answer_to(values->kind, request, size, state->response);
    free(request);
    return state;
}

static struct instant instant(struct timeval time)
{
    return (struct instant){time.tv_sec, (int32_t)(time.tv_usec / 1000)};
}

static struct customer plain_customer(const struct n1__Customer *c)
{
    return (struct customer){c->number,
                             c->title,
                             c->firstName,
                             c->lastName,
                             c->street,
                             c->city,
                             c->postcode,
                             c->country,
                             c->telephone,
                             c->email,
                             c->active == xsd__boolean__true_,
                             c->newsletter == xsd__boolean__true_,
                             instant(c->opened),
                             instant(c->lastOrder)};
}

static bool same(const struct values *values, const void *decoded)
{
    const struct state *state = decoded;
    const union response *d = &state->decoded;
    struct values received = {0};
    const struct n1__Customer *customers = NULL;
    received.customer_count = values->kind == SHORT ? 0 : 1;
    switch (values->kind) {
    case SHORT:
        received.identification = d->brief.result->identification;
        received.text = d->brief.result->text;
        break;
    case SIMPLE:
        received.identification = d->simple.result->identification;
        customers = d->simple.result->customer;
        break;
    case MEDIUM:
        received.identification = d->medium.result->identification;
        received.customer_count = (size_t)d->medium.result->__sizecustomers;
        customers = d->medium.result->customers;
        break;
    case COMPLEX:
        received.identification = d->complex.result->identification;
        customers = d->complex.result->customer;
        received.product_count = (size_t)d->complex.result->__sizeproducts;
        received.products = must(calloc(received.product_count + 1, sizeof *received.products));
        for (size_t i = 0; i < received.product_count; i++) {
            const struct n1__Product *p = &d->complex.result->products[i];
            received.products[i] = (struct product){p->code,  p->name,  p->description, p->quantity, p->price, p->total, p->inStock == xsd__boolean__true_,
                                                    instant(p->delivery)};
        }
        break;
    case JPEG:
    case KINDS:
        received.identification = d->jpeg.result->identification;
        customers = d->jpeg.result->customer;
        received.picture = d->jpeg.result->picture.__ptr;
        received.picture_size = (size_t)d->jpeg.result->picture.__size;
        break;
    }
    received.customers = must(calloc(received.customer_count + 1, sizeof *received.customers));
    for (size_t i = 0; i < received.customer_count; i++)
        received.customers[i] = plain_customer(&customers[i]);
    return same_values(values, &received);
}

const struct peer gsoap_peer = {"gsoap", create, serialize, deserialize, release, same};
