/* Texts for modules that read them by another reader. */
#include "xml_whole.h"

#include "../base/utf8.h"
#include "xml_encoding.h"

bool creo_xml_whole(creo_bytes text, creo_string charset, creo_arena *arena, creo_bytes *root, creo_error *error)
{
    creo_xml xml;
    creo_element element;
    creo_charset told = CREO_CHARSET_NONE;
    if (charset.size != 0 && !creo_charset_named(charset, &told)) {
        /* A byte order mark takes precedence. */
        told = CREO_CHARSET_UTF8;
        if (creo_mark_size(text) == 0) {
            char shown[100];
            creo_text_show(shown, sizeof shown, charset);
            return creo_fail(error, CREO_MALFORMED, "the message is in the encoding %s, which is not known", shown);
        }
    }
    if (!creo_xml_begin(&xml, text, told, CREO_BORROW, arena, NULL, error))
        return false;
    const uint8_t *start = xml.at;
    if (!creo_xml_open(&xml, &element) || !creo_xml_skip(&xml, &element))
        return false;
    *root = creo_bytes_of(start, (size_t)(xml.at - start));
    return creo_xml_finish(&xml);
}
