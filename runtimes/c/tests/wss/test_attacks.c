/*
 * Messages of attackers: each is refused, with the reason that SOAP-90 names. `runtimes/java-wss` runs the table of its own attacks, which are changes of
 * trees, against this module as well.
 */
#define _POSIX_C_SOURCE 200809L

#include "secured.h"

#define EVIL_OF(attributes) "<soap:Body" attributes "><n:say xmlns:n=\"urn:n\"><n:text>evil</n:text></n:say></soap:Body>"
#define EVIL EVIL_OF("")
#define WRAP(what) "<x:wrap xmlns:x=\"urn:x\">" what "</x:wrap>"
#define END "</soap:Header>"
#define FRESH "<wsu:Timestamp xmlns:wsu=\"" WSU "\"><wsu:Created>2100-01-01T00:00:00Z</wsu:Created></wsu:Timestamp>"
#define SHA256 "http://www.w3.org/2001/04/xmlenc#sha256"
#define TRANSFORM "<ds:Transform Algorithm=\"" EXCLUSIVE "\">"
#define STR "<s:SecurityTokenReference xmlns:s=\"" WSSE "\">"
#define STR_END "</s:SecurityTokenReference>"
#define X509 "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#"
#define MESSAGE_11 "http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#"

/*
 * A change: what is replaced, everywhere, by what; and once more. `$B` is the signed body, `$T` the timestamp, `$S` the signature, `$K` the block, `$F` what
 * KeyInfo holds, `$C` the certificate, `$I` and `$i` are the ids of body and timestamp.
 */
typedef struct attack {
    const char *name;
    const char *reason;
    const char *from;
    const char *to;
    const char *also_from;
    const char *also_to;
} attack;

