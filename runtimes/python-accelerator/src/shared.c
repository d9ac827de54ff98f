/* Shared with the C runtime: numbers, instants and bytes as text, and back. */
#include "base/utf8.c"
#include "base/values.c"
#include "text/number_parse.c"
#include "text/number_text.c"
#include "text/powers.c"
#include "text/text_chars.c"
#include "text/text_values.c"
