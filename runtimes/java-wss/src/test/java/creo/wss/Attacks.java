package creo.wss;

import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Changes to a signed message that an attacker could make on its way. */
final class Attacks {
    static final String EVIL = "<n:say xmlns:n=\"urn:creo:org.example.notes\"><n:text>evil</n:text></n:say>";

    /** A change of a message. */
    interface Change {
        void change(Envelope e);
    }

    /** A change of the text of a message. */
    interface TextChange {
        String change(String text);
    }

    /** A row of the table: what is done to a signed message, and the word that the refusal begins with. */
    record Attack(String name, String reason, Change change, TextChange text) {
        Attack as(String other) {
            return new Attack(name, other, change, text);
        }

        byte[] on(byte[] message) {
            if (text != null) {
                return text.change(Envelopes.text(message)).getBytes(StandardCharsets.UTF_8);
            }
            Envelope e = Envelope.parse(message, message.length, "utf-8");
            change.change(e);
            return e.toBytes();
        }
    }

    private Attacks() {}

    private static Attack tree(String name, String reason, Change change) {
        return new Attack(name, reason, change, null);
    }

    private static Attack text(String name, String reason, TextChange change) {
        return new Attack(name, reason, null, change);
    }

    private static Attack replaced(String name, String reason, String from, String to) {
        return text(name, reason, message -> {
            if (!message.contains(from)) {
                throw new AssertionError("the message has no " + from);
            }
            return message.replace(from, to);
        });
    }

    /** A second body, with the content of an attacker. */
    private static Element evil(Envelope e) {
        Element body = e.document.createElementNS(e.soap, "soap:Body");
        byte[] content = EVIL.getBytes(StandardCharsets.UTF_8);
        body.appendChild(e.document.importNode(Dom.parse(content, content.length, "utf-8").getDocumentElement(), true));
        return body;
    }

    private static Element add(Node parent, String namespace, String name) {
        return Dom.add(parent, null, namespace, name);
    }

    private static Element signature(Envelope e) {
        return Dom.required(e.security, Names.DSIG, "Signature");
    }

    private static Element info(Envelope e) {
        return Dom.required(signature(e), Names.DSIG, "SignedInfo");
    }

    private static String id(Element element) {
        return Envelope.id(element).getValue();
    }

