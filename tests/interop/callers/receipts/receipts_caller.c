/*
 * A client by gSOAP calls a service whose answers have several elements in the body: a structure without an element of its own has them.
 *
 *     receipts_caller ADDRESS
 *
 * Prints `ok NAME` or `FAIL NAME: reason` for each case.
 */
#include "soapH.h"
#include "ReceiptsSoap11.nsmap"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *address;
static bool all_good = true;

static bool is(const char *wanted, const char *got)
{
    return wanted && got ? strcmp(wanted, got) == 0 : wanted == got;
}

static bool put(struct soap *soap, int count, const char *warning)
{
    struct ns1__Item entry = {.sku = "a<b", .count = count};
    struct __ns1__putResponse got = {0};
    return soap_call___ns1__put(soap, address, NULL, &entry, &got) == SOAP_OK && got.ns1__Number == (1LL << 40) + count && got.ns1__Left
        && is("a<b", got.ns1__Left->sku) && got.ns1__Left->count == count + 100 && is(warning, got.ns1__Warning);
}

static bool put_text(struct soap *soap)
{
    return put(soap, 20, "many & <more>");
}

static bool put_nil(struct soap *soap)
{
    return put(soap, 1, NULL);
}

static bool settle(struct soap *soap)
{
    struct __ns1__settleResponse got = {0};
    return soap_call___ns1__settle(soap, address, NULL, "2026-11-29", &got) == SOAP_OK && got.ns1__Left && is("all", got.ns1__Left->sku) && got.ns1__Left->count == 0
        && got.ns1__Number == 10 && soap->header && is("of 2026-11-29", soap->header->ns1__Session);
}

static void run(const char *name, bool (*it)(struct soap *soap))
{
    struct soap *soap = soap_new1(SOAP_C_UTFSTRING | SOAP_XML_TREE);
    char reason[1000] = "another answer";
    soap->connect_timeout = soap->send_timeout = soap->recv_timeout = 30;
    bool good = it(soap);
    if (!good && soap->error)
        soap_sprint_fault(soap, reason, sizeof reason);
    for (char *at = reason; *at; at++)
        *at = *at == '\n' ? ' ' : *at;
    printf(good ? "ok %s\n" : "FAIL %s: %s\n", name, reason);
    all_good = all_good && good;
    soap_destroy(soap);
    soap_end(soap);
    soap_free(soap);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    address = argv[1];
    run("put", put_text);
    run("put-nil", put_nil);
    run("settle", settle);
    return all_good ? 0 : 1;
}
