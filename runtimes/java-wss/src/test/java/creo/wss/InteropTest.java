package creo.wss;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.dom.WSConstants;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Messages of ours that WSS4J checks, and of WSS4J that we check: each combination is a row. */
class InteropTest {
    private static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";
    private static final String TO = "<wsa:To xmlns:wsa=\"" + ADDRESSING + "\">urn:to</wsa:To>";
    private static final Map<TokenReference, Integer> REFERENCES = Map.of(TokenReference.BINARY_TOKEN, WSConstants.BST_DIRECT_REFERENCE, TokenReference.ISSUER_SERIAL,
        WSConstants.ISSUER_SERIAL, TokenReference.KEY_IDENTIFIER, WSConstants.SKI_KEY_IDENTIFIER, TokenReference.THUMBPRINT, WSConstants.THUMBPRINT_IDENTIFIER);
    private static final List<Algorithm> RSA = List.of(Algorithm.RSA_SHA256, Algorithm.RSA_SHA384, Algorithm.RSA_SHA512, Algorithm.RSA_PSS_SHA256);

    /** Which parts are signed. */
    private enum Parts { BODY_AND_TIMESTAMP, AND_HEADER }

    private static byte[] envelope(String soap, Parts parts) {
        return Envelopes.of(soap, parts == Parts.AND_HEADER ? TO : "", Envelopes.BODY);
    }

    private static WsSecurity.Builder reader() {
        return WsSecurity.builder().trustIssuers(Certificates.of("ca")).know(Certificates.of("alice"), Certificates.of("curve"))
            .decrypt(Certificates.key("bob"), Certificates.of("bob"));
    }

    private static DynamicTest ours(String name, WsSecurity.Builder security, byte[] envelope, String... parts) {
        return dynamicTest("ours " + name, () -> {
            Peer.Found found = Peer.check(security.build().send(envelope));
            assertEquals(new TreeSet<>(List.of(parts)), new TreeSet<>(found.parts()));
            assertTrue(found.text().contains("Grüße &amp; €5\uD83D\uDE00"), found.text());
        });
    }

    private static DynamicTest theirs(String name, Peer.Form form, WsSecurity.Builder security, byte[] envelope) {
        return dynamicTest("theirs " + name, () -> {
            byte[] secured = Peer.secure(envelope, form);
            byte[] checked = security.build().receive(secured, secured.length, null);
            assertEquals(Envelopes.BODY, Envelopes.body(checked));
            assertFalse(Envelopes.text(checked).contains("Security"));
        });
    }

    @TestFactory
    List<DynamicTest> signatures() {
        List<DynamicTest> rows = new ArrayList<>();
        for (String soap : List.of(Names.SOAP_11, Names.SOAP_12)) {
            for (Parts parts : Parts.values()) {
                for (TokenReference reference : TokenReference.values()) {
                    for (Algorithm algorithm : Algorithm.values()) {
                        boolean curve = algorithm == Algorithm.ECDSA_SHA256;
                        if (!curve && !RSA.contains(algorithm) || soap.equals(Names.SOAP_12) && algorithm != Algorithm.RSA_SHA256) {
                            continue;
                        }
                        String signer = curve ? "curve" : "alice";
                        String name = (soap.equals(Names.SOAP_11) ? "SOAP 1.1 " : "SOAP 1.2 ") + parts + " " + reference + " " + algorithm;
                        WsSecurity.Builder writer = WsSecurity.builder().sign(Certificates.key(signer), Certificates.of(signer)).reference(reference).signature(algorithm);
                        List<String> signed = new ArrayList<>(List.of("signed Body", "signed Timestamp"));
                        WsSecurity.Builder reader = reader();
                        Peer.Form form = new Peer.Form();
                        form.signer = signer;
                        form.reference = REFERENCES.get(reference);
                        form.signature = algorithm.uri;
                        if (parts == Parts.AND_HEADER) {
                            writer.signHeader(ADDRESSING, "*");
                            signed.add("signed To");
                            reader.requireSignedHeader(ADDRESSING, "To");
                            form.more.add(new WSEncryptionPart("To", ADDRESSING, "Element"));
                        }
                        rows.add(ours(name, writer, envelope(soap, parts), signed.toArray(String[]::new)));
                        rows.add(theirs(name, form, reader, envelope(soap, parts)));
                    }
                }
            }
        }
        return rows;
    }