static const attack attacks[] = {
    /* Signature wrapping: what is signed is moved, and something else is at its place. */
    {"body in a block of the header", "misplaced", "$B", EVIL, END, WRAP("$B") END},
    {"body as a block of the header", "not-signed", "$B", EVIL, END, "$B" END},
    {"body in the Security block", "token", "$B", EVIL, "</wsse:Security>", "$B</wsse:Security>"},
    {"body in the body of another", "misplaced", "$B", "<soap:Body>$B</soap:Body>", NULL, NULL},
    {"body in an Object of the signature", "unreadable", "$B", EVIL, "</ds:Signature>", "<ds:Object>$B</ds:Object></ds:Signature>"},
    {"body in KeyInfo", "key-reference", "$B", EVIL, "</ds:KeyInfo>", "$B</ds:KeyInfo>"},
    {"body in SignedInfo", "unreadable", "$B", EVIL, "</ds:SignedInfo>", "$B</ds:SignedInfo>"},
    {"two bodies, the signed one first", "misplaced", "$B", "$B" EVIL, NULL, NULL},
    {"two bodies, the signed one last", "misplaced", "$B", EVIL "$B", NULL, NULL},
    {"body after the body, in another element", "misplaced", "$B", EVIL WRAP("$B"), NULL, NULL},
    {"a header after the body", "misplaced", "$B", "$B<soap:Header></soap:Header>", NULL, NULL},
    {"another body with the same wsu:Id", "duplicate-id", "$B", EVIL_OF(" xmlns:wsu=\"" WSU "\" wsu:Id=\"$I\""), END, WRAP("$B") END},
    {"another body with the same ID", "duplicate-id", "$B", EVIL_OF(" ID=\"$I\""), END, WRAP("$B") END},
    {"another body with the same AssertionID", "duplicate-id", "$B", EVIL_OF(" aSSERTIONid=\"$I\""), END, WRAP("$B") END},
    {"another body with the same id in a namespace", "duplicate-id", "$B", EVIL_OF(" xmlns:x=\"urn:x\" x:iD=\"$I\""), END, WRAP("$B") END},
    {"an element within the body with the id of the timestamp", "duplicate-id", "<n:say ", "<n:say xml:id=\"$i\" ", NULL, NULL},
    {"an id with a reference to a character", "duplicate-id", "<n:say ", "<n:say Id=\"&#x63;reo-1-x\" ", "$I", "creo-1-x"},
    {"an old timestamp in a block, and a new one", "misplaced", "$T", FRESH, END, WRAP("$T") END},
    {"an old timestamp beside a new one", "token", "$T", FRESH "$T", NULL, NULL},
    {"a second Security block", "security-blocks", END, "<wsse:Security xmlns:wsse=\"" WSSE "\"/>" END, NULL, NULL},
    {"the Security block for another receiver", "no-security", "<wsse:Security ", "<wsse:Security soap:actor=\"urn:a\" ", NULL, NULL},
    {"a second signature", "token", "$S", "$S$S", NULL, NULL},

    {"no Security block", "no-security", "$K", "", NULL, NULL},
    {"no header", "no-security", "<soap:Header>$K</soap:Header>", "", NULL, NULL},
    {"no signature", "not-signed", "$S", "", NULL, NULL},
    {"no timestamp", "unknown-id", "$T", "", NULL, NULL},
    {"a token of a user is added", "not-signed", "$T", "$T<wsse:UsernameToken><wsse:Username>root</wsse:Username></wsse:UsernameToken>", NULL, NULL},
    {"an assertion is added", "not-signed", "$T", "$T<a:Assertion xmlns:a=\"urn:oasis:names:tc:SAML:2.0:assertion\"/>", NULL, NULL},
    {"a block that must be signed is added", "not-signed", END, "<a:To xmlns:a=\"" ADDRESSING "\">urn:evil</a:To>" END, NULL, NULL},
    {"an unknown token", "token", "$T", "$T<x:Token xmlns:x=\"urn:x\"/>", NULL, NULL},

    {"the text of the body", "bad-digest", "Gr\xC3", "gr\xC3", NULL, NULL},
    {"an element of the body", "bad-digest", "<n:text>", "<n:text/><n:text>", NULL, NULL},
    {"an instruction in the body", "malformed", "<n:text>", "<n:text><?x y?>", NULL, NULL},
    {"an attribute of the body", "bad-digest", "<n:text>", "<n:text x=\"1\">", NULL, NULL},
    {"white space in the body", "bad-digest", "<n:text>", " <n:text>", NULL, NULL},
    {"the namespace of the body's content", "bad-digest", "\"urn:n\"", "\"urn:m\"", NULL, NULL},
    {"the time at which the message expires", "bad-digest", "<wsu:Expires>2", "<wsu:Expires>3", NULL, NULL},
    {"a digest", "bad-signature", "<ds:DigestValue>", "<ds:DigestValue>AAAA", NULL, NULL},
    {"the signature", "bad-signature", "<ds:SignatureValue>", "<ds:SignatureValue>AAAA", NULL, NULL},
    {"a signature that is not base64", "unreadable", "<ds:SignatureValue>", "<ds:SignatureValue>!", NULL, NULL},
    {"a signature in parts", "unreadable", "<ds:SignatureValue>", "<ds:SignatureValue><x/>", NULL, NULL},
    {"the certificate of another", "untrusted", "$C", "$M", NULL, NULL},
    {"the certificate of another that is trusted", "bad-signature", "$C", "$O", NULL, NULL},

    {"rsa-sha1", "algorithm", MORE "rsa-sha256", DSIG "rsa-sha1", NULL, NULL},
    {"HMAC with the public key as its secret", "algorithm", MORE "rsa-sha256", MORE "hmac-sha256", NULL, NULL},
    {"a length of HMAC", "unreadable", "rsa-sha256\">", "rsa-sha256\"><ds:HMACOutputLength>8</ds:HMACOutputLength>", NULL, NULL},
    {"a signature of another kind of key", "algorithm", MORE "rsa-sha256", MORE "ecdsa-sha256", NULL, NULL},
    {"an unknown algorithm", "algorithm", MORE "rsa-sha256", "urn:none", NULL, NULL},
    {"a digest as the signature", "algorithm", MORE "rsa-sha256", SHA256, NULL, NULL},
    {"digests of SHA-1", "algorithm", SHA256, DSIG "sha1", NULL, NULL},
    {"digests of MD5", "algorithm", SHA256, MORE "md5", NULL, NULL},
    {"inclusive canonicalization of the signature", "algorithm", "CanonicalizationMethod Algorithm=\"" EXCLUSIVE, "CanonicalizationMethod Algorithm=\"http://www.w3.org/TR/2001/REC-xml-c14n-20010315", NULL, NULL},
    {"canonicalization with comments", "transform", TRANSFORM, "<ds:Transform Algorithm=\"" EXCLUSIVE "WithComments\">", NULL, NULL},
    {"an XPath", "transform", TRANSFORM, "<ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xpath-19991116\">", NULL, NULL},
    {"an XSLT", "transform", TRANSFORM, "<ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xslt-19991116\">", NULL, NULL},
    {"an enveloped signature", "transform", TRANSFORM, "<ds:Transform Algorithm=\"" DSIG "enveloped-signature\">", NULL, NULL},
    {"a second transform", "transform", "<ds:Transforms>", "<ds:Transforms><ds:Transform Algorithm=\"" EXCLUSIVE "\"></ds:Transform>", NULL, NULL},
    {"no transform", "transform", TRANSFORM, "<!--", "</ds:Transform>", "-->"},
    {"something else in a transform", "unreadable", "ec:InclusiveNamespaces", "ec:Other", NULL, NULL},
    {"the transform of references to tokens", "transform", TRANSFORM, "<ds:Transform Algorithm=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#STR-Transform\">", NULL, NULL},

    {"a reference to nothing", "reference", "URI=\"#$I\"", "", NULL, NULL},
    {"a reference to all", "reference", "URI=\"#$I\"", "URI=\"\"", NULL, NULL},
    {"a reference to an empty id", "reference", "URI=\"#$I\"", "URI=\"#\"", NULL, NULL},
    {"a reference to a URL", "reference", "URI=\"#$I\"", "URI=\"http://127.0.0.1:1/x\"", NULL, NULL},
    {"a reference to a file", "reference", "URI=\"#$I\"", "URI=\"file:///etc/passwd\"", NULL, NULL},
    {"a reference to an attachment", "reference", "URI=\"#$I\"", "URI=\"cid:x\"", NULL, NULL},
    {"a reference by XPointer", "reference", "URI=\"#$I\"", "URI=\"#xpointer(id('$I'))\"", NULL, NULL},
    {"a reference to an id that is not there", "unknown-id", "URI=\"#$I\"", "URI=\"#none\"", NULL, NULL},
    {"two references to one element", "misplaced", "URI=\"#$I\"", "URI=\"#$i\"", NULL, NULL},

    {"a bare key", "key-reference", "$F", "<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>AQAB</ds:Modulus><ds:Exponent>AQAB</ds:Exponent></ds:RSAKeyValue></ds:KeyValue>", NULL, NULL},
    {"a name", "key-reference", "$F", "<ds:KeyName>alice</ds:KeyName>", NULL, NULL},
    {"a method to retrieve it", "key-reference", "$F", "<ds:RetrievalMethod URI=\"http://127.0.0.1:1/key\"/>", NULL, NULL},
    {"no key", "key-reference", "$F", "", NULL, NULL},
    {"a symmetric key", "key-reference", "$F", STR "<s:KeyIdentifier ValueType=\"" MESSAGE_11 "EncryptedKeySHA1\">AAAA</s:KeyIdentifier>" STR_END, NULL, NULL},
    {"a reference to the timestamp", "key-reference", "$F", STR "<s:Reference URI=\"#$i\"/>" STR_END, NULL, NULL},
    {"a thumbprint that is unknown", "key-reference", "$F", STR "<s:KeyIdentifier ValueType=\"" MESSAGE_11 "ThumbprintSHA1\">AAAA</s:KeyIdentifier>" STR_END, NULL, NULL},
    {"an empty key identifier", "key-reference", "$F", STR "<s:KeyIdentifier ValueType=\"" X509 "X509SubjectKeyIdentifier\"/>" STR_END, NULL, NULL},
    {"a certificate that is none", "key-reference", "$F", STR "<s:KeyIdentifier ValueType=\"" X509 "X509v3\">AAAA</s:KeyIdentifier>" STR_END, NULL, NULL},
    {"a certificate with bytes before it", "key-reference", "$C", "AAAA$C", NULL, NULL},
    {"a path of certificates", "key-reference", "BinarySecurityToken xmlns", "BinarySecurityToken ValueType=\"" X509 "X509PKIPathv1\" xmlns", " ValueType=\"" X509 "X509v3\" wsu", " wsu"},
    {"a serial number that is none", "key-reference", "$F", STR "<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>CN=x</ds:X509IssuerName><ds:X509SerialNumber>0x1</ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data>" STR_END, NULL, NULL},
    {"a long serial number", "key-reference", "$F", STR "<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>CN=x</ds:X509IssuerName><ds:X509SerialNumber>"
     "9999999999999999999999999999999999999999999999999999999999999999999999999</ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data>" STR_END, NULL, NULL},
    {"an issuer that is none", "key-reference", "$F", STR "<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>=\\</ds:X509IssuerName><ds:X509SerialNumber>1</ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data>" STR_END, NULL, NULL},
    {"a reference within a reference", "key-reference", "$F", STR STR STR_END STR_END, NULL, NULL},

    {"an entity", "malformed", "<soap:Envelope", "<!DOCTYPE x [<!ENTITY e \"evil\">]><soap:Envelope", "Gr\xC3\xBC", "&e;"},
    {"an entity that is not declared", "malformed", "Gr\xC3\xBC", "&e;", NULL, NULL},
    {"entities that grow", "malformed", "<soap:Envelope", "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]><soap:Envelope", NULL, NULL},
    {"an entity of a file", "malformed", "<soap:Envelope", "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><soap:Envelope", "Gr\xC3\xBC", "&e;"},
    {"a document type alone", "malformed", "<soap:Envelope", "<!DOCTYPE x><soap:Envelope", NULL, NULL},
    {"an attribute that a document type makes an id", "malformed", "<soap:Envelope", "<!DOCTYPE x [<!ATTLIST x y ID #IMPLIED>]><soap:Envelope", NULL, NULL},
    {"a document type after a comment", "malformed", "<soap:Envelope", "<!-- --><!DOCTYPE x><soap:Envelope", NULL, NULL},
    {"a prefix that is not declared", "malformed", "<n:text>", "<n:text q:x=\"\">", NULL, NULL},
    {"no envelope", "malformed", "soap:Envelope", "soap:Letter", NULL, NULL},
};

