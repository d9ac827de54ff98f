/* SOAP encoding: the types in requests, and answers of which parts refer to one another (SOAP-30 to SOAP-32). */
#define _POSIX_C_SOURCE 200809L

#include "server.h"

#include "../src/soap/soap.h"
#include "encoded.text.h"

#define NS "urn:creo:creo.tests.encoded"
#define ENC "http://schemas.xmlsoap.org/soap/encoding/"
#define HEAD \
    "<s:Envelope xmlns:s='" CREO_SOAP_11 "' xmlns:e='" ENC "' xmlns:x='http://www.w3.org/2001/XMLSchema-instance' xmlns:d='http://www.w3.org/2001/XMLSchema'>"
#define ENVELOPE(inside) HEAD "<s:Body>" inside "</s:Body></s:Envelope>"
#define ANSWERS(inside) ENVELOPE("<q:r xmlns:q='urn:q' s:encodingStyle='" ENC "'>" inside "</q:r>")

/* The methods by their order in the description. */
enum { ALL, FIND, TEXTS, LINKS, RAW, TOUCH, NOTE };

typedef struct answer {
    creo_arena arena;
    creo_limits limits;
    creo_error error;
    union {
        encoded_encoded_find_outcome find;
        encoded_string_optional_array_optional texts;
        encoded_link link;
        creo_string raw;
    } as;
    creo_bytes bytes;
} answer;

static void begin(answer *a)
{
    memset(a, 0, sizeof *a);
    a->limits = creo_limits_default();
    creo_arena_init(&a->arena, creo_allocator_libc());
}

static void end(answer *a)
{
    release(a->bytes);
    creo_arena_free(&a->arena);
}

/* Reads an answer from memory that is exactly as large. */
static creo_soap_end read_answer(answer *a, int method, const char *text, size_t size)
{
    uint8_t *copy = (uint8_t *)malloc(size);
    assert_non_null(copy);
    memcpy(copy, text, size);
    a->bytes = creo_bytes_of(copy, size);
    return creo_soap_read(&encoded_encoded_text.methods[method], a->bytes, CREO_CHARSET_NONE, NULL, 0, 0, NULL, NULL, &a->arena, &a->limits, &a->as, &a->error);
}

static void assert_outcome(answer *a, int method, const char *text)
{
    if (read_answer(a, method, text, strlen(text)) == CREO_SOAP_OUTCOME)
        return;
    char shown[CREO_ERROR_TEXT];
    fail_msg("%s\n%s", creo_error_format(&a->error, shown, sizeof shown), text);
}

static void assert_refused(answer *a, int method, const char *text, size_t size, creo_code code, const char *part)
{
    char shown[CREO_ERROR_TEXT] = "no error";
    creo_soap_end got = read_answer(a, method, text, size);
    if (got != CREO_SOAP_OUTCOME)
        creo_error_format(&a->error, shown, sizeof shown);
    if ((got != CREO_SOAP_FAILED && got != CREO_SOAP_NO_ENVELOPE) || a->error.code != code || strstr(shown, part) == NULL || a->error.has_offset)
        fail_msg("%s: %s with \"%s\" is due for\n%.2000s", shown, creo_code_name(code), part, text);
}

static void is_refused(int method, const char *text, creo_code code, const char *part)
{
    answer a;
    begin(&a);
    assert_refused(&a, method, text, strlen(text), code, part);
    end(&a);
}

/* The texts as `a|b|-`, where `-` is none. */
static void are_texts(const char *text, const char *due)
{
    char shown[400] = "nothing";
    answer a;
    begin(&a);
    assert_outcome(&a, TEXTS, text);
    if (a.as.texts.has)
        *shown = 0;
    for (size_t i = 0; a.as.texts.has && i < a.as.texts.value.count; i++) {
        encoded_string_optional each = a.as.texts.value.items[i];
        size_t at = strlen(shown);
        snprintf(shown + at, sizeof shown - at, "%s%.*s", i == 0 ? "" : "|", each.has ? (int)each.value.size : 1, each.has ? each.value.data : "-");
    }
    if (strcmp(shown, due) != 0)
        fail_msg("%s is due, not %s, of\n%s", due, shown, text);
    end(&a);
}

