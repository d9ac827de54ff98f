//gsoap m service name: Meters
//gsoap m service type: MetersPort
//gsoap m service port: http://127.0.0.1/
//gsoap m service style: document
//gsoap m service encoding: literal
//gsoap m service namespace: http://partner.example.org/meters
//gsoap m schema namespace: http://partner.example.org/meters
//gsoap m schema form: qualified
//gsoap m service documentation: A partner's service, written in C: gSOAP makes the WSDL.

typedef char *xsd__dateTime;
typedef char *xsd__decimal;
typedef char *xsd__token;
typedef long long xsd__long;
typedef unsigned char xsd__unsignedByte;
enum xsd__boolean { false_, true_ };

struct xsd__base64Binary {
    unsigned char *__ptr;
    int __size;
    char *id, *type, *options;
};

enum m__Quality { m__Quality__RAW, m__Quality__CHECKED };

struct m__Point {
    double x 1;
    double y 1;
};

/* Simple content with an attribute. */
struct m__Amount {
    xsd__decimal __item;
    @char *unit 1;
};

/* A choice between elements. */
union m__What {
    double number;
    char *text;
    struct m__Point *point;
};

struct m__Reading {
    @int meter 1;
    @xsd__token site 0;
    enum m__Quality quality 1;
    xsd__dateTime at 1;
    struct m__Amount *amount 1;
    $int __union_what 1;
    union m__What what;
    int *maybe 0;
    char *remark nullptr 1;
    int __sizesamples 0;
    double *samples 0;
    int __sizepath 0;
    struct m__Point *path 0;
    enum xsd__boolean valid 1;
    xsd__long ticks 1;
    xsd__unsignedByte level 1;
    struct m__Reading *previous 0;
};

struct m__NotFound {
    char *what 1;
    int code 1;
};

struct m__Refused {
    xsd__token reason 1;
};

struct m__echoResponse {
    struct m__Reading *reading 1;
};

//gsoap m service method-documentation: echo Gives back what it was sent.
int m__echo(struct m__Reading *reading 1, struct m__echoResponse *response);

struct m__attachResponse {
    struct xsd__base64Binary data 1;
};

//gsoap m service method-documentation: attach Gives back the bytes, as an attachment if they came as one.
int m__attach(struct xsd__base64Binary data 1, struct m__attachResponse *response);

struct m__addResponse {
    int sum 1;
};

int m__add(int left 1, int right 1, struct m__addResponse *response);

struct m__findResponse {
    char *name 1;
};

//gsoap m service method-documentation: find Fails by its argument.
//gsoap m service method-fault: find m__NotFound
//gsoap m service method-fault: find m__Refused
int m__find(char *name 1, struct m__findResponse *response);

//gsoap m service method-documentation: describe What arrived, in words.
struct m__describeResponse {
    char *text 1;
};

int m__describe(struct m__Reading *reading 1, struct m__describeResponse *response);

struct SOAP_ENV__Detail {
    struct m__NotFound *m__NotFound;
    struct m__Refused *m__Refused;
    int __type;
    void *fault;
    _XML __any;
};