    /** Signature wrapping: what is signed is moved, and something else is at its place. */
    private static List<Attack> wrapping() {
        return List.of(
            tree("body in a block of the header", "misplaced", e -> {
                Element evil = evil(e);
                e.root.replaceChild(evil, e.body);
                add(e.header, "urn:x", "x:wrap").appendChild(e.body);
            }),
            tree("body as a block of the header", "not-signed", e -> {
                Element evil = evil(e);
                e.root.replaceChild(evil, e.body);
                e.header.appendChild(e.body);
            }),
            tree("body in the Security block", "token", e -> {
                Element evil = evil(e);
                e.root.replaceChild(evil, e.body);
                e.security.appendChild(e.body);
            }),
            tree("body in the body of another", "misplaced", e -> {
                Element evil = evil(e);
                e.root.replaceChild(evil, e.body);
                evil.appendChild(e.body);
            }),
            tree("body in an Object of the signature", "unreadable", e -> {
                Element evil = evil(e);
                e.root.replaceChild(evil, e.body);
                add(signature(e), Names.DSIG, "ds:Object").appendChild(e.body);
            }),
            tree("two bodies, the signed one first", "misplaced", e -> e.root.appendChild(evil(e))),
            tree("two bodies, the signed one last", "misplaced", e -> e.root.insertBefore(evil(e), e.body)),
            tree("body after the envelope's body, in another element", "misplaced", e -> {
                Element evil = evil(e);
                e.root.replaceChild(evil, e.body);
                add(e.root, "urn:x", "x:wrap").appendChild(e.body);
            }),
            tree("another body with the same wsu:Id", "duplicate-id", e -> {
                Element evil = evil(e);
                Tokens.setId(evil, id(e.body));
                e.root.replaceChild(evil, e.body);
                add(e.header, "urn:x", "x:wrap").appendChild(e.body);
            }),
            tree("another body with the same id without a namespace", "duplicate-id", e -> {
                Element evil = evil(e);
                evil.setAttributeNS(null, "ID", id(e.body));
                e.root.replaceChild(evil, e.body);
                add(e.header, "urn:x", "x:wrap").appendChild(e.body);
            }),
            tree("an element within the body with the id of the timestamp", "duplicate-id",
                e -> Dom.children(e.body).get(0).setAttributeNS("http://www.w3.org/XML/1998/namespace", "xml:id", id(Dom.only(e.security, Names.WSU, "Timestamp")))),
            tree("an old timestamp in a block, and a new one", "misplaced", e -> {
                Element old = Dom.only(e.security, Names.WSU, "Timestamp");
                Element fresh = (Element) old.cloneNode(true);
                fresh.removeAttributeNS(Names.WSU, "Id");
                e.security.replaceChild(fresh, old);
                add(e.header, "urn:x", "x:wrap").appendChild(old);
            }),
            tree("an old timestamp beside a new one", "token", e -> {
                Element old = Dom.only(e.security, Names.WSU, "Timestamp");
                Element fresh = (Element) old.cloneNode(true);
                fresh.removeAttributeNS(Names.WSU, "Id");
                e.security.insertBefore(fresh, old);
            }),
            tree("a second Security block", "security-blocks", e -> e.header.appendChild(add(e.header, Names.WSSE, "wsse:Security"))),
            tree("the Security block for another receiver", "no-security", e -> e.security.setAttributeNS(e.soap, "soap:actor", "urn:another")),
            tree("a second signature", "token", e -> e.security.appendChild(signature(e).cloneNode(true))));
    }

    private static List<Attack> removed() {
        return List.of(
            tree("no Security block", "no-security", e -> e.header.removeChild(e.security)),
            tree("no header", "no-security", e -> e.root.removeChild(e.header)),
            tree("no signature", "not-signed", e -> e.security.removeChild(signature(e))),
            tree("no timestamp", "unknown-id", e -> e.security.removeChild(Dom.only(e.security, Names.WSU, "Timestamp"))),
            tree("no reference to the body", "bad-signature", e -> {
                Element last = null;
                for (Element child : Dom.children(info(e))) {
                    last = child.getAttributeNS(null, "URI").equals("#" + id(e.body)) ? child : last;
                }
                info(e).removeChild(last);
            }),
            tree("a token of a user is added", "not-signed", e -> add(add(e.security, Names.WSSE, "wsse:UsernameToken"), Names.WSSE, "wsse:Username").setTextContent("root")),
            tree("a block that must be signed is added", "not-signed", e -> add(e.header, "http://www.w3.org/2005/08/addressing", "wsa:To").setTextContent("urn:evil")),
            tree("an unknown token", "token", e -> add(e.security, "urn:x", "x:Token")));
    }

    private static List<Attack> altered() {
        return List.of(
            replaced("the text of the body", "bad-digest", "Grüße", "grüße"),
            replaced("an element of the body by a comment", "bad-digest", "<n:text>", "<n:text/><n:text>"),
            tree("an attribute of the body", "bad-digest", e -> e.body.setAttributeNS(null, "x", "1")),
            tree("the namespace of the body's content", "bad-digest", e -> {
                Element old = Dom.children(e.body).get(0);
                e.document.renameNode(old, "urn:x", "n:say");
                old.setAttributeNS(Names.XMLNS, "xmlns:n", "urn:x");
            }),
            text("the time at which the message expires", "bad-digest", message -> message.replaceFirst("<wsu:Expires>20", "<wsu:Expires>21")),
            text("a digest", "bad-signature", message -> message.replaceFirst("<ds:DigestValue>....", "<ds:DigestValue>AAAA")),
            text("the signature", "bad-signature", message -> message.replaceFirst("<ds:SignatureValue>....", "<ds:SignatureValue>AAAA")),
            text("the certificate", "untrusted", message -> message.replaceFirst("(<wsse:BinarySecurityToken[^>]*>)[^<]*",
                "$1" + Base64.getEncoder().encodeToString(encoded("mallory")))),
            text("the certificate of another that is trusted", "bad-signature", message -> message.replaceFirst("(<wsse:BinarySecurityToken[^>]*>)[^<]*",
                "$1" + Base64.getEncoder().encodeToString(encoded("bob")))));
    }