/* SOAP-31, and SOAP-30: always SOAP 1.1, whatever the client's settings. */
static void requests_say_their_types(void **state)
{
    (void)state;
    static const act script[] = {
        {ACCEPT, NULL, 0},
        {HEAR, "Content-Type: text/xml; charset=utf-8\r\n|SOAPAction: ", 0},
        {ANSWER, ANSWERS(""), 0},
        {HEAR, "<soap:Body><n3:all soap:encodingStyle=\"" ENC "\"></n3:all></soap:Body>", 0},
        {ANSWER, ANSWERS(""), 0},
        {UNTIL_CLOSED, NULL, 0},
        {END, NULL, 0},
    };
    static const char due[] =
        "<soap:Envelope xmlns:soap=\"" CREO_SOAP_11 "\" xmlns:n1=\"" ENC "\" xmlns:n2=\"http://www.w3.org/2001/XMLSchema\" xmlns:n3=\"" NS "\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">"
        "<soap:Header><n3:session xsi:type=\"n2:string\">s-1</n3:session></soap:Header><soap:Body><n3:all soap:encodingStyle=\"" ENC "\">"
        "<value xsi:type=\"n3:All\"><flag xsi:type=\"n2:boolean\">true</flag><tiny xsi:type=\"n2:byte\">1</tiny><small xsi:type=\"n2:short\">2"
        "</small><letter xsi:type=\"n2:unsignedShort\">65</letter><number xsi:type=\"n2:int\">4</number><big xsi:type=\"n2:long\">5</big>"
        "<single xsi:type=\"n2:float\">0.5</single><real xsi:type=\"n2:double\">1.5</real><text xsi:type=\"n2:string\">a&lt;b</text>"
        "<word xsi:type=\"n2:token\">w</word><name xsi:type=\"n2:QName\" xmlns:q1=\"urn:x\">q1:n</name><day xsi:type=\"n2:date\">2026-11-27</day>"
        "<instant xsi:type=\"n2:dateTime\">1970-01-01T00:00:00Z</instant><amount xsi:type=\"n2:decimal\">1.50</amount>"
        "<octet xsi:type=\"n2:unsignedByte\">7</octet><bytes xsi:type=\"n2:base64Binary\">AA==</bytes><hex xsi:type=\"n2:hexBinary\">FF</hex>"
        "<colour xsi:type=\"n3:Colour\">GREEN</colour><size xsi:type=\"n3:Size\" unit=\"mm\"><width xsi:type=\"n2:int\">8</width></size>"
        "<shape xsi:type=\"n3:Size\"><width xsi:type=\"n2:int\">9</width></shape><choice><text xsi:type=\"n2:string\">t</text></choice><counts>"
        "<entry><key xsi:type=\"n2:string\">k</key><value xsi:type=\"n2:int\">1</value></entry></counts><numbers xsi:type=\"n2:int\">1</numbers>"
        "<numbers xsi:type=\"n2:int\">2</numbers><list>3 4</list><holes xsi:type=\"n1:Array\" n1:arrayType=\"n2:string[2]\">"
        "<item xsi:type=\"n2:string\">h</item><item xsi:nil=\"true\"></item></holes><shapes xsi:type=\"n1:Array\" n1:arrayType=\"n3:Size[2]\">"
        "<item xsi:type=\"n3:Size\"><width xsi:type=\"n2:int\">1</width></item><item xsi:type=\"n3:Square\"><side xsi:type=\"n2:int\">2</side></item>"
        "</shapes><choices xsi:type=\"n1:Array\" n1:arrayType=\"n2:anyType[1]\"><item><square xsi:type=\"n3:Square\"><side xsi:type=\"n2:int\">3"
        "</side></square></item></choices><rows xsi:type=\"n1:Array\" n1:arrayType=\"n2:int[][2]\">"
        "<item xsi:type=\"n1:Array\" n1:arrayType=\"n2:int[1]\"><item xsi:type=\"n2:int\">1</item></item>"
        "<item xsi:type=\"n1:Array\" n1:arrayType=\"n2:int[0]\"></item></rows><nothing xsi:nil=\"true\"></nothing></value></n3:all></soap:Body>"
        "</soap:Envelope>";
    static const int32_t numbers[] = {1, 2, 3, 4};
    static const uint8_t bytes[] = {0, 0xFF};
    static const encoded_string_int_map_entry counts[] = {{{"k", 1}, 1}};
    static const encoded_string_optional holes[] = {{true, {"h", 1}}, {false, {NULL, 0}}};
    static const creo_int_array rows[] = {{numbers, 1}, {NULL, 0}};
    encoded_shape shapes[2] = {{.kind = ENCODED_SHAPE_SIZE}, {.kind = ENCODED_SHAPE_SQUARE}};
    encoded_choice choice = {.kind = ENCODED_CHOICE_SQUARE};
    encoded_all all;
    encoded_all_init(&all);
    shapes[0].as.size.width = 1;
    shapes[1].as.square.side = 2;
    choice.as.square.side = 3;
    all.flag = true;
    all.tiny = 1;
    all.small = 2;
    all.letter = 'A';
    all.number = 4;
    all.big = 5;
    all.single = 0.5F;
    all.real = 1.5;
    all.text = creo_text("a<b");
    all.word = creo_text("w");
    all.name = creo_text("{urn:x}n");
    all.day = creo_text("2026-11-27");
    all.amount = creo_text("1.50");
    all.octet = 7;
    all.bytes = creo_bytes_of(bytes, 1);
    all.hex = creo_bytes_of(bytes + 1, 1);
    all.colour = ENCODED_COLOUR_GREEN;
    all.size = (encoded_size){true, {"mm", 2}, 8};
    all.shape.as.size.width = 9;
    all.choice.kind = ENCODED_CHOICE_TEXT;
    all.choice.as.text = creo_text("t");
    all.counts.entries = counts;
    all.counts.count = 1;
    all.numbers = (creo_int_array){numbers, 2};
    all.list = (creo_int_array){numbers + 2, 2};
    all.has_holes = true;
    all.holes.items = holes;
    all.holes.count = 2;
    all.has_shapes = true;
    all.shapes.items = shapes;
    all.shapes.count = 2;
    all.has_choices = true;
    all.choices.items = &choice;
    all.choices.count = 1;
    all.has_rows = true;
    all.rows.items = rows;
    all.rows.count = 2;

    server service;
    creo_soap soap;
    creo_error error;
    creo_string session = creo_text("s-1");
    server_start(&service, script);
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%u/", (unsigned)service.port);
    assert_true(creo_soap_init(&soap, url, &encoded_encoded_text, creo_allocator_libc(), &error));
    soap.version = CREO_SOAP_1_2;
    assert_true(encoded_encoded_all(&soap.client, &all, &session, NULL, &error));
    const char *body = strstr(service.heard, "\r\n\r\n");
    assert_non_null(body);
    assert_string_equal(body + 4, due);
    assert_true(encoded_encoded_all(&soap.client, NULL, NULL, NULL, &error));
    creo_soap_free(&soap);
    server_join(&service);
}