/* A copy of a part of a text, to be freed. */
static char *part_of(const char *text, const char *start, const char *end, bool around)
{
    const char *from = strstr(text, start);
    assert_non_null(from);
    const char *to = strstr(from + strlen(start), end);
    assert_non_null(to);
    from += around ? 0 : strlen(start);
    to += around ? strlen(end) : 0;
    char *part = (char *)malloc((size_t)(to - from) + 1);
    assert_non_null(part);
    memcpy(part, from, (size_t)(to - from));
    part[to - from] = 0;
    return part;
}

typedef struct parts {
    const char *letters;
    char *texts[10];
} parts;

static char *certificate_of(const char *name)
{
    creo_wss_options options = {.signer = {.key = {name, {NULL, 0}}}};
    char path[100];
    (void)snprintf(path, sizeof path, "%.*s.crt.pem", (int)(strlen(name) - strlen(".key.pem")), name);
    options.signer.certificate.path = path;
    char *sent = sent_by(&options, PLAIN);
    char *start = strstr(sent, "<wsse:BinarySecurityToken");
    assert_non_null(start);
    char *text = part_of(start, ">", "<", false);
    free(sent);
    return text;
}

static parts parts_of(const char *message)
{
    parts all = {"BTSKFCIiMO", {NULL}};
    all.texts[0] = part_of(message, "<soap:Body", "</soap:Body>", true);
    all.texts[1] = part_of(message, "<wsu:Timestamp", "</wsu:Timestamp>", true);
    all.texts[2] = part_of(message, "<ds:Signature ", "</ds:Signature>", true);
    all.texts[3] = part_of(message, "<wsse:Security ", "</wsse:Security>", true);
    all.texts[4] = part_of(message, "<ds:KeyInfo>", "</ds:KeyInfo>", false);
    char *token = part_of(message, "<wsse:BinarySecurityToken", "</wsse:BinarySecurityToken>", true);
    all.texts[5] = part_of(token, ">", "<", false);
    all.texts[6] = part_of(all.texts[0], "wsu:Id=\"", "\"", false);
    all.texts[7] = part_of(all.texts[1], "wsu:Id=\"", "\"", false);
    all.texts[8] = certificate_of(KEYS "mallory.key.pem");
    all.texts[9] = certificate_of(KEYS "bob.key.pem");
    free(token);
    return all;
}

