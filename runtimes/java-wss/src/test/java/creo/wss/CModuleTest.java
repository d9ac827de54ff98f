package creo.wss;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import creo.runtime.Server;
import creo.runtime.ServiceSecurity;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.interfaces.ECPublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.dom.WSConstants;
import org.example.notes.Notes;
import org.example.notes.NotesEndpoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.w3c.dom.Element;

/** The module of C with WSS4J and with this one, both ways, and against the same attacks. */
class CModuleTest {
    private static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";
    private static final String TO = "<wsa:To xmlns:wsa=\"" + ADDRESSING + "\">urn:to</wsa:To>";
    private static final byte[] PLAIN = Envelopes.of(Envelopes.BODY);
    private static final String READER = "issuers=ca,known=alice";
    private static final Map<TokenReference, Integer> REFERENCES = Map.of(TokenReference.BINARY_TOKEN, WSConstants.BST_DIRECT_REFERENCE, TokenReference.ISSUER_SERIAL,
        WSConstants.ISSUER_SERIAL, TokenReference.KEY_IDENTIFIER, WSConstants.SKI_KEY_IDENTIFIER, TokenReference.THUMBPRINT, WSConstants.THUMBPRINT_IDENTIFIER);
    private static final List<Algorithm> SIGNATURES = List.of(Algorithm.RSA_SHA256, Algorithm.RSA_SHA384, Algorithm.RSA_SHA512, Algorithm.RSA_PSS_SHA256, Algorithm.ECDSA_SHA256);
    private static final Map<Algorithm, String> NAMES = Map.of(Algorithm.RSA_OAEP, "rsa-oaep-mgf1p", Algorithm.RSA_OAEP_SHA256, "rsa-oaep");

    private static CModule c;
    private static int kept;

    @BeforeAll
    static void start() throws Exception {
        c = CModule.start();
    }

    @AfterAll
    static void end() throws Exception {
        if (c != null) {
            c.close();
        }
    }

    /** Options of a reader that has seen nothing. */
    private static String fresh(String options) {
        return options + ",keep=" + ++kept;
    }