static void references(void **state)
{
    (void)state;
    answer a;
    /* The message may have any name, and its result, too. */
    begin(&a);
    assert_outcome(&a, LINKS, ANSWERS("<any><name>a</name><next><name>b</name></next></any>"));
    assert_true(creo_string_is(a.as.link.name, "a") && creo_string_is(a.as.link.next->name, "b"));
    end(&a);
    /* Nor do its attributes mean anything. */
    begin(&a);
    assert_outcome(&a, LINKS, ENVELOPE("<any x:nil='true'><r><name>a</name></r></any>"));
    assert_true(creo_string_is(a.as.link.name, "a"));
    end(&a);
    /* References to references, before and after their targets; nested ids; elements in a namespace. */
    begin(&a);
    assert_outcome(&a, LINKS,
                   ENVELOPE("<m id='0'><z id='n'><![CDATA[<b>]]></z></m><q:r xmlns:q='urn:q' e:root='1'><v href='#1'/></q:r><m href='#2' id='1'/>"
                            "<m e:root='0' id='2' x:type='q:l' xmlns:q='urn:q'><q:name href=' #n&#32;'> <!-- --> </q:name><next href='#3'/></m><m id='3'><name>c</name></m>"));
    assert_true(creo_string_is(a.as.link.name, "<b>") && creo_string_is(a.as.link.next->name, "c") && a.as.link.next->next == NULL);
    end(&a);
    /* Elements without references need not be valid. */
    begin(&a);
    assert_outcome(&a, LINKS, ENVELOPE("<r><v><name>a</name></v></r><m href='#no' id='1'>x</m><m id='1'/><m id='3' e:arrayType='d:int[2,3]'/><m id='4'><n href='#4'/></m>"));
    end(&a);
    /* One of several, by its type; the prefix belongs to the referenced element. */
    begin(&a);
    assert_outcome(&a, FIND, ENVELOPE("<f xmlns:p='urn:other'><r href='#1'/></f><m id='1' x:type='p:Square' xmlns:p='" NS "'><side x:type='d:int'>7</side></m>"));
    assert_true(a.as.find.kind == ENCODED_ENCODED_FIND_RESULT && a.as.find.as.result.kind == ENCODED_SHAPE_SQUARE && a.as.find.as.result.as.square.side == 7);
    end(&a);
    /* Prefixes that the envelope binds are bound so again where a reference leads out of an element that binds them otherwise; and the default namespace. */
    begin(&a);
    assert_outcome(&a, FIND,
                   "<Envelope xmlns='" CREO_SOAP_11 "' xmlns:p='" NS "' xmlns:x='http://www.w3.org/2001/XMLSchema-instance'><Body><p:f xmlns:p='urn:1' xmlns=''><r xmlns:x='urn:2' href='#1'/></p:f>"
                   "<m xmlns='urn:3' id='1' x:type='p:Square'><side>7</side></m></Body></Envelope>");
    assert_true(a.as.find.as.result.kind == ENCODED_SHAPE_SQUARE && a.as.find.as.result.as.square.side == 7);
    end(&a);
    /* Older names of xsi. */
    begin(&a);
    assert_outcome(&a, FIND, ANSWERS("<r xmlns:o='http://www.w3.org/2000/10/XMLSchema-instance' xmlns:n='" NS "' o:type='n:Square'><side>7</side></r>"));
    assert_true(a.as.find.as.result.kind == ENCODED_SHAPE_SQUARE);
    end(&a);
    /* Raw elements have no attributes of the encoding, and the declarations that they need. */
    begin(&a);
    assert_outcome(&a, RAW, ANSWERS("<r id='1' x:type='d:int' href='cid:a'><q:in e:root='0' a='&lt;\"'>4</q:in></r>"));
    assert_true(a.as.raw.size > 10 && memcmp(a.as.raw.data, "<result ", 8) == 0);
    char raw[600];
    snprintf(raw, sizeof raw, "%.*s", (int)a.as.raw.size, a.as.raw.data);
    assert_non_null(strstr(raw, "x:type='d:int' href='cid:a'><in a='&lt;\"'>4</in></result>"));
    assert_null(strstr(raw, "root"));
    end(&a);
    /* In another encoding of characters. */
    static const char utf16[] = ENVELOPE("<r><v href='#1'/></r><m id='1'><name>a</name></m>");
    uint8_t wide[2 * sizeof utf16];
    for (size_t i = 0; i < sizeof utf16; i++) {
        wide[2 * i] = 0;
        wide[2 * i + 1] = (uint8_t)utf16[i];
    }
    begin(&a);
    assert_int_equal(read_answer(&a, LINKS, (const char *)wide, 2 * sizeof utf16 - 2), CREO_SOAP_OUTCOME);
    assert_true(creo_string_is(a.as.link.name, "a"));
    end(&a);
}