/* A text with the parts that it names, to be freed. */
static char *with_parts(const char *text, const parts *all)
{
    char *made = strdup(text);
    for (size_t i = 0; all->letters[i] != 0; i++) {
        const char name[] = {'$', all->letters[i], 0};
        if (strstr(made, name) == NULL)
            continue;
        char *next = replaced(made, name, all->texts[i], true);
        free(made);
        made = next;
    }
    return made;
}

static char *changed(const char *message, const char *from, const char *to, const parts *all)
{
    char *plain_from = with_parts(from, all);
    char *plain_to = with_parts(to, all);
    char *made = replaced(message, plain_from, plain_to, true);
    free(plain_from);
    free(plain_to);
    return made;
}

static const creo_wss_options writer = {.signer = OWN("alice")};
static const char *const required[] = {"{" ADDRESSING "}*", NULL};
static const creo_wss_options reader = {.issuers = CRT("ca"), .known = CRT("alice"), .required_headers = required};
#define ACCEPTED ENVELOPE(S11, "<soap:Header></soap:Header>", BODY)

static void refused_once(const creo_wss_options *options, const char *message, const char *reason)
{
    secured s;
    secured_start(&s, options);
    if (strcmp(reason, "malformed") == 0)
        assert_refused(&s, message, CREO_MALFORMED, "");
    else
        assert_refused(&s, message, strcmp(reason, "untrusted") == 0 || strcmp(reason, "weak-key") == 0 ? CREO_UNTRUSTED_PEER : CREO_PROTOCOL_MISMATCH, reason);
    secured_end(&s);
}

