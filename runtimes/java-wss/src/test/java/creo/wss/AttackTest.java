package creo.wss;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.ServiceSecurity;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.ECPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.w3c.dom.Element;

/** Messages of attackers: each is refused, with the reason that the specification names. */
class AttackTest {
    private static final byte[] PLAIN = Envelopes.of(Envelopes.BODY);

    private static WsSecurity.Builder writer(String signer) {
        return WsSecurity.builder().sign(Certificates.key(signer), Certificates.of(signer));
    }

    private static WsSecurity.Builder reader() {
        return WsSecurity.builder().trustIssuers(Certificates.of("ca")).know(Certificates.of("alice")).requireSignedHeader("http://www.w3.org/2005/08/addressing", "*");
    }

    private static void refused(String reason, WsSecurity service, byte[] message) {
        RuntimeException e = assertThrows(RuntimeException.class, () -> service.accept(message, message.length, null));
        assertTrue(e instanceof ServiceSecurity.Refused || e instanceof CreoException, e.toString());
        CreoException error = e instanceof ServiceSecurity.Refused refused ? refused.error() : (CreoException) e;
        assertTrue(error.reason().startsWith(reason), error.reason());
        RuntimeException answer = assertThrows(CreoException.class, () -> service.receive(message, message.length, null));
        assertTrue(answer.getMessage().contains(reason), answer.getMessage());
    }

    @TestFactory
    Stream<DynamicTest> changes() {
        byte[] message = writer("alice").build().send(PLAIN);
        assertDoesNotThrow(() -> reader().build().accept(message, message.length, null));
        return Attacks.all().stream().map(attack -> dynamicTest(attack.name(), () -> refused(attack.reason(), reader().build(), attack.on(message))));
    }

    private static Clock later(Duration time) {
        return Clock.offset(Clock.systemUTC(), time);
    }

    @Test
    void staleMessages() {
        for (Duration offset : List.of(Duration.ofMinutes(6), Duration.ofMinutes(-6), Duration.ofDays(1))) {
            refused("stale", reader().build(), writer("alice").clock(later(offset.negated())).build().send(PLAIN));
        }
        byte[] slow = writer("alice").clock(later(Duration.ofMinutes(4))).build().send(PLAIN);
        assertDoesNotThrow(() -> reader().build().accept(slow, slow.length, null));
    }

    @Test
    void messagesThatCameBefore() {
        WsSecurity service = reader().build();
        byte[] message = writer("alice").build().send(PLAIN);
        service.accept(message, message.length, null);
        refused("replayed", service, message);
        String changed = Envelopes.text(message).replace("<soap:Header>", "<soap:Header><x xmlns=\"urn:x\"/>");
        refused("replayed", service, changed.getBytes(StandardCharsets.UTF_8));
        byte[] again = writer("alice").build().send(PLAIN);
        assertDoesNotThrow(() -> service.accept(again, again.length, null));
    }

    /** Of a signature of a curve, anyone can make another one of the same message: it counts as the same. */
    @Test
    void theOtherSignatureOfACurve() {
        WsSecurity service = reader().build();
        byte[] message = writer("curve").build().send(PLAIN);
        service.accept(message, message.length, null);
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
        assertDoesNotThrow(() -> reader().build().accept(changed, changed.length, null));
        refused("replayed", service, changed);
    }

    @Test
    void certificatesThatAreNotTrusted() throws Exception {
        Peer.Form form = new Peer.Form();
        form.signer = "mallory";
        refused("untrusted", reader().build(), Peer.secure(PLAIN, form));
        form.signer = "old";
        refused("untrusted", reader().build(), Peer.secure(PLAIN, form));
        form.signer = "weak";
        refused("weak-key", reader().build(), Peer.secure(PLAIN, form));
        form.signer = "bob";
        refused("untrusted", WsSecurity.builder().trust(Certificates.of("alice")).build(), Peer.secure(PLAIN, form));
        refused("untrusted", reader().accept(c -> c.equals(Certificates.of("alice"))).build(), Peer.secure(PLAIN, form));
        refused("untrusted", WsSecurity.builder().decrypt(Certificates.key("bob"), Certificates.of("bob")).build(), Peer.secure(PLAIN, form));
        assertThrows(IllegalArgumentException.class, () -> writer("weak"));
    }

    @Test
    void weakAlgorithmsOfASignerWhoIsTrusted() throws Exception {
        Peer.Form form = new Peer.Form();
        form.signature = Algorithm.RSA_SHA1.uri;
        refused("algorithm", reader().build(), Peer.secure(PLAIN, form));
        byte[] allowed = Peer.secure(PLAIN, form);
        assertDoesNotThrow(() -> reader().allow(Algorithm.RSA_SHA1).build().accept(allowed, allowed.length, null));
        form.signature = Algorithm.RSA_SHA256.uri;
        form.digest = Algorithm.SHA1.uri;
        refused("algorithm", reader().build(), Peer.secure(PLAIN, form));
        form.timestamp = false;
        form.digest = Algorithm.SHA256.uri;
        refused("not-signed", reader().build(), Peer.secure(PLAIN, form));
        byte[] timeless = Peer.secure(PLAIN, form);
        assertDoesNotThrow(() -> reader().withoutTimestamps().build().accept(timeless, timeless.length, null));
    }