static void arrays(void **state)
{
    (void)state;
    are_texts(ENVELOPE("<r><t e:arrayType='d:string[2]'><a>1</a><b href='#2'/></t></r><m id='2'>2</m>"), "1|2");
    are_texts(ENVELOPE("<r><t href='#1'/></r><m id='1' e:arrayType='d:string[3]'><a href='#2'/><b href='#2'/><c/></m><m id='2'>2</m>"), "2|2|");
    are_texts(ANSWERS("<t x:type='e:Array'><a>1</a></t>"), "1");
    are_texts(ANSWERS("<t xmlns='" ENC "' xmlns:o='http://www.w3.org/1999/XMLSchema-instance' o:type=' Array '><a>1</a></t>"), "1");
    are_texts(ANSWERS("<t><item>1</item></t>"), "1");
    are_texts(ANSWERS("<t e:arrayType='d:string[0]'/>"), "");
    are_texts(ANSWERS("<t e:arrayType='d:string[9]' e:offset='[2]'><a>1</a></t>"), "-|-|1");
    are_texts(ANSWERS("<t e:arrayType='d:string[9]'><a e:position='[1]'>1</a><a>2</a><a e:position=' [4] '>4</a></t>"), "-|1|2|-|4");
    are_texts(ENVELOPE("<r><t e:arrayType='d:string[9]' e:offset='[1]'><a>1</a><a e:position='[3]' href='#1'/></t></r><m id='1' e:position='[7]'>3</m>"), "-|1|-|3");
    are_texts(ANSWERS("<t xmlns:o='http://www.w3.org/1999/XMLSchema-instance' e:arrayType='d:string[3]'><a o:null='1'/><a x:nil='true'/><a o:null='0'>0</a></t>"), "-|-|0");
    are_texts(ANSWERS("<t xmlns:o='http://www.w3.org/1999/XMLSchema-instance' o:null = 'true'/>"), "nothing");
    are_texts(ANSWERS("<t x:nil='1'/>"), "nothing");
    are_texts(ANSWERS(""), "nothing");
}