static void changes(void **state)
{
    (void)state;
    char *message = sent_by(&writer, PLAIN);
    parts all = parts_of(message);
    secured s;
    secured_start(&s, &reader);
    assert_accepted(&s, message, ACCEPTED);
    secured_end(&s);
    for (size_t i = 0; i < sizeof attacks / sizeof attacks[0]; i++) {
        const attack *row = &attacks[i];
        print_message("%s\n", row->name);
        char *first = changed(message, row->from, row->to, &all);
        char *made = row->also_from == NULL ? strdup(first) : changed(first, row->also_from, row->also_to, &all);
        refused_once(&reader, made, row->reason);
        free(first);
        free(made);
    }
    for (size_t i = 0; all.letters[i] != 0; i++)
        free(all.texts[i]);
    free(message);
}

/* A text many times, to be freed. */
static char *times(const char *text, size_t count)
{
    char *made = (char *)malloc(strlen(text) * count + 1);
    assert_non_null(made);
    for (size_t i = 0; i < count; i++)
        memcpy(made + i * strlen(text), text, strlen(text));
    made[strlen(text) * count] = 0;
    return made;
}

/* Numbers that would take time or memory. */
static void many(void **state)
{
    (void)state;
    static const struct {
        const char *reason;
        const char *before;
        const char *more;
        const char *after;
        size_t count;
        const char *at;
    } rows[] = {
        {"too-many", "", "<ds:Reference URI=\"#x\"/>", "", 10000, "</ds:SignedInfo>"},
        {"too-many", "", "<wsse:BinarySecurityToken/>", "", 10000, "<wsse:BinarySecurityToken"},
        {"malformed", "", "<a>", "", 100000, "</n:text>"},
        {"too-large: the limit maxXmlDepth", "", "<a>", "", 600, "</n:text>"},
        {"too-large: the limit maxXmlAttributes", "<n:x ", "a%zu=\"\" ", "/>", 10000, "<n:text>"},
        {"too-large: the limit maxXmlNamespaces", "<n:x ", "xmlns:a%zu=\"urn:x\" ", "/>", 10000, "<n:text>"},
        {"bad-digest", "", "<!---->a", "", 500000, "</n:text>"},
        {"bad-digest", "", "<![CDATA[]]>a", "", 500000, "</n:text>"},
    };
    char *message = sent_by(&writer, PLAIN);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *all;
        if (strstr(rows[i].more, "%zu") != NULL) {
            all = (char *)malloc(rows[i].count * 40);
            assert_non_null(all);
            size_t size = 0;
            for (size_t n = 0; n < rows[i].count; n++)
                size += (size_t)sprintf(all + size, rows[i].more[0] == 'a' ? "a%zu=\"\" " : "xmlns:a%zu=\"urn:x\" ", n);
        } else {
            all = times(rows[i].more, rows[i].count);
        }
        size_t room = strlen(all) + strlen(rows[i].before) + strlen(rows[i].after) + strlen(rows[i].at) + 1;
        char *to = (char *)malloc(room);
        assert_non_null(to);
        (void)snprintf(to, room, "%s%s%s%s", rows[i].before, all, rows[i].after, rows[i].at);
        char *made = replaced(message, rows[i].at, to, false);
        secured s;
        creo_bytes got;
        char shown[CREO_ERROR_TEXT];
        secured_start(&s, &reader);
        creo_bytes given = exact_text(made, strlen(made));
        assert_false(secured_receive(&s, given, &got));
        (void)creo_error_format(&s.error, shown, sizeof shown);
        if (strstr(shown, rows[i].reason) == NULL && strstr(shown, "too-large") == NULL)
            fail_msg("%s, where %s is due", shown, rows[i].reason);
        release(given);
        secured_end(&s);
        free(made);
        free(to);
        free(all);
    }
    creo_wss_options small = reader;
    small.max_size = 1000;
    secured s;
    secured_start(&s, &small);
    assert_refused(&s, message, CREO_TOO_LARGE, "the limit maxSize allows 1000");
    secured_end(&s);
    free(message);
}

