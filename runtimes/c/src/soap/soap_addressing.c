/* WS-Addressing (SOAP-40 to SOAP-42). */
#include "../http/fresh.h"
#include "soap_blocks.h"

bool creo_soap_new_id(char id[CREO_SOAP_ID_SIZE], creo_error *error)
{
    static const char digits[] = "0123456789abcdef";
    static const char begin[] = "urn:uuid:";
    uint8_t bytes[16];
    if (!creo_random(bytes, sizeof bytes, error))
        return false;
    /* RFC 9562: version 4, and the variant. */
    bytes[6] = (uint8_t)((bytes[6] & 0x0F) | 0x40);
    bytes[8] = (uint8_t)((bytes[8] & 0x3F) | 0x80);
    memcpy(id, begin, sizeof begin - 1);
    char *at = id + sizeof begin - 1;
    for (size_t i = 0; i < sizeof bytes; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *at++ = '-';
        *at++ = digits[bytes[i] >> 4];
        *at++ = digits[bytes[i] & 15];
    }
    *at = 0;
    return true;
}

static bool addressing_put(creo_xml_out *out, const char *text)
{
    return creo_xml_put(out, text, strlen(text));
}

static bool addressing_open(creo_xml_out *out, const char *name)
{
    return addressing_put(out, "<wsa:") && addressing_put(out, name) && addressing_put(out, " xmlns:wsa=\"" CREO_WSA "\">");
}

static bool addressing_close(creo_xml_out *out, const char *name)
{
    return addressing_put(out, "</wsa:") && addressing_put(out, name) && addressing_put(out, ">");
}

static bool addressing_text(creo_xml_out *out, const char *text)
{
    return creo_xml_put_content(out->writer, creo_text(text));
}

bool creo_soap_put_addressing(creo_xml_out *out, const creo_http_place *place, const creo_text_method *text, const char *id)
{
    bool oneway = text->response.element.local == NULL;
    return addressing_open(out, "Action") && addressing_text(out, text->action) && addressing_close(out, "Action") && addressing_open(out, "MessageID") &&
           addressing_text(out, id) && addressing_close(out, "MessageID") && addressing_open(out, "ReplyTo") && addressing_put(out, "<wsa:Address>") &&
           addressing_put(out, oneway ? CREO_WSA "/none" : CREO_WSA "/anonymous") && addressing_put(out, "</wsa:Address>") && addressing_close(out, "ReplyTo") &&
           addressing_open(out, "To") && addressing_put(out, place->tls ? "https://" : "http://") && addressing_text(out, place->host_header) &&
           addressing_text(out, place->path) && addressing_close(out, "To");
}

bool creo_soap_read_addressing(creo_xml *xml, const creo_element *block, const creo_soap_due *due, creo_soap_seen *seen)
{
    const creo_attribute *type = creo_xml_attribute(xml, "", "RelationshipType");
    bool reply = type == NULL || creo_string_is(creo_trim(type->value), CREO_WSA "/reply");
    if (due == NULL || due->message_id == NULL || !reply || !creo_string_is(xml->tag_local, "RelatesTo"))
        return creo_xml_skip(xml, block);
    creo_string id;
    if (!creo_xml_words(xml, block, &id))
        return false;
    id = creo_trim(id);
    if (seen->replies_to.data == NULL)
        seen->replies_to = id;
    seen->replies = seen->replies || creo_string_is(id, due->message_id);
    return true;
}