static void wrong_references(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        const char *part;
    } cases[] = {
        {ANSWERS("<r href='#no'/>"), "#no refers to no element"},
        {ENVELOPE("<q><r href='#1'/></q><m id='1'><name>a</name></m><m><o id='1'><name>a</name></o></m>"), "#1 refers to no element, or to several"},
        {ENVELOPE("<q><r href='#1'/></q><m id='1' href='#1'/>"), "refers to itself"},
        {ENVELOPE("<q><r href='#1'/></q><m id='1' href='#2'/><m id='2' href='#3'/><m id='3' href='#1'/>"), "refers to itself"},
        {ENVELOPE("<q><r id='1'><name>a</name><next href='#1'/></r></q>"), "refers to itself"},
        {ENVELOPE("<q id='1'><r><name>a</name><next href='#1'/></r></q>"), "refers to itself"},
        {ENVELOPE("<q><r href='#1'/></q><m id='1'><name>a</name><next href='#2'/></m><m id='2'><name>b</name><next href='#1'/></m>"), "refers to itself"},
        {ENVELOPE("<q><r href='#1'>x</r></q><m id='1'><name>a</name></m>"), "holds something"},
        {ENVELOPE("<q><r href='#1'> <!-- --> <![CDATA[x]]></r></q><m id='1'><name>a</name></m>"), "holds something"},
        {ENVELOPE("<q><r href='#1'><name/></r></q><m id='1'><name>a</name></m>"), "holds something"},
        {ENVELOPE("<q><r href='#1'/></q><m id='1' href='#2'><x/></m><m id='2'><name>a</name></m>"), "holds something"},
        {ENVELOPE("<q><r><name>a</name></r></q>x"), "text where only elements are allowed (lenient reading would skip it) (at $)"},
        {ENVELOPE("<q><r><name>a</name></r></q><m><n></m>"), "(at $)"},
        {ENVELOPE("<q><r><name>a</name></r></q><m id='1' id='2'/>"), "given twice"},
        {ENVELOPE("<q><r><name>a</name></r></q><o:m/>"), "not declared"},
        {ANSWERS("<r><next/></r>"), "name is missing (at $result.n"},
        {HEAD "<s:Body><q><r><name>a</name></r></q>", "the text ends"},
        {HEAD "</s:Envelope>", "the body of the envelope is expected here"},
        {ENVELOPE(""), "the body of the answer is empty"},
        {"<a/>", "no envelope"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        is_refused(LINKS, cases[i].answer, CREO_MALFORMED, cases[i].part);
}

static void wrong_arrays(void **state)
{
    (void)state;
    static const char *const indices[] = {"", "1", "[]", "[x]", "[-1]", "[1,2]", "[1", "[1234567890]", "[ 1 ]"};
    char text[1000];
    for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++) {
        snprintf(text, sizeof text, ANSWERS("<t e:arrayType='d:string[1]' e:offset='%s'><a/></t>"), indices[i]);
        is_refused(TEXTS, text, CREO_MALFORMED, "position in an array");
        snprintf(text, sizeof text, ANSWERS("<t e:arrayType='d:string[1]'><a e:position='%s'/></t>"), indices[i]);
        is_refused(TEXTS, text, CREO_MALFORMED, "position in an array");
    }
    is_refused(TEXTS, ANSWERS("<t e:arrayType='d:string[2,3]'/>"), CREO_MALFORMED, "several dimensions");
    is_refused(TEXTS, ANSWERS("<t e:arrayType='d:string[][ , ]'/>"), CREO_MALFORMED, "several dimensions");
    is_refused(TEXTS, ANSWERS("<t e:arrayType='d:s[3]'><a e:position='[2]'/><a e:position='[1]'/></t>"), CREO_MALFORMED, "go down");
    is_refused(TEXTS, ANSWERS("<t e:arrayType='d:s[3]'><a/><a e:position='[0]'/></t>"), CREO_MALFORMED, "go down");
    is_refused(TEXTS, ANSWERS("<t e:arrayType='d:s[3]' e:offset='[999999999]'><a/></t>"), CREO_TOO_LARGE, "maxEmptyItems");
    /* In all arrays together. */
    static const char twice[] = ANSWERS("<t e:arrayType='d:s[3]'><a e:arrayType='d:s[3]' e:offset='[2]'><b/></a><a e:position='[3]'/></t>");
    answer a;
    begin(&a);
    a.limits.max_empty_items = 3;
    assert_refused(&a, TEXTS, twice, sizeof twice - 1, CREO_TOO_LARGE, "maxEmptyItems allows 3");
    end(&a);
}

