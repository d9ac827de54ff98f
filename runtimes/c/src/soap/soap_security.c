/* User tokens and timestamps (SOAP-50 to SOAP-52). */
#include "../text/text_values.h"
#include "soap_blocks.h"
#include "sha1.h"

#define WSS "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
#define WSSE WSS "wssecurity-secext-1.0.xsd"
#define WSU WSS "wssecurity-utility-1.0.xsd"
#define WSSE11 "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd"
#define PASSWORD_TYPE WSS "username-token-profile-1.0#Password"
#define BASE64_TYPE WSS "soap-message-security-1.0#Base64Binary"

/* SOAP-51 */
#define MAX_SECRET 1024

/* The lifetime of a request, and the max difference between two clocks, in seconds. */
#define LIFETIME 300

static bool security_put(creo_xml_out *out, const char *text)
{
    return creo_xml_put(out, text, strlen(text));
}

/* Whether a user or password can be written. The error does not show it. */
static bool check_secret(const char *text, const char *what, creo_error *error)
{
    const uint8_t *from = (const uint8_t *)text;
    size_t size = text == NULL ? 0 : strlen(text);
    size_t characters = 0;
    for (size_t i = 0; i < size; i++)
        characters += (from[i] & 0xC0) != 0x80;
    if (characters == 0 || characters > MAX_SECRET || creo_xml_scan(from, from + size) != from + size)
        return creo_fail(error, CREO_INVALID_VALUE, "the %s of a token is 1 to %d characters of XML", what, MAX_SECRET);
    return true;
}

/* An instant with milliseconds. */
static bool make_time(creo_datetime time, char text[CREO_DATETIME_TEXT], creo_error *error)
{
    unsigned milliseconds = time.nanoseconds / 1000000;
    time.nanoseconds = 0;
    size_t size = creo_datetime_format(time, text);
    if (size == 0)
        return creo_fail(error, CREO_INTERNAL, "this system's clock does not say the time of day");
    text[size - 1] = '.';
    text[size] = (char)('0' + milliseconds / 100);
    text[size + 1] = (char)('0' + milliseconds / 10 % 10);
    text[size + 2] = (char)('0' + milliseconds % 10);
    text[size + 3] = 'Z';
    text[size + 4] = 0;
    return true;
}

static bool put_timestamp(creo_xml_out *out, creo_datetime now, const char *created)
{
    char expires[CREO_DATETIME_TEXT];
    creo_datetime then = {now.seconds + LIFETIME, now.nanoseconds};
    return make_time(then, expires, out->writer->error) && security_put(out, "<wsu:Timestamp><wsu:Created>") && security_put(out, created) &&
           security_put(out, "</wsu:Created><wsu:Expires>") && security_put(out, expires) && security_put(out, "</wsu:Expires></wsu:Timestamp>");
}

static bool security_put_base64(creo_xml_out *out, const uint8_t *bytes, size_t size)
{
    char text[32];
    char *end = creo_put_base64(text, creo_bytes_of(bytes, size));
    return creo_xml_put(out, text, (size_t)(end - text));
}

static bool put_digest(creo_xml_out *out, const creo_soap *soap, const char *created, const uint8_t nonce[CREO_NONCE_SIZE])
{
    uint8_t digest[CREO_SHA1_SIZE];
    const creo_bytes parts[] = {creo_bytes_of(nonce, CREO_NONCE_SIZE), creo_bytes_of(created, strlen(created)), creo_bytes_of(soap->password, strlen(soap->password))};
    creo_sha1(parts, 3, digest);
    return security_put(out, "<wsse:Password Type=\"" PASSWORD_TYPE "Digest\">") && security_put_base64(out, digest, sizeof digest) &&
           security_put(out, "</wsse:Password><wsse:Nonce EncodingType=\"" BASE64_TYPE "\">") && security_put_base64(out, nonce, CREO_NONCE_SIZE) &&
           security_put(out, "</wsse:Nonce><wsu:Created>") && security_put(out, created) && security_put(out, "</wsu:Created>");
}

static bool put_password(creo_xml_out *out, const creo_soap *soap)
{
    return security_put(out, "<wsse:Password Type=\"" PASSWORD_TYPE "Text\">") && creo_xml_put_content(out->writer, creo_text(soap->password)) &&
           security_put(out, "</wsse:Password>");
}