/* The text of an element is one, whatever comments and sections are in it. */
static void comments_in_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {">G<!-- x -->r", "><!---->Gr", "><![CDATA[Gr]]>", "><![CDATA[G]]>r", ">&#71;r"};
    char *message = sent_by(&writer, PLAIN);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char *made = replaced(message, ">Gr", texts[i], false);
        secured s;
        secured_start(&s, &reader);
        assert_accepted(&s, made, ACCEPTED);
        secured_end(&s);
        free(made);
    }
    free(message);
}

/* The prefix of a type is in a value: a signature protects it only if it names it, or if a name uses it. */
static void prefixes_in_values(void **state)
{
    (void)state;
#define TYPED(prefix) "<soap:Envelope xmlns:soap=\"" S11 "\" xmlns:n1=\"urn:good\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><soap:Body><" prefix "a xsi:type=\"n1:T\"/></soap:Body></soap:Envelope>"
    char *message = sent_by(&writer, TYPED(""));
    char *evil = replaced(message, "urn:good", "urn:evil", true);
    refused_once(&reader, evil, "bad-digest");
    free(evil);
    /* Without the names, the signature is another. */
    evil = replaced(message, "PrefixList=\"n1 soap xsi\"", "PrefixList=\"soap xsi\"", true);
    refused_once(&reader, evil, "bad-signature");
    free(evil);
    free(message);
    creo_wss_options loose = reader;
    loose.allow_loose_prefixes = true;
    for (int i = 0; i < 3; i++) {
        /* The prefix is declared outside of the envelope's tag, so that it is not named. */
        static const char *const bodies[] = {"<b xmlns:n1=\"urn:good\"><a xsi:type=\"n1:T\"/></b>", "<n1:b xmlns:n1=\"urn:good\"><a xsi:type=\"n1:T\"/></n1:b>",
                                             "<n1:b xmlns:n1=\"urn:good\"><a xmlns:n1=\"urn:other\" xsi:type=\"n1:T\"/></n1:b>"};
        char envelope[600];
        (void)snprintf(envelope, sizeof envelope, "<soap:Envelope xmlns:soap=\"" S11 "\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><soap:Body>%s</soap:Body></soap:Envelope>", bodies[i]);
        char *sent = sent_by(&writer, envelope);
        secured s;
        creo_bytes got;
        secured_start(&s, &reader);
        if (i == 1) {
            assert_true(secured_receive(&s, creo_bytes_of(sent, strlen(sent)), &got));
        } else {
            assert_refused(&s, sent, CREO_PROTOCOL_MISMATCH, "prefix: the signature does not protect the prefix of the type \"n1:T\"");
        }
        secured_end(&s);
        secured_start(&s, &loose);
        assert_true(secured_receive(&s, creo_bytes_of(sent, strlen(sent)), &got));
        secured_end(&s);
        free(sent);
    }
}

