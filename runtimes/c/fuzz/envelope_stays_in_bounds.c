/*
 * Whatever an envelope holds, a fault, a response or a table, reading it gives an outcome whose parts are all set, or an error whose texts are clean.
 */
#include "fuzz_text.h"

#include "soap/soap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const creo_text_method *method = &sample_sample_text.methods[(data[0] & 0x0F) % sample_sample_text.method_count];
    /* With tables in the body, or without. */
    creo_soap soap;
    memset(&soap, 0, sizeof soap);
    creo_soap_use_tables(&soap, (creo_tdxml_options){CREO_TDXML_RECORD, false});
    const struct creo_soap_tables *tables = (data[0] & 0x20) != 0 ? soap.tables : NULL;
    /* As the answer to a request with an id and a token, or without; leniently, or not. */
    static const char *const understood[] = {"{urn:h}Trace", "Trace", NULL};
    const creo_soap_due due = {"urn:uuid:0d6f4c0e-98c2-4b61-a7b0-5c1c6f4a1f0e", true, {1795802400, 0}, data[0] >= 0xC0, understood};
    creo_charset charset = (creo_charset)(data[0] / 64 % 3);
    size_t text_size = size - 1;
    uint8_t *text = fuzz_exact(data + 1, text_size);
    size_t outcome_size = method->response.record.size > sizeof(sample_sample_everything_outcome) ? method->response.record.size : sizeof(sample_sample_everything_outcome);
    void *outcome = malloc(outcome_size);
    creo_arena arena;
    creo_error error;
    PROPERTY(outcome != NULL);
    creo_arena_init(&arena, creo_allocator_libc());
    creo_error_clear(&error);
    creo_soap_end end = creo_soap_read(method, creo_bytes_of(text, text_size), charset, NULL, 0, 0, tables, (data[0] & 0x10) != 0 ? &due : NULL, &arena, NULL, outcome, &error);
    if (end == CREO_SOAP_OUTCOME) {
        uint32_t kind = 0;
        if (method->exception_count != 0)
            memcpy(&kind, (uint8_t *)outcome + method->kind, sizeof kind);
        PROPERTY(kind <= method->exception_count);
        /* The methods with exceptions of the sample give Everything, NotFound or Refused. */
        if (method->exception_count != 0) {
            static const creo_text_root *const roots[] = {&sample_everything_xml, &sample_not_found_xml, &sample_refused_xml};
            sample_sample_everything_outcome *got = (sample_sample_everything_outcome *)outcome;
            creo_bytes xml;
            PROPERTY(creo_xml_to_bytes(roots[kind], &got->as, &arena, &xml, &error));
        }
    } else {
        fuzz_check_error(&error);
        fuzz_check_details(&error);
        PROPERTY(error.from_peer == (end == CREO_SOAP_FAULT));
    }
    fuzz_check_memory(&arena, text_size);
    free(outcome);
    free(text);
    creo_arena_free(&arena);
    return 0;
}