/* Elements that each refer to the next several times. */
static size_t chain(char *text, size_t size, int count, int times)
{
    size_t at = (size_t)snprintf(text, size, HEAD "<s:Body><q><r href='#0'/></q>");
    for (int i = 0; i < count; i++) {
        at += (size_t)snprintf(text + at, size - at, "<m id='%d'><name>%d</name>", i, i);
        for (int j = 0; j < times && i + 1 < count; j++)
            at += (size_t)snprintf(text + at, size - at, "<next href='#%d'/>", i + 1);
        at += (size_t)snprintf(text + at, size - at, "</m>");
    }
    return at + (size_t)snprintf(text + at, size - at, "</s:Body></s:Envelope>");
}

static void bounds(void **state)
{
    (void)state;
    static char text[200000];
    size_t size = chain(text, sizeof text, 90, 1);
    answer a;
    begin(&a);
    assert_int_equal(read_answer(&a, LINKS, text, size), CREO_SOAP_OUTCOME);
    end(&a);
    /* Each of 60 refers twice to the next: 2^60 elements. */
    size = chain(text, sizeof text, 60, 2);
    begin(&a);
    a.limits.max_message_size = 1000000;
    a.arena.most = 8000000;
    assert_refused(&a, LINKS, text, size, CREO_TOO_LARGE, "maxMessageSize allows 1000000");
    end(&a);
    /* Nested deeper than a document may be. */
    size = chain(text, sizeof text, 600, 1);
    begin(&a);
    assert_refused(&a, LINKS, text, size, CREO_TOO_LARGE, "maxXmlDepth allows 500");
    end(&a);
    /* Each refers to the next alone: that is no nesting. */
    size_t at = (size_t)snprintf(text, sizeof text, HEAD "<s:Body><q><r href='#0'/></q>");
    for (int i = 0; i < 3000; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "<m id='%d' href='#%d'/>", i, i + 1);
    at += (size_t)snprintf(text + at, sizeof text - at, "<m id='3000'><name>a</name></m></s:Body></s:Envelope>");
    begin(&a);
    assert_int_equal(read_answer(&a, LINKS, text, at), CREO_SOAP_OUTCOME);
    end(&a);
    /* The memory of elements counts, too (LIM-18). */
    at = (size_t)snprintf(text, sizeof text, HEAD "<s:Body><q><r/></q>");
    for (int i = 0; i < 1000; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "<m xmlns:o='u' a='1'/>");
    at += (size_t)snprintf(text + at, sizeof text - at, "</s:Body></s:Envelope>");
    begin(&a);
    a.limits.max_memory = at + 160 * 1002 + 64 * 2000;
    assert_refused(&a, TEXTS, text, at, CREO_TOO_LARGE, "maxMemory");
    end(&a);
    begin(&a);
    a.limits.max_memory = at + 160 * 1002 + 64 * 2000 + at;
    assert_int_equal(read_answer(&a, TEXTS, text, at), CREO_SOAP_OUTCOME);
    end(&a);
    /* The arena has no more. */
    for (size_t most = 0; most < 20000; most += 500) {
        static const char small[] = ENVELOPE("<q xmlns:a='urn:a' xmlns:b='urn:b'><r href='#0'/></q><m id='0' x:type='d:b'><name>a</name><next href='#1'/></m><m id='1'><name>b</name></m>");
        static uint8_t memory[20000];
        begin(&a);
        creo_arena_free(&a.arena);
        creo_arena_init_fixed(&a.arena, memory, most);
        if (read_answer(&a, LINKS, small, sizeof small - 1) != CREO_SOAP_OUTCOME)
            assert_int_equal(a.error.code, CREO_TOO_LARGE);
        else
            assert_true(most > 1000 && creo_string_is(a.as.link.next->name, "b"));
        end(&a);
    }
}