    private static String name(Algorithm algorithm) {
        return NAMES.getOrDefault(algorithm, algorithm.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'));
    }

    private static void assertRead(byte[] envelope) {
        assertTrue(Envelopes.body(envelope).contains("<n:text>Grüße &amp; €5\uD83D\uDE00</n:text>"), Envelopes.text(envelope));
        assertFalse(Envelopes.text(envelope).contains("Security"), Envelopes.text(envelope));
    }

    private static void refused(String reason, String options, byte[] message) throws Exception {
        CModule.Outcome outcome = c.receive(fresh(options), message);
        String said = outcome.reason();
        assertTrue(reason.equals("no document") ? outcome.error().startsWith("malformed") || outcome.error().startsWith("too-large") : said.startsWith(reason), outcome.error());
    }

    private static WsSecurity.Builder ours() {
        return WsSecurity.builder().trustIssuers(Certificates.of("ca")).know(Certificates.of("alice"), Certificates.of("curve"))
            .decrypt(Certificates.key("bob"), Certificates.of("bob"));
    }

    /** C writes, and both others check. */
    private static void written(String options, byte[] envelope, WsSecurity.Builder reader, String... parts) throws Exception {
        byte[] sent = c.send(options, envelope).get();
        Peer.Found found = Peer.check(sent);
        assertEquals(new TreeSet<>(List.of(parts)), new TreeSet<>(found.parts()));
        assertTrue(found.text().contains("Grüße &amp; €5\uD83D\uDE00"), found.text());
        assertRead(reader.build().accept(sent, sent.length, null).envelope());
    }

    @TestFactory
    List<DynamicTest> signatures() {
        List<DynamicTest> rows = new ArrayList<>();
        for (String soap : List.of(Names.SOAP_11, Names.SOAP_12)) {
            for (boolean header : new boolean[] { false, true }) {
                for (TokenReference reference : TokenReference.values()) {
                    for (Algorithm algorithm : SIGNATURES) {
                        rows.add(signature(soap, header, reference, algorithm));
                    }
                }
            }
        }
        return rows;
    }

    private static DynamicTest signature(String soap, boolean header, TokenReference reference, Algorithm algorithm) {
        String signer = algorithm == Algorithm.ECDSA_SHA256 ? "curve" : "alice";
        byte[] envelope = Envelopes.of(soap, header ? TO : "", Envelopes.BODY);
        return dynamicTest((soap.equals(Names.SOAP_11) ? "SOAP 1.1 " : "SOAP 1.2 ") + (header ? "with a header " : "") + reference + " " + algorithm, () -> {
            String reader = "issuers=ca,known=" + signer + (header ? ",required={" + ADDRESSING + "}To" : "");
            String writer = "signer=" + signer + ",reference=" + reference + ",signature=" + name(algorithm) + (header ? ",headers={" + ADDRESSING + "}*" : "");
            Peer.Form form = new Peer.Form();
            form.signer = signer;
            form.reference = REFERENCES.get(reference);
            form.signature = algorithm.uri;
            WsSecurity.Builder own = WsSecurity.builder().sign(Certificates.key(signer), Certificates.of(signer)).reference(reference).signature(algorithm);
            List<String> parts = new ArrayList<>(List.of("signed Body", "signed Timestamp"));
            WsSecurity.Builder checks = ours();
            if (header) {
                form.more.add(new WSEncryptionPart("To", ADDRESSING, "Element"));
                own.signHeader(ADDRESSING, "*");
                parts.add("signed To");
                checks.requireSignedHeader(ADDRESSING, "To");
            }
            written(writer, envelope, checks, parts.toArray(String[]::new));
            assertRead(c.receive(fresh(reader), Peer.secure(envelope, form)).get());
            assertRead(c.receive(fresh(reader), own.build().send(envelope)).get());
        });
    }

    @TestFactory
    List<DynamicTest> encryption() {
        List<DynamicTest> rows = new ArrayList<>();
        for (boolean signs : new boolean[] { true, false }) {
            for (TokenReference reference : TokenReference.values()) {
                for (Algorithm key : List.of(Algorithm.RSA_OAEP, Algorithm.RSA_OAEP_SHA256)) {
                    for (Algorithm data : List.of(Algorithm.AES128_GCM, Algorithm.AES256_GCM, Algorithm.AES128_CBC, Algorithm.AES256_CBC)) {
                        rows.add(encryption(signs, reference, key, data));
                    }
                }
            }
        }
        return rows;
    }

    private static DynamicTest encryption(boolean signs, TokenReference reference, Algorithm key, Algorithm data) {
        return dynamicTest((signs ? "signed, " : "") + reference + " " + key + " " + data, () -> {
            String reader = "decrypt=bob,encrypted=1,allowed=aes128-cbc+aes256-cbc" + (signs ? "," + READER : "");
            String writer = "recipient=bob,keyReference=" + reference + ",key=" + name(key) + ",data=" + name(data) + (signs ? ",signer=alice" : "");
            Peer.Form form = new Peer.Form();
            form.signs = signs;
            form.recipient = "bob";
            form.keyReference = REFERENCES.get(reference);
            form.key = key.uri;
            form.data = data.uri;
            WsSecurity.Builder own = WsSecurity.builder().encryptTo(Certificates.of("bob")).keyReference(reference).encryption(key, data);
            WsSecurity.Builder checks = signs ? ours() : WsSecurity.builder().decrypt(Certificates.key("bob"), Certificates.of("bob"));
            List<String> parts = new ArrayList<>(List.of("encrypted Body"));
            if (signs) {
                own.sign(Certificates.key("alice"), Certificates.of("alice"));
                parts.addAll(List.of("signed Body", "signed Timestamp"));
            }
            written(writer, PLAIN, checks.requireEncrypted().allow(Algorithm.AES128_CBC, Algorithm.AES256_CBC), parts.toArray(String[]::new));
            assertRead(c.receive(fresh(reader), Peer.secure(PLAIN, form)).get());
            assertRead(c.receive(fresh(reader), own.build().send(PLAIN)).get());
        });
    }

    /** Forms that this module does not write. */
    @Test
    void otherForms() throws Exception {
        for (Algorithm digest : List.of(Algorithm.SHA256, Algorithm.SHA384, Algorithm.SHA512)) {
            Peer.Form form = new Peer.Form();
            form.digest = digest.uri;
            assertRead(c.receive(fresh(READER), Peer.secure(PLAIN, form)).get());
        }
        Peer.Form whole = new Peer.Form();
        whole.reference = WSConstants.X509_KEY_IDENTIFIER;
        assertRead(c.receive(fresh(READER), Peer.secure(PLAIN, whole)).get());
        Peer.Form first = new Peer.Form();
        first.recipient = "bob";
        first.encryptsFirst = true;
        assertRead(c.receive(fresh(READER + ",decrypt=bob,encrypted=1"), Peer.secure(PLAIN, first)).get());
        Peer.Form old = new Peer.Form();
        old.signs = false;
        old.recipient = "bob";
        old.key = Algorithm.RSA_1_5.uri;
        refused("algorithm", "decrypt=bob", Peer.secure(PLAIN, old));
        assertRead(c.receive(fresh("decrypt=bob,allowed=rsa-1_5"), Peer.secure(PLAIN, old)).get());
    }

    /** A token of a user, which the runtime writes into its own block. */
    @Test
    void tokens() throws Exception {
        String token = "<wsse:Security xmlns:wsse=\"" + Names.WSSE + "\" xmlns:wsu=\"" + Names.WSU + "\" soap:mustUnderstand=\"1\"><wsse:UsernameToken><wsse:Username>anna</wsse:Username>"
            + "<wsse:Password>changeit</wsse:Password></wsse:UsernameToken></wsse:Security>";
        byte[] envelope = Envelopes.of(Names.SOAP_11, token, Envelopes.BODY);
        Peer.Found signed = Peer.check(c.send("signer=alice", envelope).get());
        assertEquals(List.of("signed Body", "signed Timestamp", "signed UsernameToken"), signed.parts());
        byte[] sent = c.send("signer=alice,recipient=bob", envelope).get();
        assertFalse(Envelopes.text(sent).contains("changeit"));
        Peer.Found found = Peer.check(sent);
        assertTrue(found.parts().containsAll(List.of("encrypted UsernameToken", "encrypted Body", "signed UsernameToken")), found.parts().toString());
        byte[] checked = ours().build().receive(sent, sent.length, null);
        assertTrue(Envelopes.text(checked).contains("<wsse:Username>anna</wsse:Username><wsse:Password>changeit</wsse:Password>"), Envelopes.text(checked));
    }

    /** The attacks of {@link Attacks} on messages of both, each with the reason that this module gives. */
    @TestFactory
    List<DynamicTest> attacks() throws Exception {
        List<DynamicTest> rows = new ArrayList<>();
        byte[] own = WsSecurity.builder().sign(Certificates.key("alice"), Certificates.of("alice")).build().send(PLAIN);
        byte[] of = c.send("signer=alice", PLAIN).get();
        String reader = READER + ",required={" + ADDRESSING + "}*";
        for (Attacks.Attack attack : Attacks.all()) {
            rows.add(dynamicTest(attack.name(), () -> {
                refused(attack.reason(), reader, attack.on(own));
                refused(attack.reason(), reader, attack.on(of));
            }));
        }
        return rows;
    }

    @Test
    void signersWhoAreNotTrusted() throws Exception {
        Peer.Form form = new Peer.Form();
        for (String name : List.of("mallory", "old", "weak")) {
            form.signer = name;
            refused(name.equals("weak") ? "weak-key" : "untrusted", READER, Peer.secure(PLAIN, form));
        }
        form.signer = "bob";
        refused("untrusted", "trusted=alice", Peer.secure(PLAIN, form));
        refused("untrusted", "decrypt=bob", Peer.secure(PLAIN, form));
    }

    @Test
    void weakAlgorithmsOfASignerWhoIsTrusted() throws Exception {
        Peer.Form form = new Peer.Form();
        form.signature = Algorithm.RSA_SHA1.uri;
        byte[] message = Peer.secure(PLAIN, form);
        refused("algorithm", READER, message);
        assertRead(c.receive(fresh(READER + ",allowed=rsa-sha1"), message).get());
        form.signature = Algorithm.RSA_SHA256.uri;
        form.digest = Algorithm.SHA1.uri;
        message = Peer.secure(PLAIN, form);
        refused("algorithm", READER, message);
        assertRead(c.receive(fresh(READER + ",allowed=sha1"), message).get());
        form.digest = Algorithm.SHA256.uri;
        form.timestamp = false;
        message = Peer.secure(PLAIN, form);
        refused("not-signed", READER, message);
        assertRead(c.receive(fresh(READER + ",timeless=1"), message).get());
    }

    @Test
    void prefixesInValues() throws Exception {
        String typed = "<soap:Envelope xmlns:soap=\"" + Names.SOAP_11 + "\" xmlns:n1=\"urn:good\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><soap:Body><a xsi:type=\"n1:T\"/></soap:Body></soap:Envelope>";
        Peer.Form form = new Peer.Form();
        byte[] good = Peer.secure(typed.getBytes(StandardCharsets.UTF_8), form);
        c.receive(fresh(READER), good).get();
        refused("bad-signature", READER, Envelopes.text(good).replace("urn:good", "urn:evil").getBytes(StandardCharsets.UTF_8));
        form.inclusive = false;
        byte[] loose = Peer.secure(typed.getBytes(StandardCharsets.UTF_8), form);
        refused("prefix", READER, loose);
        c.receive(fresh(READER + ",loose=1"), loose).get();
        c.receive(fresh(READER), Peer.secure(typed.replace("<a xsi", "<n1:a xsi").getBytes(StandardCharsets.UTF_8), form)).get();
    }

    /** Of a signature of a curve, anyone can make another one of the same message: it counts as the same. */
    @Test
    void theOtherSignatureOfACurve() throws Exception {
        byte[] message = c.send("signer=curve", PLAIN).get();
        String reader = fresh(READER);
        assertRead(c.receive(reader, message).get());
        Envelope e = Envelope.parse(message, message.length, "utf-8");
        Element value = Dom.required(Dom.required(e.security, Names.DSIG, "Signature"), Names.DSIG, "SignatureValue");
        byte[] both = Tokens.bytes(Dom.text(value));
        BigInteger s = new BigInteger(1, Arrays.copyOfRange(both, 32, 64));
        byte[] other = ((ECPublicKey) Certificates.of("curve").getPublicKey()).getParams().getOrder().subtract(s).toByteArray();
        byte[] made = Arrays.copyOf(both, 64);
        Arrays.fill(made, 32, 64, (byte) 0);
        int n = Math.min(32, other.length);
        System.arraycopy(other, other.length - n, made, 64 - n, n);
        value.setTextContent(Base64.getEncoder().encodeToString(made));
        byte[] changed = e.toBytes();
        assertRead(c.receive(fresh(READER), changed).get());
        assertTrue(c.receive(reader, changed).reason().startsWith("replayed"));
    }

    /** What an attacker encrypts cannot leave the place of the encrypted data. */
    @Test
    void encryptedTagsThatDoNotMatch() throws Exception {
        byte[] message = c.send("recipient=bob", PLAIN).get();
        for (String content : List.of("</w><w>", "<a>", "</soap:Body><soap:Body>", "<!DOCTYPE a><a/>", "&e;", "\u0000")) {
            Envelope e = Envelope.parse(message, message.length, "utf-8");
            byte[] key = new byte[32];
            Element wrapped = Dom.required(e.security, Names.XENC, "EncryptedKey");
            Element method = Dom.add(wrapped, null, Names.XENC, "xenc:M");
            cipherValue(wrapped).setTextContent(Base64.getEncoder().encodeToString(Encryption.wrap(Algorithm.RSA_OAEP, Certificates.of("bob").getPublicKey(), key, method)));
            wrapped.removeChild(method);
            byte[] data = Encryption.encrypt(Algorithm.AES256_GCM, key, content.getBytes(StandardCharsets.UTF_8));
            cipherValue(Dom.children(e.body).get(0)).setTextContent(Base64.getEncoder().encodeToString(data));
            refused("not-decrypted: the message cannot be decrypted", "decrypt=bob", e.toBytes());
        }
    }

    private static Element cipherValue(Element of) {
        return Dom.required(Dom.required(of, Names.XENC, "CipherData"), Names.XENC, "CipherValue");
    }

    /** The service of whole calls. */
    private static String call(ServiceSecurity security, String signer, String form) throws Exception {
        Path program = CModule.make("caller");
        try (Server server = Server.builder().http("127.0.0.1", 0).add(NotesEndpoint.of(new NotesService()).withSecurity(security)).start()) {
            Process process = new ProcessBuilder(program.toString(), "http://127.0.0.1:" + server.httpPort() + "/Notes", c.folder.toString(), signer, form).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            process.waitFor();
            return said;
        }
    }

    private static WsSecurity.Builder service() {
        return WsSecurity.builder().sign(Certificates.key("bob"), Certificates.of("bob")).trustIssuers(Certificates.of("ca")).know(Certificates.of("alice"))
            .decrypt(Certificates.key("bob"), Certificates.of("bob")).requireSignedHeader(ADDRESSING, "*");
    }

    @Test
    void wholeCalls() throws Exception {
        assertEquals("ok", call(service().build(), "alice", "signed"));
        for (String form : List.of("encrypted", "record", "aggregated")) {
            assertEquals("ok", call(service().encryptToSigner().requireEncrypted().build(), "alice", form));
        }
        Peer.Form answers = new Peer.Form();
        answers.signer = "bob";
        answers.recipient = "alice";
        assertEquals("ok", call(new PeerSecurity(answers, "signed Body", "signed Timestamp", "encrypted Body"), "alice", "encrypted"));
    }

    @Test
    void wholeCallsThatAreRefused() throws Exception {
        String said = call(service().build(), "mallory", "signed");
        assertTrue(said.startsWith("protocol-mismatch: no-security: the answer is a fault without security: ") && said.contains("untrusted: "), said);
        said = call(service().build(), "alice", "encrypted");
        assertTrue(said.startsWith("protocol-mismatch: not-encrypted: "), said);
    }
}
