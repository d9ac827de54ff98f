/** SOAP whose bodies are tables: `spec/wires/tdxml.md`. */
#ifndef CREO_SOAP_TABLES_H
#define CREO_SOAP_TABLES_H

#include <creo/soap.h>
#include <creo/tdxml.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes the bodies of a SOAP client's envelopes tables, from the next call on (TDX-50). */
void creo_soap_use_tables(creo_soap *soap, creo_tdxml_options options);

#ifdef __cplusplus
}
#endif

#endif
