/**
 * Creo for C: values, the wires and calls. Programs and generated code include this header, and those of used modules, such as <creo/jms.h>.
 *
 * It needs only C11 and POSIX. The library has no global state. It takes memory only from the caller's arenas, which use an allocator or memory of
 * the caller. Every function that can fail returns false and fills in a `creo_error`.
 */
#ifndef CREO_CREO_H
#define CREO_CREO_H

#include <creo/addresses.h>
#include <creo/arena.h>
#include <creo/channel.h>
#include <creo/client.h>
#include <creo/codegen/descriptor.h>
#include <creo/codegen/lines.h>
#include <creo/codegen/method.h>
#include <creo/codegen/path.h>
#include <creo/codegen/read.h>
#include <creo/codegen/write.h>
#include <creo/error.h>
#include <creo/http.h>
#include <creo/json.h>
#include <creo/limits.h>
#include <creo/reader.h>
#include <creo/retries.h>
#include <creo/soap.h>
#include <creo/soap_tables.h>
#include <creo/stream.h>
#include <creo/tdxml.h>
#include <creo/types.h>
#include <creo/version.h>
#include <creo/writer.h>
#include <creo/xml.h>

#endif
