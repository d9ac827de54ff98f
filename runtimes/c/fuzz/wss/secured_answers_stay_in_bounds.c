/*
 * Whatever an answer holds, checking it gives an envelope that this runtime reads, or an error whose texts are clean; and so does what is secured and then
 * checked.
 */
#include "fuzz_text.h"

#include <creo/wss.h>

#include "xml/xml_whole.h"

#define KEYS "tests/wss/keys/"

/* The time at which the seeds were made. */
static bool fuzz_clock(void *context, creo_datetime *now)
{
    *now = (creo_datetime){INT64_C(1800000000), 0};
    return context == NULL;
}

static creo_wss *security_of(bool signs, bool encrypts)
{
    static const char *const allowed[] = {"rsa-sha1", "sha1", "rsa-1_5", "aes128-cbc", "aes256-cbc", NULL};
    static const creo_wss_identity bob = {{KEYS "bob.key.pem", {NULL, 0}}, {KEYS "bob.crt.pem", {NULL, 0}}, NULL};
    creo_wss_options options;
    creo_error error;
    memset(&options, 0, sizeof options);
    if (signs) {
        options.signer = (creo_wss_identity){{KEYS "curve.key.pem", {NULL, 0}}, {KEYS "curve.crt.pem", {NULL, 0}}, NULL};
        options.trusted.path = KEYS "curve.crt.pem";
        options.issuers.path = KEYS "ca.crt.pem";
    }
    if (encrypts)
        options.recipient.path = KEYS "bob.crt.pem";
    options.decryption = &bob;
    options.decryption_count = 1;
    options.allowed = allowed;
    options.clock = fuzz_clock;
    creo_wss *wss = creo_wss_new(&options, &error);
    PROPERTY(wss != NULL);
    return wss;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* That which signs, that which does both, and that which encrypts. */
    static creo_wss *all[3];
    creo_arena arena;
    creo_error error;
    creo_bytes read;
    creo_bytes root;
    if (size == 0)
        return 0;
    int index = data[0] % 4 % 3;
    if (all[index] == NULL)
        all[index] = security_of(index != 2, index != 0);
    const creo_soap_security *security = creo_wss_security(all[index]);
    uint8_t *text = fuzz_exact(data + 1, size - 1);
    creo_bytes given = creo_bytes_of(text, size - 1);
    creo_arena_init(&arena, creo_allocator_libc());
    creo_error_clear(&error);
    bool done = (data[0] & 0x04) == 0 || security->send(security->context, given, &arena, &given, &error);
    done = done && security->receive(security->context, given, creo_text((data[0] & 0x08) == 0 ? "" : "utf-8"), &arena, &read, &error);
    if (done) {
        PROPERTY(creo_xml_whole(read, creo_text("utf-8"), &arena, &root, &error));
        /* The same answer is no repetition for the next run. */
        creo_wss_free(all[index]);
        all[index] = NULL;
    } else {
        PROPERTY(error.code != CREO_OK && error.code <= CREO_UNTRUSTED_PEER);
        error.code = error.code == CREO_UNTRUSTED_PEER ? CREO_INTERNAL : error.code;
        fuzz_check_error(&error);
    }
    creo_arena_free(&arena);
    free(text);
    return 0;
}
