/*
 * A client by gSOAP (wsdl2h, soapcpp2) calls the Java service: caller ADDRESS 1.1|1.2|mtom CASES.
 * Prints `ok NAME` or `FAIL NAME: reason` for each case.
 */
#include "soapH.h"
#include "EchoSoap11.nsmap"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NAMESPACE "http://example.org/interop"

static const char *address;
static bool soap12, mtom;
static char reason[4096];

/* The generated table, in which the first two rows say which version of SOAP is sent. */
static struct Namespace table[sizeof namespaces / sizeof *namespaces];

static void choose_version(void)
{
    memcpy(table, namespaces, sizeof namespaces);
    table[0].ns = soap12 ? "http://www.w3.org/2003/05/soap-envelope" : "http://schemas.xmlsoap.org/soap/envelope/";
    table[1].ns = soap12 ? "http://www.w3.org/2003/05/soap-encoding" : "http://schemas.xmlsoap.org/soap/encoding/";
    table[0].in = table[1].in = NULL;
}

static struct soap *new_soap(void)
{
    /* With SOAP_XML_TREE, which keeps ids and references of SOAP encoding out, gSOAP sends no attachments. */
    struct soap *soap = soap_new1(SOAP_C_UTFSTRING | SOAP_IO_KEEPALIVE | (mtom ? SOAP_ENC_MTOM : SOAP_XML_TREE));
    soap_set_namespaces(soap, table);
    soap->connect_timeout = soap->send_timeout = soap->recv_timeout = 30;
    soap->float_format = "%.9G";
    soap->double_format = "%.17lG";
    return soap;
}

static void free_soap(struct soap *soap)
{
    soap_destroy(soap);
    soap_end(soap);
    soap_free(soap);
}

static bool fail(const char *what, const char *more)
{
    snprintf(reason, sizeof reason, "%s: %.3000s", what, more ? more : "");
    for (char *c = reason; *c; c++)
        if (*c == '\n')
            *c = ' ';
    return false;
}

static bool equal(const char *wanted, const char *got)
{
    return (got && strcmp(wanted, got) == 0) || fail("another text", got);
}

static bool failed(struct soap *soap, const char *what)
{
    char text[2048];
    soap_sprint_fault(soap, text, sizeof text);
    return fail(what, text);
}

/* The content of the root element, with `result` renamed to `value`. */
static char *inner(const char *xml)
{
    char *text = strdup(xml), *out = calloc(1, strlen(xml) + 1);
    const char *from = strchr(text, '>') + 1; /* after the declaration */
    if (strncmp(text, "<?xml", 5) == 0)
        from = strchr(from, '>') + 1;
    char *end = strrchr(text, '<');
    if (end && end >= from)
        *end = 0;
    else
        from = "";
    for (char *to = out; *from;) {
        if (strncmp(from, "Echo:result", 11) == 0) {
            memcpy(to, "Echo:value", 10);
            to += 10;
            from += 11;
        } else
            *to++ = *from++;
    }
    free(text);
    return out;
}

static bool same(const char *wanted, const char *got)
{
    char *w = inner(wanted), *g = inner(got);
    bool good = strcmp(w, g) == 0;
    if (!good) {
        size_t at = 0;
        while (w[at] && w[at] == g[at])
            at++;
        char text[1024];
        size_t begin = at > 60 ? at - 60 : 0;
        snprintf(text, sizeof text, "expected ..%.300s, got ..%.300s", w + begin, g + begin);
        fail("another value came back", text);
    }
    free(w);
    free(g);
    return good;
}