/* Whatever goes wrong once the key is used has one text. */
static void questions_to_the_decryption(void **state)
{
    (void)state;
    static const creo_wss_identity bob = OWN("bob");
    static const creo_wss_identity alice = OWN("alice");
    static const char *const weak[] = {"rsa-1_5", "aes128-cbc", NULL};
    creo_wss_options reads = {.decryption = &bob, .decryption_count = 1};
    for (int form = 0; form < 3; form++) {
        creo_wss_options writes = {.recipient = CRT("bob"), .key_encryption = form == 1 ? "rsa-1_5" : NULL, .data_encryption = form == 2 ? "aes128-cbc" : NULL};
        reads.allowed = NULL;
        char *message = sent_by(&writes, PLAIN);
        if (form != 0)
            refused_once(&reads, message, "algorithm");
        reads.allowed = weak;
        for (size_t place = 20; place < 200; place += 7) {
            for (int which = 0; which < 2; which++) {
                char *made = strdup(message);
                char *value = strstr(made, "<xenc:CipherValue>") + 18;
                value = which == 0 ? value : strstr(value, "<xenc:CipherValue>") + 18;
                value[place % 100] = value[place % 100] == 'A' ? 'B' : 'A';
                secured s;
                creo_bytes got;
                secured_start(&s, &reads);
                /* CBC alone does not see every change. */
                if (!secured_receive(&s, creo_bytes_of(made, strlen(made)), &got))
                    assert_string_equal(s.error.message, "not-decrypted: the message cannot be decrypted");
                else
                    assert_int_equal(form, 2);
                secured_end(&s);
                free(made);
            }
        }
        free(message);
    }
    creo_wss_options writes = {.recipient = CRT("bob")};
    char *message = sent_by(&writes, PLAIN);
    creo_wss_options others = {.decryption = &alice, .decryption_count = 1};
    refused_once(&others, message, "key-reference");
    char *data = part_of(message, "<xenc:EncryptedData", "</xenc:EncryptedData>", true);
    char *moved = replaced(message, data, "", false);
    char *block = (char *)malloc(strlen(data) + 100);
    assert_non_null(block);
    (void)sprintf(block, WRAP("%s") END, data);
    char *made = replaced(moved, END, block, false);
    refused_once(&reads, made, "misplaced");
    free(made);
    (void)sprintf(block, "%s<a/>", data);
    made = replaced(message, data, block, false);
    refused_once(&reads, made, "misplaced");
    free(made);
    made = replaced(message, "<xenc:DataReference", "<xenc:KeyReference", false);
    free(made);
    static const char *const changes_of[][3] = {
        {"<xenc:DataReference URI=\"#creo", "<xenc:DataReference URI=\"#none", "unknown-id"},
        {"#Content", "#Element", "misplaced"},
        {DSIG "sha1", DSIG "md5", "algorithm"},
        {"aes256-gcm", "aes256-ctr", "algorithm"},
        {"rsa-oaep-mgf1p", "rsa-oaep-none", "algorithm"},
        {"<xenc:CipherData>", "<xenc:CipherData/><xenc:CipherData>", "unreadable"},
        {"<xenc:CipherValue>", "<xenc:CipherReference URI=\"http://127.0.0.1:1/\"/><xenc:CipherText>", "malformed"},
        {"</xenc:CipherData><xenc:ReferenceList>", "</xenc:CipherData><xenc:ReferenceList><xenc:KeyReference URI=\"#x\"/>", "reference"},
    };
    for (size_t i = 0; i < sizeof changes_of / sizeof changes_of[0]; i++) {
        made = replaced(message, changes_of[i][0], changes_of[i][1], true);
        refused_once(&reads, made, changes_of[i][2]);
        free(made);
    }
    free(block);
    free(moved);
    free(data);
    free(message);
    creo_wss_options demands = reader;
    demands.require_encrypted = true;
    message = sent_by(&writer, PLAIN);
    refused_once(&demands, message, "not-encrypted");
    free(message);
}

