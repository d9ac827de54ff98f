/* Whatever message of AMQP a broker delivers, reading it gives texts and a body within its bytes, or an error. */
#include "fuzz_text.h"

#include "jms/jms_parts.h"

static void check_within(const uint8_t *data, size_t size, const void *part, size_t part_size)
{
    const uint8_t *at = (const uint8_t *)part;
    PROPERTY(part_size <= size && (part_size == 0 || (at >= data && at <= data + (size - part_size))));
}

static void check_text(const uint8_t *data, size_t size, creo_string text)
{
    check_within(data, size, text.data, text.size);
    PROPERTY(text.size == 0 || creo_utf8_valid(text.data, text.size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    creo_limits limits = creo_limits_default();
    creo_jms_message message;
    creo_error error;
    uint8_t *bytes = fuzz_exact(data, size);
    creo_string correlation = creo_jms_correlation(creo_bytes_of(bytes, size));
    check_within(bytes, size, correlation.data, correlation.size);
    limits.max_message_size = 1024;
    limits.max_header_size = 512;
    creo_error_clear(&error);
    if (creo_jms_read_message(bytes, size, &limits, &message, &error)) {
        const creo_string texts[] = {message.version, message.content_type, message.encoding, message.kind, message.run, message.item, message.request_uri};
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
            check_text(bytes, size, texts[i]);
        for (size_t i = 0; i < message.metadata_count && i < CREO_MAX_METADATA_PAIRS; i++) {
            check_text(bytes, size, message.metadata[i].key);
            check_text(bytes, size, message.metadata[i].value);
        }
        PROPERTY(message.body.size <= limits.max_message_size);
        check_within(bytes, size, message.body.data, message.body.size);
    } else {
        fuzz_check_error(&error);
    }
    free(bytes);
    return 0;
}