    private static byte[] encoded(String alias) {
        try {
            return Certificates.of(alias).getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Attack> algorithms() {
        String rsa = Algorithm.RSA_SHA256.uri;
        String exclusive = "<ds:Transform Algorithm=\"" + Names.EXCLUSIVE + "\"";
        return List.of(
            replaced("rsa-sha1", "algorithm", rsa, Algorithm.RSA_SHA1.uri),
            replaced("HMAC with the public key as its secret", "algorithm", rsa, "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256"),
            replaced("a signature of another kind of key", "algorithm", rsa, Algorithm.ECDSA_SHA256.uri),
            replaced("an unknown algorithm", "algorithm", rsa, "urn:none"),
            replaced("digests of SHA-1", "algorithm", Algorithm.SHA256.uri, Algorithm.SHA1.uri),
            replaced("inclusive canonicalization of the signature", "algorithm", "CanonicalizationMethod Algorithm=\"" + Names.EXCLUSIVE,
                "CanonicalizationMethod Algorithm=\"http://www.w3.org/TR/2001/REC-xml-c14n-20010315"),
            replaced("canonicalization with comments", "transform", exclusive, "<ds:Transform Algorithm=\"" + Names.EXCLUSIVE + "WithComments\""),
            replaced("an XPath", "transform", exclusive, "<ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xpath-19991116\""),
            replaced("an XSLT", "transform", exclusive, "<ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xslt-19991116\""),
            replaced("an enveloped signature", "transform", exclusive, "<ds:Transform Algorithm=\"" + Names.DSIG + "enveloped-signature\""),
            replaced("the transform of references to tokens", "transform", exclusive,
                "<ds:Transform Algorithm=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#STR-Transform\""),
            tree("no transform", "transform", e -> {
                Element reference = Dom.children(info(e)).get(2);
                reference.removeChild(Dom.only(reference, Names.DSIG, "Transforms"));
            }));
    }

    private static Attack uri(String uri) {
        return tree("a reference to \"" + uri + "\"", "reference", e -> Dom.children(info(e)).get(2).setAttributeNS(null, "URI", uri));
    }

    private static Attack keyInfo(String name, String content) {
        return tree("KeyInfo with " + name, "key-reference", e -> {
            Element info = Dom.required(signature(e), Names.DSIG, "KeyInfo");
            info.removeChild(info.getFirstChild());
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            info.appendChild(e.document.importNode(Dom.parse(bytes, bytes.length, "utf-8").getDocumentElement(), true));
        });
    }

    private static List<Attack> references() {
        String wsse = "<s:SecurityTokenReference xmlns:s=\"" + Names.WSSE + "\">";
        return List.of(uri(""), uri("#"), uri("http://127.0.0.1:1/x"), uri("file:///etc/passwd"), uri("#xpointer(/)"), uri("#xpointer(id('x'))"), uri("cid:x"),
            tree("a reference to an id that is not there", "unknown-id", e -> Dom.children(info(e)).get(2).setAttributeNS(null, "URI", "#none")),
            tree("two references to one element", "misplaced", e -> {
                List<Element> all = Dom.children(info(e));
                all.get(2).setAttributeNS(null, "URI", all.get(3).getAttributeNS(null, "URI"));
            }),
            keyInfo("a bare key", "<ds:KeyValue xmlns:ds=\"" + Names.DSIG + "\"><ds:RSAKeyValue><ds:Modulus>AQAB</ds:Modulus><ds:Exponent>AQAB</ds:Exponent></ds:RSAKeyValue></ds:KeyValue>"),
            keyInfo("a name", "<ds:KeyName xmlns:ds=\"" + Names.DSIG + "\">alice</ds:KeyName>"),
            keyInfo("a method to retrieve it", "<ds:RetrievalMethod xmlns:ds=\"" + Names.DSIG + "\" URI=\"http://127.0.0.1:1/key\"/>"),
            keyInfo("a symmetric key", wsse + "<s:KeyIdentifier ValueType=\"http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#EncryptedKeySHA1\">AAAA</s:KeyIdentifier></s:SecurityTokenReference>"),
            keyInfo("a symmetric key derived from a password", wsse + "<s:Reference ValueType=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#UsernameToken\" URI=\"#none\"/></s:SecurityTokenReference>")
                .as("unknown-id"),
            keyInfo("a thumbprint that is unknown", wsse + "<s:KeyIdentifier ValueType=\"" + Names.THUMBPRINT + "\">AAAA</s:KeyIdentifier></s:SecurityTokenReference>"),
            keyInfo("a certificate that is none", wsse + "<s:KeyIdentifier ValueType=\"" + Names.CERTIFICATE + "\">AAAA</s:KeyIdentifier></s:SecurityTokenReference>"),
            keyInfo("a serial number that is none", wsse + "<d:X509Data xmlns:d=\"" + Names.DSIG + "\"><d:X509IssuerSerial><d:X509IssuerName>CN=x</d:X509IssuerName><d:X509SerialNumber>"
                + "9".repeat(1_000) + "</d:X509SerialNumber></d:X509IssuerSerial></d:X509Data></s:SecurityTokenReference>"),
            keyInfo("a reference within a reference", wsse + wsse + "</s:SecurityTokenReference></s:SecurityTokenReference>"));
    }

    private static List<Attack> many() {
        return List.of(
            tree("10,000 references", "too-many", e -> {
                Element reference = Dom.children(info(e)).get(2);
                for (int i = 0; i < 10_000; i++) {
                    info(e).appendChild(reference.cloneNode(true));
                }
            }),
            tree("10,000 tokens", "too-many", e -> {
                Element token = Dom.only(e.security, Names.WSSE, "BinarySecurityToken");
                for (int i = 0; i < 10_000; i++) {
                    Element more = (Element) token.cloneNode(false);
                    more.removeAttributeNS(Names.WSU, "Id");
                    e.security.insertBefore(more, token);
                }
            }),
            text("an entity", "no document", message -> "<!DOCTYPE x [<!ENTITY e \"evil\">]>" + message.replace("Grüße", "&e;")),
            text("entities that grow", "no document", message -> "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]>" + message),
            text("an entity of a file", "no document", message -> "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>" + message.replace("Grüße", "&e;")),
            text("a document type alone", "no document", message -> "<!DOCTYPE x>" + message),
            text("an attribute that a document type makes an id", "no document", message -> "<!DOCTYPE x [<!ATTLIST x y ID #IMPLIED>]>" + message),
            text("elements that nest deeply", "no document", message -> message.replace("<n:text>", "<n:text>" + "<a>".repeat(100_000) + "</a>".repeat(100_000))),
            text("an element with very many attributes", "no document", message -> {
                StringBuilder attributes = new StringBuilder("<n:text");
                for (int i = 0; i < 10_000; i++) {
                    attributes.append(" a").append(i).append("=\"\"");
                }
                return message.replace("<n:text>", attributes.append('>'));
            }));
    }

    /** The whole table. */
    static List<Attack> all() {
        List<Attack> all = new ArrayList<>();
        List.of(wrapping(), removed(), altered(), algorithms(), references(), many()).forEach(all::addAll);
        return all;
    }
}
