/* Shared by the tests of the protocol's header blocks. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "server.h"

#define NS "urn:creo:creo.tests.sample"
#define E11 "http://schemas.xmlsoap.org/soap/envelope/"
#define E12 "http://www.w3.org/2003/05/soap-envelope"
#define WSA "http://www.w3.org/2005/08/addressing"
#define WSS "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
#define WSSE WSS "wssecurity-secext-1.0.xsd"
#define WSU WSS "wssecurity-utility-1.0.xsd"
#define RESPONSE "<s:Body><addResponse xmlns='" NS "'><result>3</result></addResponse></s:Body></s:Envelope>"
#define HEADER(version, inside) "<s:Envelope xmlns:s='" version "' xmlns:a='" WSA "' xmlns:wsse='" WSSE "' xmlns:wsu='" WSU "'><s:Header>" inside "</s:Header>"
#define ID "urn:uuid:0d6f4c0e-98c2-4b61-a7b0-5c1c6f4a1f0e"
#define SECURITY "<wsse:Security xmlns:wsse=\"" WSSE "\" xmlns:wsu=\"" WSU "\" soap:mustUnderstand=\"1\">"
#define TIMESTAMP "<wsu:Timestamp><wsu:Created>2026-11-27T18:00:00.000Z</wsu:Created><wsu:Expires>2026-11-27T18:05:00.000Z</wsu:Expires></wsu:Timestamp>"
#define TOKEN(user, inside) "<wsse:UsernameToken><wsse:Username>" user "</wsse:Username>" inside "</wsse:UsernameToken>"
#define TEXT(password) "<wsse:Password Type=\"" WSS "username-token-profile-1.0#PasswordText\">" password "</wsse:Password>"
#define END_SECURITY "</wsse:Security>"
#define OPEN(name) "<wsa:" name " xmlns:wsa=\"" WSA "\">"

#endif
