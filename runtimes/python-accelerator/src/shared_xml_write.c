/* Shared with the C runtime: memory that grows, and the names, texts and numbers of its XML writer. */
#include "buffer/distinct.c"
#include "buffer/writer.c"
#include "text/constants.c"
#include "text/text_write.c"
#include "xml/xml_put.c"