static bool put_token(creo_xml_out *out, const creo_soap *soap, const char *created, const uint8_t nonce[CREO_NONCE_SIZE])
{
    creo_writer *writer = out->writer;
    return check_secret(soap->user, "user", writer->error) && check_secret(soap->password, "password", writer->error) &&
           security_put(out, "<wsse:UsernameToken><wsse:Username>") && creo_xml_put_content(writer, creo_text(soap->user)) && security_put(out, "</wsse:Username>") &&
           (soap->digest ? put_digest(out, soap, created, nonce) : put_password(out, soap)) && security_put(out, "</wsse:UsernameToken>");
}

bool creo_soap_put_security(creo_xml_out *out, const creo_soap *soap, creo_datetime now, const uint8_t nonce[CREO_NONCE_SIZE])
{
    bool token = soap->user != NULL || soap->password != NULL;
    char created[CREO_DATETIME_TEXT];
    return make_time(now, created, out->writer->error) &&
           security_put(out, "<wsse:Security xmlns:wsse=\"" WSSE "\" xmlns:wsu=\"" WSU "\" soap:mustUnderstand=\"1\">") &&
           (!soap->timestamp || put_timestamp(out, now, created)) && (!token || put_token(out, soap, created, nonce)) && security_put(out, "</wsse:Security>");
}

/*
 * Answers.
 */

static bool security_is(const creo_xml *xml, const char *space, const char *local)
{
    return creo_string_is(xml->tag_local, local) && creo_string_is(xml->tag_uri, space);
}

bool creo_soap_is_security(const creo_xml *xml)
{
    return security_is(xml, WSSE, "Security");
}

/* Whether an instant is later than another by more than the max difference of clocks. */
static bool is_much_later(creo_datetime instant, creo_datetime other)
{
    int64_t seconds = instant.seconds - other.seconds;
    return seconds > LIFETIME || (seconds == LIFETIME && instant.nanoseconds > other.nanoseconds);
}

/* The text of an element is an instant; `problem` is set if it is wrong. */
static bool read_time(creo_xml *xml, const creo_element *element, bool expires, creo_datetime now, creo_soap_seen *found)
{
    creo_string text;
    creo_datetime time;
    if (!creo_xml_words(xml, element, &text))
        return false;
    if (found->problem != NULL)
        return true;
    if (creo_parse_datetime(creo_trim(text), &time) != NULL) {
        found->problem = "the Timestamp of the answer holds what is no instant";
        found->code = CREO_MALFORMED;
    } else if (expires ? is_much_later(now, time) : is_much_later(time, now)) {
        found->problem = expires ? "the Timestamp of the answer expired more than five minutes ago" : "the Timestamp of the answer was created more than five minutes in the future";
        found->code = CREO_PROTOCOL_MISMATCH;
    }
    return true;
}

static bool read_timestamp(creo_xml *xml, const creo_element *timestamp, creo_datetime now, creo_soap_seen *found)
{
    bool closed;
    if (!creo_xml_within(xml, timestamp, &closed))
        return false;
    while (!closed) {
        creo_element part;
        if (!creo_xml_open(xml, &part))
            return false;
        bool expires = security_is(xml, WSU, "Expires");
        bool time = expires || security_is(xml, WSU, "Created");
        if (!(time ? read_time(xml, &part, expires, now, found) : creo_xml_skip(xml, &part)) || !creo_xml_within(xml, timestamp, &closed))
            return false;
    }
    return true;
}

bool creo_soap_read_security(creo_xml *xml, const creo_element *block, creo_datetime now, bool *understood, creo_soap_seen *seen)
{
    creo_soap_seen found;
    bool closed;
    memset(&found, 0, sizeof found);
    *understood = true;
    if (!creo_xml_within(xml, block, &closed))
        return false;
    while (!closed) {
        creo_element child;
        if (!creo_xml_open(xml, &child))
            return false;
        bool timestamp = security_is(xml, WSU, "Timestamp");
        if (!timestamp && !security_is(xml, WSSE, "UsernameToken") &&
            (!security_is(xml, WSSE11, "SignatureConfirmation") || creo_xml_attribute(xml, "", "Value") != NULL))
            *understood = false;
        if (!(timestamp ? read_timestamp(xml, &child, now, &found) : creo_xml_skip(xml, &child)) || !creo_xml_within(xml, block, &closed))
            return false;
    }
    /* A block that is not understood has no meaning. */
    if (*understood && seen->problem == NULL) {
        seen->problem = found.problem;
        seen->code = found.code;
    }
    return true;
}