    @TestFactory
    List<DynamicTest> digests() {
        List<DynamicTest> rows = new ArrayList<>();
        for (Algorithm digest : List.of(Algorithm.SHA256, Algorithm.SHA384, Algorithm.SHA512)) {
            Peer.Form form = new Peer.Form();
            form.digest = digest.uri;
            rows.add(theirs(digest.toString(), form, reader(), Envelopes.of(Envelopes.BODY)));
        }
        Peer.Form whole = new Peer.Form();
        whole.reference = WSConstants.X509_KEY_IDENTIFIER;
        rows.add(theirs("certificate in the reference", whole, reader(), Envelopes.of(Envelopes.BODY)));
        return rows;
    }

    @TestFactory
    List<DynamicTest> encryption() {
        List<DynamicTest> rows = new ArrayList<>();
        Algorithm[] weak = { Algorithm.AES128_CBC, Algorithm.AES256_CBC };
        for (boolean signs : new boolean[] { true, false }) {
            for (TokenReference reference : TokenReference.values()) {
                for (Algorithm key : List.of(Algorithm.RSA_OAEP, Algorithm.RSA_OAEP_SHA256)) {
                    for (Algorithm data : List.of(Algorithm.AES128_GCM, Algorithm.AES256_GCM, Algorithm.AES128_CBC, Algorithm.AES256_CBC)) {
                        String name = (signs ? "signed, " : "") + reference + " " + key + " " + data;
                        WsSecurity.Builder writer = WsSecurity.builder().encryptTo(Certificates.of("bob")).keyReference(reference).encryption(key, data);
                        WsSecurity.Builder reader = signs ? reader() : WsSecurity.builder().decrypt(Certificates.key("bob"), Certificates.of("bob"));
                        Peer.Form form = new Peer.Form();
                        form.signs = signs;
                        form.recipient = "bob";
                        form.keyReference = REFERENCES.get(reference);
                        form.key = key.uri;
                        form.data = data.uri;
                        List<String> parts = new ArrayList<>(List.of("encrypted Body"));
                        if (signs) {
                            writer.sign(Certificates.key("alice"), Certificates.of("alice"));
                            parts.addAll(List.of("signed Body", "signed Timestamp"));
                        }
                        rows.add(ours(name, writer, Envelopes.of(Envelopes.BODY), parts.toArray(String[]::new)));
                        rows.add(theirs(name, form, reader.requireEncrypted().allow(weak), Envelopes.of(Envelopes.BODY)));
                    }
                }
            }
        }
        Peer.Form first = new Peer.Form();
        first.recipient = "bob";
        first.encryptsFirst = true;
        rows.add(theirs("encrypted, then signed", first, reader().requireEncrypted(), Envelopes.of(Envelopes.BODY)));
        return rows;
    }

    /** A token of a user, which the runtime writes into its own block. */
    @TestFactory
    List<DynamicTest> tokens() {
        String token = "<wsse:Security xmlns:wsse=\"" + Names.WSSE + "\" xmlns:wsu=\"" + Names.WSU + "\" soap:mustUnderstand=\"1\"><wsse:UsernameToken><wsse:Username>anna</wsse:Username>"
            + "<wsse:Password>changeit</wsse:Password></wsse:UsernameToken></wsse:Security>";
        byte[] envelope = Envelopes.of(Names.SOAP_11, token, Envelopes.BODY);
        WsSecurity.Builder writer = WsSecurity.builder().sign(Certificates.key("alice"), Certificates.of("alice"));
        return List.of(
            ours("signed token", writer, envelope, "signed Body", "signed Timestamp", "signed UsernameToken"),
            dynamicTest("signed and encrypted token", () -> {
                byte[] sent = WsSecurity.builder().sign(Certificates.key("alice"), Certificates.of("alice")).encryptTo(Certificates.of("bob")).build().send(envelope);
                assertFalse(Envelopes.text(sent).contains("changeit"));
                Peer.Found found = Peer.check(sent);
                assertTrue(found.parts().containsAll(List.of("encrypted UsernameToken", "encrypted Body", "signed UsernameToken")), found.parts().toString());
                byte[] checked = reader().build().receive(sent, sent.length, null);
                assertTrue(Envelopes.text(checked).contains("<wsse:Username>anna</wsse:Username><wsse:Password>changeit</wsse:Password>"), Envelopes.text(checked));
            }));
    }
}
