/*
 * A client over HTTP survives any bytes of a service, in pieces of any size: every call ends, with an outcome or an error whose texts are clean, and takes memory
 * in proportion to what arrived.
 */
#include "fuzz_script.h"
#include "fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    creo_soap soap;
    creo_error error;
    size_t sent = size == 0 ? 0 : size - 1;
    uint8_t *service = fuzz_exact(size == 0 ? data : data + 1, sent);
    script bytes = {service, service + sent, 0};
    creo_io io = {&bytes, open_script, read_script, write_script, close_script, NULL};
    /* A broken connection is opened again, at a port on which nothing listens. */
    PROPERTY(creo_soap_init(&soap, "http://127.0.0.1:1/Sample", &sample_sample_text, creo_allocator_libc(), &error));
    creo_client *client = &soap.client;
    creo_client_use_io(client, io);
    client->limits.max_message_size = 32768;
    client->limits.trusted_allocation = 64;
    soap.mtom = size > 0 && (data[0] & 1) != 0;
    soap.version = size > 0 && (data[0] & 2) != 0 ? CREO_SOAP_1_2 : CREO_SOAP_1_1;
    connect_script(client);

    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    if (size > 0 && (data[0] & 4) != 0)
        arena.most = 4200;
    for (int calls = 0; calls < 4 && client->open; calls++) {
        bool done;
        bytes.allowed = 0;
        creo_error_clear(&error);
        if (calls % 2 == 0) {
            int64_t sum;
            done = sample_sample_add(client, 1, 2, &arena, &sum, &error);
        } else {
            sample_everything value;
            sample_everything_init(&value);
            sample_sample_everything_outcome outcome;
            done = sample_sample_everything(client, &value, &arena, &outcome, &error);
        }
        if (!done) {
            fuzz_check_error(&error);
            fuzz_check_details(&error);
        }
        fuzz_check_memory(&arena, sent);
        creo_arena_free(&arena);
        fuzz_check_answer(creo_client_answer(client));
    }
    creo_soap_free(&soap);
    creo_arena_free(&arena);
    free(service);
    return 0;
}