/* Reads the request from text into gSOAP's structs, calls, and compares what both would be written as. */
#define ECHO(NAME, MESSAGE)                                                                                                                                               \
    static bool echo_##NAME(const char *sent, const char *expected)                                                                                                       \
    {                                                                                                                                                                     \
        struct soap *soap = new_soap();                                                                                                                                   \
        struct MESSAGE request, wanted;                                                                                                                                   \
        struct _Echo__##NAME##Response response;                                                                                                                          \
        memset(&response, 0, sizeof response);                                                                                                                            \
        const char *a = NULL, *b = NULL;                                                                                                                                  \
        bool good = true;                                                                                                                                                 \
        soap->is = sent;                                                                                                                                                  \
        good = soap_read_##MESSAGE(soap, &request) == SOAP_OK || failed(soap, "the case cannot be read");                                                                 \
        if (good) {                                                                                                                                                       \
            soap->is = expected;                                                                                                                                          \
            good = soap_read_##MESSAGE(soap, &wanted) == SOAP_OK || failed(soap, "what is expected cannot be read");                                                      \
        }                                                                                                                                                                 \
        soap->is = NULL;                                                                                                                                                  \
        if (good)                                                                                                                                                         \
            good = (soap12 ? soap_call___Echo3__##NAME(soap, address, NULL, &request, &response)                                                                          \
                           : soap_call___Echo2__##NAME(soap, address, NULL, &request, &response)) == SOAP_OK                                                              \
                || failed(soap, "the call failed");                                                                                                                       \
        if (good) {                                                                                                                                                       \
            soap_clr_omode(soap, SOAP_ENC_MTOM | SOAP_ENC_MIME | SOAP_ENC_DIME);                                                                                          \
            soap->os = &a;                                                                                                                                                \
            good = soap_write_##MESSAGE(soap, &wanted) == SOAP_OK;                                                                                                        \
            soap->os = &b;                                                                                                                                                \
            good = good && soap_write__Echo__##NAME##Response(soap, &response) == SOAP_OK;                                                                                \
            good = good ? same(a, b) : failed(soap, "cannot be written");                                                                                                 \
            soap->os = NULL;                                                                                                                                              \
        }                                                                                                                                                                 \
        free_soap(soap);                                                                                                                                                  \
        return good;                                                                                                                                                      \
    }

/* The method, and gSOAP's name for its message, which differs if the method's name is also that of a type. */
#define ALL(X)                                                                                                                                                            \
    X(primitives, Echo__primitivesMessage) X(arrays, Echo__arraysMessage) X(nested, Echo__nestedMessage) X(optionals, Echo__optionalsMessage)                             \
    X(shape, Echo__shapeMessage) X(event, Echo__eventMessage) X(growing, Echo__growingMessage) X(tree, Echo__treeMessage) X(maps, Echo__mapsMessage)                      \
    X(words, Echo__wordsMessage) X(nothing, Echo__nothingMessage) X(colour, Echo__colourMessage) X(level, Echo__levelMessage) X(text, _Echo__text)                        \
    X(instant, _Echo__instant) X(amount, _Echo__amount) X(data, _Echo__data) X(doubles, _Echo__doubles) X(points, _Echo__points) X(matrix, _Echo__matrix)                 \
    X(maybe, _Echo__maybe) X(counts, _Echo__counts)
ALL(ECHO)

static bool echo(const char *method, const char *sent, const char *expected)
{
#define TRY(NAME, MESSAGE)                                                                                                              \
    if (strcmp(method, #NAME) == 0)                                                                                            \
        return echo_##NAME(sent, expected);
    ALL(TRY)
    return fail("no such method", method);
}

static char *document(const char *method, const char *content)
{
    size_t size = strlen(content) + 300;
    char *text = malloc(size);
    snprintf(text, size, "<%s xmlns=\"" NAMESPACE "\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">%s</%s>", method, content, method);
    return text;
}

static bool all_good = true;

static void report(const char *name, bool good)
{
    if (good)
        printf("ok %s\n", name);
    else
        printf("FAIL %s: %s\n", name, reason);
    all_good = all_good && good;
}

/* The cases of the file; those with one name, which follow one another, are reported as one. */
static bool echoes(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    char **lines = NULL, *line = NULL;
    size_t count = 0, room = 0;
    ssize_t size;
    while ((size = getline(&line, &room, file)) > 0) {
        if (line[size - 1] == '\n')
            line[size - 1] = 0;
        if (*line && *line != '#') {
            lines = realloc(lines, (count + 1) * sizeof *lines);
            lines[count++] = strdup(line);
        }
    }
    free(line);
    fclose(file);
    char last[64] = "";
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        if (lines[i][0] == '=')
            continue;
        char *method = strchr(lines[i], ' ');
        *method++ = 0;
        char *content = strchr(method, ' ');
        *content++ = 0;
        const char *answer = i + 1 < count && lines[i + 1][0] == '=' ? lines[i + 1] + 2 : content;
        if (*last && strcmp(last, lines[i]) != 0) {
            report(last, good);
            good = true;
        }
        snprintf(last, sizeof last, "%s", lines[i]);
        char *sent = document(method, content), *expected = document(method, answer);
        good = good && echo(method, sent, expected);
        free(sent);
        free(expected);
    }
    report(last, good);
    return count > 0;
}

#define CALL(NAME, SOAP, REQUEST, RESPONSE)                                                                                    \
    (soap12 ? soap_call___Echo3__##NAME(SOAP, address, NULL, REQUEST, RESPONSE)                                                \
            : soap_call___Echo2__##NAME(SOAP, address, NULL, REQUEST, RESPONSE))

static bool large_data(struct soap *soap)
{
    static unsigned char bytes[300000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7);
    struct _Echo__data request = {.value = {.__ptr = bytes, .__size = sizeof bytes}};
    if (mtom)
        request.value.type = "application/octet-stream";
    struct _Echo__dataResponse response = {0};
    if (CALL(data, soap, &request, &response) != SOAP_OK)
        return failed(soap, "the call failed");
    if (mtom && !response.result.id)
        return fail("no attachment came back", "");
    return (response.result.__size == (int)sizeof bytes && memcmp(response.result.__ptr, bytes, sizeof bytes) == 0) || fail("other bytes", "");
}

static bool several(struct soap *soap)
{
    double reals[] = {0.5, 1.25};
    struct Echo__Point point = {.x = 1.5, .y = -2.5};
    struct _Echo__several request = {
        .number = 7, .text = "text & more", .__sizereals = 2, .reals = reals, .point = &point, .colour = Echo__Colour__BLUE,
        .flag = xsd__boolean__true_, .big = -9, .instant = "2026-01-02T03:04:05Z", .amount = "1.50",
    };
    struct _Echo__severalResponse response = {0};
    if (CALL(several, soap, &request, &response) != SOAP_OK)
        return failed(soap, "the call failed");
    return equal("7|text & more|1.75|1.5|-2.5|-|BLUE|true|-9|2026-01-02T03:04:05Z|1.50", response.result);
}

static bool answer(struct soap *soap)
{
    struct _Echo__answer request;
    struct _Echo__answerResponse response;
    if (CALL(answer, soap, &request, &response) != SOAP_OK)
        return failed(soap, "the call failed");
    return response.result == 42 || fail("another answer", "");
}

static bool ping(struct soap *soap)
{
    struct _Echo__ping request;
    struct _Echo__pingResponse response;
    return CALL(ping, soap, &request, &response) == SOAP_OK || failed(soap, "the call failed");
}

/* Calls `fail`; NULL if there was no fault. */
static struct SOAP_ENV__Fault *fault_of(struct soap *soap, char *kind)
{
    struct _Echo__fail request = {.kind = kind};
    struct _Echo__failResponse response = {0};
    if (CALL(fail, soap, &request, &response) == SOAP_OK) {
        fail("no fault", response.result);
        return NULL;
    }
    if (!soap->fault)
        failed(soap, "no fault of the service");
    return soap->fault;
}

static struct SOAP_ENV__Detail *detail_of(struct SOAP_ENV__Fault *fault)
{
    struct SOAP_ENV__Detail *detail = soap12 ? fault->SOAP_ENV__Detail : fault->detail;
    if (!detail)
        fail("no detail", "");
    return detail;
}

static bool fault_none(struct soap *soap)
{
    struct _Echo__fail request = {.kind = "nothing"};
    struct _Echo__failResponse response = {0};
    if (CALL(fail, soap, &request, &response) != SOAP_OK)
        return failed(soap, "the call failed");
    return equal("nothing", response.result);
}

static bool fault_not_found(struct soap *soap)
{
    struct SOAP_ENV__Fault *fault = fault_of(soap, "not-found");
    struct SOAP_ENV__Detail *detail = fault ? detail_of(fault) : NULL;
    if (!detail)
        return false;
    if (!detail->Echo__NotFound)
        return failed(soap, "no NotFound");
    return equal("what & where", detail->Echo__NotFound->what);
}

static bool fault_refused(struct soap *soap)
{
    struct SOAP_ENV__Fault *fault = fault_of(soap, "refused");
    struct SOAP_ENV__Detail *detail = fault ? detail_of(fault) : NULL;
    if (!detail)
        return false;
    struct _Echo__Refused *it = detail->Echo__Refused;
    if (!it)
        return failed(soap, "no Refused");
    return (it->code == -5 && strcmp(it->reason, "<no>") == 0 && it->colour && *it->colour == Echo__Colour__RED && it->__sizeat == 2
            && strcmp(it->at[0], "2026-01-01T00:00:00Z") == 0 && strcmp(it->at[1], "2026-11-21T10:31:56.250Z") == 0)
        || fail("another exception", it->reason);
}

static bool fault_undeclared(struct soap *soap)
{
    struct SOAP_ENV__Fault *fault = fault_of(soap, "internal");
    struct SOAP_ENV__Detail *detail = fault ? detail_of(fault) : NULL;
    if (!detail)
        return false;
    const char *code = soap12 ? fault->SOAP_ENV__Code->SOAP_ENV__Value : fault->faultcode;
    const char *text = soap12 ? fault->SOAP_ENV__Reason->SOAP_ENV__Text : fault->faultstring;
    const char *any = detail->__any ? detail->__any : "";
    if (!strstr(code, soap12 ? "Receiver" : "Server"))
        return fail("code", code);
    if (!strstr(any, "code=\"internal\""))
        return fail("detail", any);
    return !(strstr(text, "secret") || strstr(text, "Exception") || strstr(any, "secret") || strstr(any, "Exception")) || fail("leaks", text);
}

static bool oneway(struct soap *soap)
{
    char prefix[64], note[80];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(prefix, sizeof prefix, "gsoap %lld.%09ld ", (long long)now.tv_sec, now.tv_nsec);
    snprintf(note, sizeof note, "%sone", prefix);
    struct _Echo__note one = {.text = note};
    if ((soap12 ? soap_send___Echo3__note(soap, address, NULL, &one) : soap_send___Echo2__note(soap, address, NULL, &one)) != SOAP_OK
        || soap_recv_empty_response(soap) != SOAP_OK)
        return failed(soap, "the note was not taken");
    time_t deadline = time(NULL) + 20;
    while (time(NULL) < deadline) {
        struct _Echo__noted request = {.prefix = prefix};
        struct _Echo__notedResponse response = {0};
        if (CALL(noted, soap, &request, &response) != SOAP_OK)
            return failed(soap, "the call failed");
        if (response.__sizeresult > 0)
            return (response.__sizeresult == 1 && strcmp(response.result[0], note) == 0) || fail("note", response.result[0]);
    }
    return fail("the note never arrived", "");
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    address = argv[1];
    soap12 = strcmp(argv[2], "1.2") == 0;
    mtom = strcmp(argv[2], "mtom") == 0;
    choose_version();
    if (!echoes(argv[3]))
        return 2;
    static const struct {
        const char *name;
        bool (*run)(struct soap *);
    } others[] = {
        {"large-data", large_data}, {"several", several}, {"answer", answer}, {"ping", ping}, {"fault-none", fault_none}, {"fault-not-found", fault_not_found},
        {"fault-refused", fault_refused}, {"fault-undeclared", fault_undeclared}, {"oneway", oneway},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct soap *soap = new_soap();
        report(others[i].name, others[i].run(soap));
        free_soap(soap);
    }
    return all_good ? 0 : 1;
}