    /** The text of an element is one, whatever comments and sections are in it. */
    @Test
    void commentsInTexts() {
        String message = Envelopes.text(writer("alice").build().send(PLAIN));
        byte[] split = message.replace("Grüße", "Gr<!-- x -->üß<!---->e").getBytes(StandardCharsets.UTF_8);
        ServiceSecurity.Request request = reader().build().accept(split, split.length, null);
        assertEquals(Envelopes.BODY, Envelopes.body(request.envelope()));
        byte[] section = message.replace("Grüße", "Gr<![CDATA[üß]]>e").getBytes(StandardCharsets.UTF_8);
        assertEquals(Envelopes.BODY, Envelopes.body(reader().build().accept(section, section.length, null).envelope()));
        assertEquals("CN=alice, O=Example", request.caller().toString());
    }

    /** The prefix of a type is in a value: a signature protects it only if it names it. */
    @Test
    void prefixesInValues() throws Exception {
        byte[] typed = ("<soap:Envelope xmlns:soap=\"" + Names.SOAP_11 + "\" xmlns:n1=\"urn:good\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><soap:Body><a xsi:type=\"n1:T\"/></soap:Body></soap:Envelope>")
            .getBytes(StandardCharsets.UTF_8);
        Peer.Form form = new Peer.Form();
        byte[] good = Peer.secure(typed, form);
        assertDoesNotThrow(() -> reader().build().accept(good, good.length, null));
        refused("bad-signature", reader().build(), Envelopes.text(good).replace("urn:good", "urn:evil").getBytes(StandardCharsets.UTF_8));
        byte[] ours = writer("alice").build().send(typed);
        refused("bad-digest", reader().build(), Envelopes.text(ours).replace("urn:good", "urn:evil").getBytes(StandardCharsets.UTF_8));
        form.inclusive = false;
        byte[] loose = Peer.secure(typed, form);
        refused("prefix", reader().build(), loose);
        assertDoesNotThrow(() -> reader().allowLoosePrefixes().build().accept(loose, loose.length, null));
        byte[] used = Peer.secure(Envelopes.text(typed).replace("<a xsi", "<n1:a xsi").getBytes(StandardCharsets.UTF_8), form);
        assertDoesNotThrow(() -> reader().build().accept(used, used.length, null));
    }

    @Test
    void encryptedMessages() throws Exception {
        WsSecurity.Builder bob = WsSecurity.builder().decrypt(Certificates.key("bob"), Certificates.of("bob")).know(Certificates.of("alice"));
        Peer.Form form = new Peer.Form();
        form.recipient = "bob";
        form.signs = false;
        byte[] message = Peer.secure(PLAIN, form);
        String text = Envelopes.text(message);
        int at = text.lastIndexOf("CipherValue>", text.lastIndexOf("CipherValue>") - 1) + 60;
        String same = null;
        for (int i = 0; i < 3; i++) {
            int place = i == 2 ? text.indexOf("CipherValue>") + 30 : at - 20 * i;
            char c = text.charAt(place) == 'A' ? 'B' : 'A';
            byte[] changed = (text.substring(0, place) + c + text.substring(place + 1)).getBytes(StandardCharsets.UTF_8);
            CreoException e = assertThrows(CreoException.class, () -> bob.build().receive(changed, changed.length, null));
            assertTrue(same == null || same.equals(e.getMessage()), e.getMessage());
            same = e.getMessage();
        }
        assertTrue(same.contains("not-decrypted: "), same);
        refused("key-reference", WsSecurity.builder().decrypt(Certificates.key("alice"), Certificates.of("alice")).build(), message);
        refused("not-encrypted", reader().requireEncrypted().build(), writer("alice").build().send(PLAIN));
        form.data = Algorithm.AES128_CBC.uri;
        refused("algorithm", bob.build(), Peer.secure(PLAIN, form));
        form.data = Algorithm.AES256_GCM.uri;
        form.key = Algorithm.RSA_1_5.uri;
        refused("algorithm", bob.build(), Peer.secure(PLAIN, form));
        byte[] old = Peer.secure(PLAIN, form);
        assertDoesNotThrow(() -> bob.allow(Algorithm.RSA_1_5).build().accept(old, old.length, null));
        Envelope moved = Envelope.parse(message, message.length, "utf-8");
        Dom.add(moved.header, null, "urn:x", "x:wrap").appendChild(moved.body.getFirstChild());
        refused("misplaced", bob.build(), moved.toBytes());
    }