#define FAULT(detail) ENVELOPE("<s:Fault><faultcode>s:Server</faultcode><faultstring>no</faultstring><detail>" detail "</detail></s:Fault><m id='1'><what>it</what></m>")

static void faults(void **state)
{
    (void)state;
    static const char *const declared[] = {
        FAULT("<o:Unknown xmlns:o='" NS "'><what>it</what></o:Unknown>"),
        FAULT("<x/>\n<o:Unknown xmlns:o='urn:o' e:root='1' id='9'><o:what>it</o:what></o:Unknown>"),
        FAULT("<Unknown href='#1'/>"),
        ENVELOPE("<s:Fault xmlns:e='urn:1'><faultcode>s:Server</faultcode><detail xmlns='urn:2'><Unknown xmlns:x='urn:3' href='#1'/></detail></s:Fault><m id='1' x:a=''><what e:b='c'>it</what></m>"),
    };
    for (size_t i = 0; i < sizeof declared / sizeof declared[0]; i++) {
        answer a;
        begin(&a);
        assert_outcome(&a, FIND, declared[i]);
        assert_true(a.as.find.kind == ENCODED_ENCODED_FIND_UNKNOWN && creo_string_is(a.as.find.as.unknown.what, "it"));
        end(&a);
    }
    static const struct {
        const char *answer;
        const char *problem;
    } others[] = {
        {FAULT("<x:y/>"), NULL},
        {FAULT("<Unknown/>"), "malformed: the element what is missing (at $exception)"},
        {ENVELOPE("<s:Fault><faultcode>s:Server</faultcode><faultstring>no</faultstring></s:Fault>"), NULL},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        answer a;
        begin(&a);
        assert_int_equal(read_answer(&a, FIND, others[i].answer, strlen(others[i].answer)), CREO_SOAP_FAULT);
        assert_string_equal(a.error.message, "no");
        assert_true(!a.error.has_offset && a.error.code == CREO_INTERNAL);
        if (others[i].problem != NULL)
            assert_true(creo_string_is(creo_error_detail(&a.error, "fault-problem"), others[i].problem));
        end(&a);
    }
    is_refused(LINKS, HEAD "<s:Header><h s:mustUnderstand='1'/></s:Header><s:Body><q><r><name>a</name></r></q></s:Body></s:Envelope>", CREO_PROTOCOL_MISMATCH, "header element h,");
    is_refused(FIND, FAULT("<Unknown href='#2'/>"), CREO_MALFORMED, "#2 refers to no element");
}