static void answers_without_security(void **state)
{
    (void)state;
    secured s;
    creo_bytes got;
    secured_start(&s, &reader);
    assert_refused(&s, ENVELOPE(S11, "", "<soap:Fault><faultcode>soap:Server</faultcode><faultstring>no more</faultstring></soap:Fault>"), CREO_PROTOCOL_MISMATCH,
                   "no-security: the answer is a fault without security: soap:Server: no more");
    assert_refused(&s, ENVELOPE(S12, "", "<soap:Fault><soap:Code><soap:Value>soap:Receiver</soap:Value></soap:Code><soap:Reason><soap:Text>x</soap:Text></soap:Reason></soap:Fault>"),
                   CREO_PROTOCOL_MISMATCH, "no-security: the answer is a fault without security: soap:Receiver: x");
    assert_refused(&s, PLAIN, CREO_PROTOCOL_MISMATCH, "no-security: the answer has no Security block");
    assert_false(secured_receive(&s, (creo_bytes){NULL, 0}, &got));
    assert_string_equal(s.error.message, "no-security: an empty answer");
    assert_refused(&s, "<html>", CREO_MALFORMED, "");
    secured_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes),           cmocka_unit_test(many),
        cmocka_unit_test(comments_in_texts), cmocka_unit_test(prefixes_in_values),
        cmocka_unit_test(questions_to_the_decryption), cmocka_unit_test(answers_without_security),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
