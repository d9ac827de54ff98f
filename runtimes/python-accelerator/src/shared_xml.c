/* Shared with the C runtime: the reader of XML's tags, texts and namespaces. */
#include "base/error.c"
#include "buffer/arena.c"
#include "xml/xml_chars.c"
#include "xml/xml_reader.c"
#include "xml/xml_scope.c"
#include "xml/xml_tags.c"

/* Messages, and what lenient reading does, are left to Python. */
void creo_xml_hint(const creo_xml *xml, creo_xml_leniency hint) {
    (void)xml, (void)hint;
}

bool creo_xml_skip_instruction(creo_xml *xml) {
    (void)xml;
    return false;
}