/* Answers without a result. */
static void nothing_is_due(void **state)
{
    (void)state;
    answer a;
    begin(&a);
    assert_outcome(&a, TOUCH, ENVELOPE("<any/><m id='1'/>"));
    end(&a);
    begin(&a);
    assert_outcome(&a, NOTE, ENVELOPE("<any/><m id='1'/>"));
    end(&a);
    begin(&a);
    assert_outcome(&a, NOTE, ENVELOPE(""));
    end(&a);
}

/* Wherever an answer ends or is broken, only its bytes are read. */
static void broken_answers(void **state)
{
    (void)state;
    static const char text[] =
        "<s:Envelope xmlns:s='" CREO_SOAP_11 "' xmlns:e='" ENC "'><s:Header/><s:Body><q xmlns:m='urn:1' e:root='1'><r href='#1' xmlns:e='urn:2'/></q>"
        "<m id='1' a=\"b\"><name><![CDATA[x]]></name><next href='#2'>\n</next></m><m id='2' e:arrayType='a[1]'><a e:position='[0]'>n</a></m></s:Body></s:Envelope>";
    char changed[sizeof text];
    for (size_t i = 0; i < sizeof text - 1; i++) {
        answer a;
        begin(&a);
        assert_int_not_equal(read_answer(&a, LINKS, text, i == 0 ? 1 : i), CREO_SOAP_OUTCOME);
        assert_false(a.error.has_offset);
        end(&a);
        for (const char *by = "\0<>'\"/ #m:&\xFF"; by != NULL; by = *by == '\xFF' ? NULL : by + 1) {
            memcpy(changed, text, sizeof text);
            changed[i] = *by;
            begin(&a);
            (void)read_answer(&a, LINKS, changed, sizeof text - 1);
            end(&a);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_say_their_types), cmocka_unit_test(references), cmocka_unit_test(arrays), cmocka_unit_test(wrong_references), cmocka_unit_test(wrong_arrays),
        cmocka_unit_test(bounds),                   cmocka_unit_test(faults),     cmocka_unit_test(nothing_is_due), cmocka_unit_test(broken_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