    /** What an attacker encrypts cannot leave the place of the encrypted data. */
    @Test
    void encryptedTagsThatDoNotMatch() {
        WsSecurity bob = WsSecurity.builder().decrypt(Certificates.key("bob"), Certificates.of("bob")).build();
        String message = Envelopes.text(WsSecurity.builder().encryptTo(Certificates.of("bob")).build().send(PLAIN));
        assertFalse(message.contains("Grüße"));
        for (String content : List.of("</w><w>", "<a>", "</soap:Body><soap:Body>", "<!DOCTYPE a><a/>", "&e;", "\u0000")) {
            Envelope e = Envelope.parse(message.getBytes(StandardCharsets.UTF_8), message.getBytes(StandardCharsets.UTF_8).length, "utf-8");
            byte[] key = new byte[32];
            Element wrapped = Dom.required(e.security, Names.XENC, "EncryptedKey");
            Element method = Dom.add(wrapped, null, Names.XENC, "xenc:M");
            value(wrapped).setTextContent(Base64.getEncoder().encodeToString(Encryption.wrap(Algorithm.RSA_OAEP, Certificates.of("bob").getPublicKey(), key, method)));
            wrapped.removeChild(method);
            byte[] data = Encryption.encrypt(Algorithm.AES256_GCM, key, content.getBytes(StandardCharsets.UTF_8));
            value(Dom.children(e.body).get(0)).setTextContent(Base64.getEncoder().encodeToString(data));
            refused("not-decrypted", bob, e.toBytes());
        }
    }

    private static Element value(Element of) {
        return Dom.required(Dom.required(of, Names.XENC, "CipherData"), Names.XENC, "CipherValue");
    }

    @Test
    void answersWithoutSecurity() {
        WsSecurity client = reader().build();
        byte[] fault = Envelopes.of("<soap:Fault><faultcode>soap:Server</faultcode><faultstring>no more</faultstring></soap:Fault>");
        CreoException e = assertThrows(CreoException.class, () -> client.receive(fault, fault.length, null));
        assertEquals(ErrorCode.PROTOCOL_MISMATCH, e.code());
        assertTrue(e.reason().contains("a fault without security: soap:Server: no more"), e.reason());
        assertThrows(CreoException.class, () -> client.receive(new byte[0], 0, null));
        byte[] large = new byte[2_000];
        assertEquals(ErrorCode.TOO_LARGE, assertThrows(CreoException.class, () -> reader().maxSize(1_000).build().receive(large, large.length, null)).code());
        byte[] stranger = writer("mallory").build().send(PLAIN);
        assertEquals(ErrorCode.UNTRUSTED_PEER, assertThrows(CreoException.class, () -> client.receive(stranger, stranger.length, null)).code());
    }

    @Test
    void assertions() {
        String assertion = "<a:Assertion xmlns:a=\"" + Names.SAML_2 + "\" ID=\"_1\"><a:Subject xmlns:b=\"urn:b\">anna</a:Subject></a:Assertion>";
        WsSecurity service = WsSecurity.builder().readSaml(bytes -> {
            String text = new String(bytes, StandardCharsets.UTF_8);
            if (!text.contains(">anna<")) {
                throw new CreoException(ErrorCode.UNAUTHENTICATED, "secret");
            }
            return () -> "anna";
        }).build();
        byte[] message = WsSecurity.builder().saml(assertion).build().send(PLAIN);
        assertTrue(Envelopes.text(message).contains("<a:Subject xmlns:b=\"urn:b\">anna</a:Subject></a:Assertion>"), Envelopes.text(message));
        ServiceSecurity.Request request = service.accept(message, message.length, null);
        assertEquals("anna", request.caller().getName());
        assertEquals(Envelopes.BODY, Envelopes.body(request.envelope()));
        refused("failed-authentication: the assertion is not accepted", service, Envelopes.text(message).replace(">anna<", ">otto<").getBytes(StandardCharsets.UTF_8));
        byte[] none = writer("alice").build().send(PLAIN);
        ServiceSecurity.Refused e = assertThrows(ServiceSecurity.Refused.class, () -> reader().readSaml(bytes -> () -> "x").build().accept(none, none.length, null));
        assertTrue(e.error().reason().startsWith("failed-authentication: "), e.error().reason());
        assertEquals("FailedAuthentication", e.fault().name());
        byte[] signed = writer("alice").saml(assertion).encryptTo(Certificates.of("bob")).build().send(PLAIN);
        assertFalse(Envelopes.text(signed).contains("anna"));
        WsSecurity both = reader().decrypt(Certificates.key("bob"), Certificates.of("bob")).readSaml(bytes -> () -> "x").build();
        assertEquals("x", both.accept(signed, signed.length, null).caller().getName());
    }
}
