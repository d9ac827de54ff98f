/* Shared with the C runtime: the escapes of tables. */
#include "tdxml/tdxml_text.c"
