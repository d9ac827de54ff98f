/* Scalar values as text, the same for XML and tables (XML, section 2). */
#include "text_write.h"

#include "constants.h"
#include "numbers.h"
#include "text_values.h"

#define TEXT_GET(type, from) (*(const type *)(from))

static bool write_enum(creo_writer *writer, const creo_text_enum *type, const void *value, creo_put_text *put)
{
    uint32_t number;
    memcpy(&number, value, sizeof number);
    const creo_text_constant *constant = creo_constant_of_number(type, number);
    if (constant != NULL)
        return put(writer, (creo_string){constant->text, constant->size});
    if (!type->extensible)
        return creo_fail_value(writer->error, "the enum has no constant of this number");
    if (number > INT32_MAX)
        return creo_fail_value(writer->error, "a count is below 2^31");
    char text[CREO_NUMBER_TEXT];
    text[0] = '#';
    return creo_put(writer, text, (size_t)(creo_put_number(text + 1, number) - text));
}

bool creo_put_bytes_text(creo_writer *writer, creo_bytes bytes, bool hex)
{
    if (bytes.size == 0)
        return true;
    if (bytes.data == NULL)
        return creo_fail_value(writer->error, "the pointer to the bytes is NULL");
    if (bytes.size > SIZE_MAX / 4)
        return creo_fail_limit(writer->error, "maxMessageSize", writer->most);
    uint8_t *at = creo_write_block(writer, hex ? bytes.size * 2 : (bytes.size + 2) / 3 * 4);
    if (at == NULL)
        return false;
    (void)(hex ? creo_put_hex((char *)at, bytes) : creo_put_base64((char *)at, bytes));
    return true;
}

/* A number, by way of a separate buffer if the memory is nearly full. */
#define PUT(most, text)                                                                                                                              \
    do {                                                                                                                                             \
        if (CREO_LIKELY(writer->end - writer->at >= (most))) {                                                                                       \
            char *at = (char *)writer->at;                                                                                                           \
            writer->at = (uint8_t *)(text);                                                                                                          \
            return true;                                                                                                                             \
        }                                                                                                                                            \
        char room[most];                                                                                                                             \
        char *at = room;                                                                                                                             \
        size_t size = (size_t)((text) - room);                                                                                                       \
        return creo_put(writer, room, size);                                                                                                         \
    } while (0)

bool creo_put_integer_text(creo_writer *writer, int64_t value)
{
    PUT(CREO_NUMBER_TEXT, creo_put_signed(at, value));
}

bool creo_put_real_text(creo_writer *writer, double value)
{
    PUT(CREO_NUMBER_TEXT, creo_put_real(at, value));
}

bool creo_put_single_text(creo_writer *writer, float value)
{
    PUT(CREO_NUMBER_TEXT, creo_put_single(at, value));
}

bool creo_put_instant_text(creo_writer *writer, creo_datetime value)
{
    if (!creo_datetime_valid(value))
        return creo_fail_value(writer->error, "an instant lies within the years 1 to 9999, with nanoseconds below one second");
    PUT(CREO_DATETIME_TEXT, creo_put_instant(at, value));
}

static bool text_has_space(creo_string text)
{
    for (size_t i = 0; i < text.size; i++)
        if (creo_is_space((uint8_t)text.data[i]))
            return true;
    return text.size == 0;
}

static bool write_list(creo_writer *writer, const creo_text_field *item, const void *value, creo_put_text *put);

/* The text of a value that has one. */
bool creo_put_scalar(creo_writer *writer, const creo_text_field *field, const void *value, creo_put_text *put)
{
    switch ((creo_text_kind)field->kind) {
    case CREO_TEXT_BOOLEAN:
        return TEXT_GET(bool, value) ? creo_put(writer, "true", 4) : creo_put(writer, "false", 5);
    case CREO_TEXT_BYTE:
        return creo_put_integer_text(writer, TEXT_GET(int8_t, value));
    case CREO_TEXT_SHORT:
        return creo_put_integer_text(writer, TEXT_GET(int16_t, value));
    case CREO_TEXT_CHAR:
        return creo_put_integer_text(writer, TEXT_GET(uint16_t, value));
    case CREO_TEXT_INT:
        return creo_put_integer_text(writer, TEXT_GET(int32_t, value));
    case CREO_TEXT_LONG:
        return creo_put_integer_text(writer, TEXT_GET(int64_t, value));
    case CREO_TEXT_FLOAT:
        return creo_put_single_text(writer, TEXT_GET(float, value));
    case CREO_TEXT_DOUBLE:
        return creo_put_real_text(writer, TEXT_GET(double, value));
    case CREO_TEXT_STRING:
    case CREO_TEXT_TOKEN:
    case CREO_TEXT_QNAME:
        return put(writer, TEXT_GET(creo_string, value));
    case CREO_TEXT_DATETIME:
        return creo_put_instant_text(writer, TEXT_GET(creo_datetime, value));
    case CREO_TEXT_DECIMAL:
        if (!creo_decimal_valid(TEXT_GET(creo_decimal, value)))
            return creo_fail_value(writer->error, "a decimal is in canonical form and has at most 1,000 digits");
        return creo_put(writer, TEXT_GET(creo_decimal, value).data, TEXT_GET(creo_decimal, value).size);
    case CREO_TEXT_BYTES:
        return creo_put_bytes_text(writer, TEXT_GET(creo_bytes, value), false);
    case CREO_TEXT_HEX:
        return creo_put_bytes_text(writer, TEXT_GET(creo_bytes, value), true);
    case CREO_TEXT_ENUM:
        return write_enum(writer, (const creo_text_enum *)field->type, value, put);
    case CREO_TEXT_LIST:
        return write_list(writer, (const creo_text_field *)field->type, value, put);
    case CREO_TEXT_RAW:
    case CREO_TEXT_RECORD:
    case CREO_TEXT_UNION:
    case CREO_TEXT_REPEATED:
    case CREO_TEXT_WRAPPED:
    case CREO_TEXT_MAP:
    case CREO_TEXT_ATTRIBUTES:
        break;
    }
    return creo_fail_value(writer->error, "the value has no text of its own");
}

static bool write_list(creo_writer *writer, const creo_text_field *item, const void *value, creo_put_text *put)
{
    creo_list items = creo_list_at(value);
    if (!creo_check_list(writer, &items))
        return false;
    for (size_t i = 0; i < items.count; i++) {
        const void *one = items.items + i * item->size;
        if (i != 0 && !creo_put(writer, " ", 1))
            return false;
        size_t before = creo_writer_size(writer);
        if ((item->kind == CREO_TEXT_STRING || item->kind == CREO_TEXT_TOKEN || item->kind == CREO_TEXT_QNAME) && text_has_space(TEXT_GET(creo_string, one))) {
            (void)creo_fail_value(writer->error, "an item of a list has characters, and no white space");
            return creo_at_index(writer->error, i);
        }
        if (!creo_put_scalar(writer, item, one, put))
            return creo_at_index(writer->error, i);
        if (creo_writer_size(writer) == before) {
            (void)creo_fail_value(writer->error, "an item of a list has characters, and no white space");
            return creo_at_index(writer->error, i);
        }
    }
    return true;
}
