/* Texts in the columns of tables. Not part of the API. */
#ifndef CREO_SRC_TDXML_TEXT_H
#define CREO_SRC_TDXML_TEXT_H

#include "../base/internal.h"

#include <creo/writer.h>

/* TDX-12, except for `~` at the start. */
CREO_PRIVATE bool creo_tdxml_put_text(creo_writer *writer, creo_string text);

/* Escapes `~` at the start of the column that begins at the byte `from` and ends here. */
CREO_PRIVATE bool creo_tdxml_escape_first(creo_writer *writer, size_t from);

#endif
