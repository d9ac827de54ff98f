//! The explanations of `creo explain`.

/// A code with a short and a long explanation.
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    pub code: &'static str,
    pub summary: &'static str,
    pub text: &'static str,
}

/// Diagnostics of descriptions first, then those of single targets or wires and of packages, those of imported files, failures of commands, and the errors of
/// calls and bytes.
pub fn all() -> impl Iterator<Item = &'static Explanation> {
    DIAGNOSTICS
        .iter()
        .chain(TARGETS)
        .chain(PACKAGES)
        .chain(IMPORTS)
        .chain(COMMANDS)
        .chain(COSTS)
        .chain(ERRORS)
}

macro_rules! explanations {
    ($name:ident, $doc:literal: $($code:literal, $summary:literal, $text:literal;)*) => {
        #[doc = $doc]
        static $name: &[Explanation] = &[$(Explanation { code: $code, summary: $summary, text: $text },)*];
    };
}

explanations! { DIAGNOSTICS, "The codes of `spec/language.md`, section 5, in its order.":
"invalid-encoding", "the file is not UTF-8", "
A description is UTF-8 text (LANG, introduction). The span shows the first byte that is not. Save the file as UTF-8; an editor that
writes Latin-1 or UTF-16 is the usual cause.";

"file-too-large", "the file is larger than 16 MiB", "
A description has at most 16 MiB a file (LANG-10). Split it, and import the parts: import \"types.creo\";";

"invalid-character", "a character that starts nothing in the language", "
Names are made of A-Z, a-z, 0-9 and _ (LANG-3). Other letters are allowed in comments and strings. A name in another target's
spelling can be given with @Name.";

"unterminated-comment", "a comment without an end", "
A comment that starts with /* ends with */ (LANG-2). Comments do not nest: the first */ ends the outermost one.";

"unterminated-string", "a string without an end on its line", "
A string ends on the line on which it starts (LANG-6). A line break in a string is written \\n, a double quote \\\".";

"invalid-escape", "an escape that the language does not have", "
Strings and characters have the escapes \\b \\t \\n \\f \\r \\\" \\' \\\\ and \\uXXXX (LANG-6). An escape that makes half a surrogate pair is
refused in a string, since no String holds one. A backslash itself is written \\\\.";

"invalid-literal", "a number or character that is not written correctly", "
Integers are decimal without leading zeros, or hexadecimal: 10, -1, 0xff (LANG-5). Decimal numbers have digits on both sides of the
point: 0.5, 1.0e-3. A character literal holds exactly one character: 'x'.";

"expected-token", "something unexpected", "
The message says what was found and what was expected. The grammar is in section 2 of spec/language.md. Often a semicolon or a
closing brace is missing just before.";

"too-deep", "types that nest too deep", "
[], ? and Map<> nest at most 32 deep in one type (LANG-10). Put a struct in between.";

"reserved-name", "a name that generated code or the language needs", "
Names that start with creo_ belong to generated code (LANG-3), and a type or interface may not be called by a word of the language,
such as String or struct (LANG-4). Words of the target languages are no problem: they are escaped there.";

"name-too-long", "a name of more than 128 characters", "
A name has at most 128 characters (LANG-3).";

"misplaced-annotation", "an annotation where it has no meaning", "
An annotation in capitals, such as @PACKAGE, belongs to the file and comes before the first declaration (LANG-8). @Deprecated and @Name
belong to what follows them; the table in LANG-24 says where each is allowed.";

"duplicate-annotation", "the same annotation twice", "
An annotation occurs at most once on each element (LANG-24), and @PACKAGE once in a file (LANG-16). Remove one.";

"invalid-annotation", "arguments that the annotation does not take, or that do not fit", "
The arguments of known annotations are in the table of LANG-24: @PACKAGE(\"a.b\", python = \"a_b\"), @NAMESPACE(\"urn:x\"),
@Deprecated(\"use other\"), @Idempotent, @Name(java = \"other\"). Those of @Xml, @XmlResponse and @XmlResult are in XML-30 and XML-39, with the
types that they fit; together they leave it clear whose each element and attribute is (XML-35).";

"unknown-annotation", "an annotation, or a target in one, that creo does not know (a warning)", "
It is kept in the model, where third-party targets find it (LANG-24): @Name(go = \"Other\") is for a program creo-gen-go. If it is a
known one with a slip in its name, correct it.";

"unattached-doc", "a documentation comment that belongs to nothing (a warning)", "
/** ... */ belongs to the declaration, field, constant, member, method or parameter that follows it (LANG-2). Write /* ... */ for a
comment that documents nothing.";

"unused-import", "an import that nothing uses (a warning)", "
No type of the imported file is named in this file (LANG-18). What an imported file imports is not visible through it. Remove the
import, or import the file that declares the type.";

"duplicate-name", "the same name twice in one place", "
Types and interfaces share one name space a package; fields one a struct, constants one an enum, members one a union, methods one an
interface, parameters one a method (LANG-17). There is no overloading. Both places are shown.";

"duplicate-number", "two constants with one number", "
The numbers of an enum's constants are distinct (LANG-20). A constant without a number has the one after its predecessor's.";

"invalid-number", "a constant's number that is out of range", "
Numbers of constants go from 0 to 2147483647 (LANG-20).";

"unknown-type", "a type that is declared nowhere in sight", "
A type is looked up in the file itself and in the files that it imports directly (LANG-18, LANG-19). The nearest name is given as help.
Add the import, or correct the name.";

"ambiguous-type", "a name that several packages declare", "
Write the type with its package: org.example.data.Data (LANG-19).";

"import-not-found", "a file that is imported and is not there", "
The path of an import is relative to the importing file (LANG-18).";

"invalid-import", "an import's path that is not allowed", "
The path uses /, is relative, ends in .creo, and holds no backslash (LANG-18), so that it means the same file on every system.";

"invalid-map-key", "a type that cannot be the key of a map", "
Keys are boolean, byte, short, char, int, long, String or an enum (LANG-12). For other keys use an array of a struct with two fields.";

"double-optional", "an optional of an optional", "
T?? is refused (LANG-13): most languages cannot tell its two kinds of nothing apart. Use a union with an empty struct as a member.";

"void-not-allowed", "void where a value is needed", "
void is the result of a method and nothing else (LANG-13). A value without content is an empty struct: struct Nothing {}";

"exception-as-value", "an exception as the type of a value", "
An exception is allowed only in throws (LANG-13). Declare a struct for a value of the same shape.";

"infinite-type", "a type that has no finite value", "
Every value of the type would hold another one, without end (LANG-14). Break the circle with an array, an optional or a map:
struct Node { Node? next; }";

"empty-type", "an enum or union without members", "
An enum has at least one constant and a union at least one member (LANG-15). A struct may be empty.";

"invalid-default", "a default that does not fit its field", "
A default's kind fits the type, and its value is in range (LANG-21). Optionals have the default nothing and take no other; structs and
unions take none; an array, byte string or map takes {}.";

"default-required", "a later field without a default", "
In an extensible struct or exception, fields after one with a default, or an optional one, have a default or are optional themselves
(LANG-23): a reader that meets an older writer must know what to put there.";

"invalid-oneway", "a oneway method with an answer", "
A oneway method is never answered: it returns void and throws nothing (LANG-22).";

"not-an-exception", "throws with something else than an exception", "
throws names exceptions, each once (LANG-22). Declare it with exception instead of struct.";

"invalid-stream", "a stream where there is none", "
The result of a method and its last parameter may be streams of items: stream Sample find(stream Key keys); (LANG-30). A oneway method has
neither, since it is not answered. Two streams of arguments need two methods, or a union as the type of the items.";
}

explanations! { TARGETS, "The codes of what a single target or wire cannot say.":
"too-many-constants", "an enum has more constants than a class of the target's language can have", "
A class of Java initializes at most 3,000 constants. A list of codes that is so long is likely to grow, too: use a String.";

"too-many-parameters", "a method has more parameters than the target's language allows", "
Descriptions are for all languages, so creo check lets it pass; only the target that cannot say it refuses it. A method of Java takes 254
parameters, of which a long and a double count as two. Put some of them into a struct, and take that as one parameter.";

"stream-not-carried", "a method has streams, and the wire has none", "
The binary wire carries streams over TCP, and results over JMS; the json wire over HTTP if the method has only one (CALL-47). A WSDL leaves
methods with streams out, and an OpenAPI document those with two, with this warning. Code for other wires alone could not call them, which
is an error: add binary or json to --wires, or put these methods into an interface and a description of their own.";
}

explanations! { PACKAGES, "The codes of `creo pack`.":
"invalid-version", "a version that some registry could not order", "
--version takes MAJOR.MINOR.PATCH, as 1.4.0, with numbers up to 65534, or a version before that one: 1.4.0-alpha.1, 1.4.0-beta.2,
1.4.0-rc.3. Python calls the last one 1.4.0rc3; SemVer's other words have no place in Python's order, and 1.4.0-SNAPSHOT none in NuGet's.";

"invalid-name", "a name that some registry does not take", "
The name of a package has letters and digits, with `-`, `_` or `.` between them, begins with a letter and is no longer than 64
characters. It is that of the first description unless --name gives another one. The name for --package has small letters, digits and `_`.";

"invalid-coordinates", "--runtime-from does not say a package", "
A runtime that is not in the packages is somebody's package, and each registry has its own way to name it: java=GROUP:ARTIFACT:VERSION,
python=REQUIREMENT, c=MODULE of pkg-config, csharp=ID/VERSION.";

"no-jdk", "there is no JDK that could compile", "
A JAR is compiled in memory by the JDK's own compiler, from version 17 on. A runtime environment (a JRE, or Debian's
openjdk-17-jre-headless) has none: install a JDK, or set JAVA_HOME to one. Packages of other languages need none.";

"java-compiler", "the JDK's compiler refuses what was generated", "
This is a bug of the generator, or of what --package makes of names. Nothing is written. Report it with the description.";
}

explanations! { IMPORTS, "The codes of `docs/wsdl.md`, in its order.":
"unreadable-xml", "a file that is no XML that can be read", "
The file is not well-formed XML, is not in the encoding that it names, or goes beyond a limit: elements nest at most 200 deep and have at
most 1,000 attributes. Document types are not read at all, so there are no entities but the five of XML.";

"not-wsdl", "the file is neither a WSDL 1.1 nor an XML Schema", "
The root is `definitions` of WSDL 1.1 or `schema` of XML Schema. WSDL 2.0 is not read; most services publish both. What a server answers to
a wrong address is often a page of HTML.";

"import-too-large", "the files hold too much", "
The files have more than 256 MiB together, or their groups and base types, put in place, make more than two million fields.";

"nothing-to-import", "nothing is left that could be imported", "
Each operation was refused (the warnings say why), or there is neither an operation nor a type.";

"schema-not-found", "an imported file that does not exist or is not read (a warning)", "
Nothing is ever fetched, and only regular files below the folder of the imported file are opened. Name any other file with --include
LOCATION=FILE, or a folder that holds it with --include FOLDER. What is declared in a file that is not read is taken as XML: a String that is a whole element.";

"unknown-component", "a reference to something that is declared nowhere (a warning)", "
A type, element, message, port type or binding of that name is in none of the files, or a name is missing where one is needed. If there is exactly one of the name in another namespace, it is
taken, as other importers do; otherwise its place is XML: a String that is a whole element.";

"rpc-encoded", "an operation with encoded messages (a warning)", "
Types in SOAP encoding have elements without a namespace and arrays in a form of their own, so a description has literal or encoded messages,
not both. This WSDL has literal ones as well, or the operation is document/encoded or SOAP 1.2: it is left out as a whole. Import the encoded
operations from a copy of the WSDL without the literal bindings.";

"left-out", "something that a description cannot say (a warning)", "
It is left out, and the rest is imported: bindings that are not SOAP, attachments, headers of responses, faults of headers, a second type or
message of a name that differs from the first. With --strict nothing is written then.";

"unmet-policy", "the service requires what generated clients do not do (a warning)", "
A policy of the WSDL (WS-Policy), or an extension with wsdl:required, demands for example signatures, encryption or a SAML token. The
module wss does many of these: docs/soap.md. A header without signature and encryption can be written by hand: add an `@Xml(header)` parameter
to the method. For the rest use a toolkit such as CXF.";

"option-needed", "the service requires what a client sends if it is told to (a warning)", "
A policy of the WSDL (WS-Policy) demands a UsernameToken or a Timestamp of WS-Security. Give the client a user and a password, or switch its
timestamp on: docs/soap.md shows how in each language. WS-Addressing needs nothing: the interface is imported with `@Xml(addressing)`.";

"invalid-namespace", "a target namespace that no description can have", "
It holds white space, a control character, <, > or a double quote, is longer than 2048 bytes, or belongs to XML itself (XML-47).";

"odd-namespace", "a target namespace that is not a URI (a warning)", "
Namespaces are compared as strings, so it works. It is often the unfilled placeholder of a template: ask whether the service really has it.";

"odd-address", "an address or property of JMS that clients do not use (a warning)", "
Clients and hosts send to a queue or topic of a broker that is configured apart: jms:queue:NAME, without JNDI (JMS-1). The operations are
imported all the same. Ask for the queue's name, and for the broker's address and credentials: docs/jms.md says where they go.";

"import-refused", "the importer wrote a description that `creo check` refuses", "
This is a bug of the importer. Nothing is written. Report it with the WSDL.";
}

explanations! { COMMANDS, "The failures of single commands.":
"invalid-config", "a mistake in creo.toml", "
The message names the line and column, if the mistake has a place. docs/cli.md lists what a [[generate]] may have.";

"file-clash", "two descriptions give different code for one file", "
Two descriptions of the same package cannot be generated into one folder one after the other: the second would replace the code of the first. Generate them together (creo generate one.creo other.creo; in creo.toml, both in one
`descriptions`), or into different folders.";

"remote-file", "a file that is a URL", "
creo opens no connection to read a description, a WSDL or a schema. Save the file first: curl -o partner.wsdl URL.";
}

explanations! { COSTS, "The codes of `spec/cost.md`, but for those of errors.":
"unknown-field", "a path that names no value, or several", "
Paths of creo estimate and creo capacity begin with a type or a method: Data.samples, DataService.find.query.text. The help lists near ones.";

"invalid-assumption", "a length, share, range, bandwidth, latency or rate that is not valid", "
The value is beyond its bounds, or has no meaning where it is given (COST-40). Bandwidths are from 1 to 10^15 bits a second, latencies at most
a day, rates from 0.001 to 10^9 calls a second.";

"malformed-profile", "not a profile of creo calibrate", "
The file is not JSON of the form that creo calibrate writes, or it has a number beyond 10^15.";

"profile-version", "a profile of another format or version of creo", "
Measure again with creo calibrate, or use a profile that comes with this version.";

"too-few-points", "too few messages for a fit", "
A fit needs one message more than it has coefficients.";

"dependent-variables", "messages that do not distinguish variables", "
The variables that are named grow together in all messages, so their costs cannot be told apart. Measure messages in which they differ.";

"invalid-measurement", "a time that is not above 0, or a size that the model does not give", "
The measured program is not the one that the profile is for, or its clock is too coarse.";

"invalid-scenario", "a mistake in a scenario of creo capacity", "
A number, time or rate is beyond its bounds, a distribution, arrivals or a way of sharing is invalid, no method is called, or the profile has no
times for any binding (COST-59).";
}

explanations! { ERRORS, "The codes of `spec/errors.md`, in its order, without those that are diagnostics as well.":
"malformed", "the bytes do not follow the wire's page", "
The error says the place in the value, such as $.data[3].metadata, and the offset of the byte (BIN-15). `creo inspect --hex` shows what
was read before it. Two sides with different descriptions never get this far: they meet as unknown-method.";

"invalid-value", "a value that cannot be written", "
Null where none may be, a lone surrogate in a String, a DateTime outside the years 1 to 9999, a Decimal of more than 1000 digits (BIN-4,
BIN-11, BIN-12). The place says where in the value. Nothing was sent.";

"too-large", "a limit is exceeded", "
The details name the limit and what is allowed (LIM-2). Every limit of spec/limits.md can be set on servers and clients.";

"unknown-method", "no service at this place has the method", "
Either the interface is not served there, or the two sides were generated from different descriptions: a method's id is a hash of its
signature and of all types that it reaches (MODEL-4). The error says what each side has. `creo diff OLD NEW` says what changed.";

"deadline-exceeded", "the time for the call is over", "
The client ends a call at its deadline whatever the server does (TCP-12). The default is 60 seconds (LIM-12).";

"cancelled", "the caller gave up", "
The client cancelled the call; the service's method was interrupted (TCP-13).";

"unavailable", "no connection, a lost one, or a server that drains", "
The error names the address and what failed (ERR-9). Whether the method ran is not known if the connection was lost during the call.";

"overloaded", "the service's queue is full", "
Nothing was started, so the call can be repeated later (TCP-18). The limits are maxQueue and maxCallsPerConnection.";

"unauthenticated", "who calls is not known", "
The service wants credentials, which travel in the metadata `authorization` (TCP-17).";

"permission-denied", "who calls is known and may not", "
The service knows the caller and refuses the call.";

"protocol-mismatch", "the peer speaks something else, or another version", "
The first bytes of the connection are not Creo's (TCP-2), or none came within connectTimeout (TCP-19). The error names what they look like:
HTTP, TLS on a plain port, another version.";

"internal", "the method failed in a way that it did not declare", "
The message is a reference of eight digits; the service's log has the failure with its stack trace under the same reference (ERR-6). A
failure that callers should understand is declared as an exception.";

"untrusted-peer", "the certificate of the other side is not accepted", "
The client does not trust it, or it is for another name than that of the address (TCP-3). Nothing was sent, and to call again changes
nothing: the client trusts the wrong certificates, the service shows the wrong one, or somebody else answers. Clients alone find this;
no service sends it.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_diagnostic_is_explained_and_nothing_else() {
        let explained: Vec<&str> = DIAGNOSTICS.iter().map(|e| e.code).collect();
        let codes: Vec<&str> = creo_diag::Code::ALL.iter().map(|code| code.word()).collect();
        assert_eq!(explained, codes);
        let explained: Vec<&str> = IMPORTS.iter().map(|e| e.code).collect();
        let codes: Vec<&str> = creo_diag::Code::IMPORT.iter().map(|code| code.word()).collect();
        assert_eq!(explained, codes);
    }

    #[test]
    fn every_error_of_the_page_is_explained() {
        let page = include_str!("../../../spec/errors.md");
        let words: Vec<&str> =
            page.lines().filter_map(|line| line.strip_prefix("| ")?.split('`').nth(1)).collect();
        assert_eq!(words.len(), 13);
        assert_eq!(ERRORS.iter().map(|e| e.code).collect::<Vec<_>>(), words);
    }

    #[test]
    fn every_mistake_of_the_cost_model_is_explained() {
        let page = include_str!("../../../spec/cost.md");
        let (_, mistakes) = page.split_once("**COST-40**").expect("the clause");
        let codes = mistakes.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        let codes: Vec<&str> = codes.filter(|code| code.contains('-') && !code.contains(' ')).collect();
        assert!(codes.len() >= 10, "{codes:?}");
        for code in codes {
            assert!(all().any(|e| e.code == code), "{code} is not explained");
        }
    }

    #[test]
    fn codes_are_explained_once() {
        let mut codes: Vec<&str> = all().map(|e| e.code).collect();
        codes.sort_unstable();
        let count = codes.len();
        codes.dedup();
        assert_eq!(codes.len(), count);
    }
}
