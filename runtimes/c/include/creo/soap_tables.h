/** SOAP whose bodies are tables: `spec/wires/tdxml.md`. */
#ifndef CREO_SOAP_TABLES_H
#define CREO_SOAP_TABLES_H

#include <creo/soap.h>
#include <creo/tdxml.h>

#ifdef __cplusplus
extern "C" {
#endif

/** From the next call on, the bodies of a SOAP client's envelopes hold tables (TDX-50). */
void creo_soap_use_tables(creo_soap *soap, creo_tdxml_options options);

#ifdef __cplusplus
}
#endif

#endif
