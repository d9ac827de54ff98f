package creo.runtime;

import static creo.runtime.CallsTest.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.internal.text.TextName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Addresses and tokens of users in headers (SOAP-40 to SOAP-54). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class SoapTokensTest {
    private static final String ACTION = "urn:calls:say";
    private static final String SAY = "<c:say xmlns:c=\"urn:calls\"><c:text>hello</c:text></c:say>";
    private static final String SECRET = "Geheimnis-\u00df";
    private static final String[] NAMESPACES = {"http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope"};
    private static final LinkedBlockingQueue<String> SAID = new LinkedBlockingQueue<>();
    private static Server server;
    private static Server guard;

    @BeforeAll
    static void start() {
        Endpoint open = Calls.endpoint(text -> {
            SAID.add(text + " by " + (CallContext.current().principal() == null ? null : CallContext.current().principal().getName()));
            if (text.equals("refused")) {
                throw new Calls.Refused(3);
            }
            return text;
        });
        Endpoint guarded = open.withPasswords(user -> user.equals("anna") ? SECRET : null);
        server = Server.builder().http("127.0.0.1", 0).add(open).start();
        guard = Server.builder().http("127.0.0.1", 0).add(guarded, "/Guarded").start();
    }

    @AfterAll
    static void stop() {
        server.close();
        guard.close();
    }

    private static String url(String path) {
        return "http://127.0.0.1:" + port(path) + path;
    }

    private static int port(String path) {
        return (path.equals("/Guarded") ? guard : server).httpPort();
    }

    private static String post(String path, int version, String header, String body) throws IOException {
        String type = version == 0 ? "text/xml; charset=utf-8\r\nSOAPAction: \"\"" : "application/soap+xml; charset=utf-8";
        String envelope = "<E:Envelope xmlns:E=\"" + NAMESPACES[version] + "\"><E:Header>" + header + "</E:Header><E:Body>" + body + "</E:Body></E:Envelope>";
        return Http.post(port(path), path, "Content-Type: " + type + "\r\n", envelope);
    }

    private static String wsa(String name, String content) {
        return "<w:" + name + " xmlns:w=\"" + TextName.ADDRESSING + "\">" + content + "</w:" + name + ">";
    }

    private static String address(String name, String address) {
        return wsa(name, "<w:Address> " + address + " </w:Address><w:ReferenceParameters><w:Address>urn:other</w:Address></w:ReferenceParameters>");
    }

    private static String security(String content) {
        return "<s:Security xmlns:s=\"" + TextName.SECURITY + "\" xmlns:u=\"" + TextName.UTILITY + "\" E:mustUnderstand=\"1\">" + content + "</s:Security>";
    }

    private static String token(String user, String password, String rest) {
        return security("<s:UsernameToken><s:Username>" + user + "</s:Username><s:Password" + (rest.startsWith("#") ? " Type=\"x" + rest.split(" ", 2)[0] + "\"" : "") + ">" + password
            + "</s:Password>" + (rest.startsWith("#") ? rest.substring(rest.indexOf(' ') + 1) : rest) + "</s:UsernameToken>");
    }

    @Test
    void callsWithAddresses() throws Exception {
        for (ClientOptions options : List.of(ClientOptions.DEFAULT, ClientOptions.DEFAULT.withSoap12(), ClientOptions.DEFAULT.withMtom())) {
            try (Channel channel = SoapChannel.open(url("/Calls"), options.withAddressing())) {
                assertEquals("x", channel.call(Calls.SAY, "x", CallOptions.NONE));
                assertEquals(3, assertThrows(Calls.Refused.class, () -> channel.call(Calls.SAY, "refused", CallOptions.NONE)).wait);
                assertEquals("y", channel.callAsync(Calls.SAY, "y", CallOptions.NONE).get());
                channel.call(Calls.NOTE, "z", CallOptions.NONE);
            }
        }
        try (Channel channel = TdxmlSoapChannel.open(url("/Calls"), ClientOptions.DEFAULT.withAddressing())) {
            assertEquals("table", channel.call(Calls.SAY, "table", CallOptions.NONE));
        }
    }

    @Test
    void answersHaveAddresses() throws Exception {
        for (int version = 0; version < 2; version++) {
            String answer = post("/Calls", version, wsa("Action", ACTION) + wsa("MessageID", " urn:a&amp;b "), SAY);
            String related = "<wsa:RelatesTo xmlns:wsa=\"" + TextName.ADDRESSING + "\">urn:a&amp;b</wsa:RelatesTo>";
            String start = "<soap:Header><wsa:Action xmlns:wsa=\"" + TextName.ADDRESSING + "\">";
            assertTrue(answer.contains(start + ACTION + "Response</wsa:Action>" + related + "</soap:Header><soap:Body>"), answer);
            answer = post("/Calls", version, wsa("Action", ACTION) + wsa("MessageID", "urn:a&amp;b"), SAY.replace("hello", "refused"));
            assertTrue(answer.contains(start + ACTION + "/Fault/Refused</wsa:Action>" + related), answer);
            answer = post("/Calls", version, wsa("Action", ACTION), SAY.replace("c:text", "c:other"));
            assertTrue(answer.contains(start + TextName.ADDRESSING + "/soap/fault</wsa:Action></soap:Header>"), answer);
            answer = post("/Calls", version, "", SAY);
            assertFalse(answer.contains("soap:Header"), answer);
            answer = post("/Calls", version, wsa("Action", ACTION) + address("ReplyTo", TextName.ADDRESSING + "/none"), SAY.replace("hello", "none"));
            assertTrue(answer.startsWith("HTTP/1.1 202 ") && answer.endsWith("\r\n\r\n"), answer);
            assertTrue(SAID.contains("none by null"), SAID.toString());
            answer = post("/Calls", version, wsa("Action", ACTION) + address("ReplyTo", TextName.ADDRESSING + "/none") + address("FaultTo", TextName.ADDRESSING + "/anonymous"),
                SAY.replace("hello", "refused"));
            assertTrue(answer.contains("/Fault/Refused<"), answer);
            // A block for another receiver is none.
            String role = version == 0 ? "actor" : "role";
            answer = post("/Calls", version, wsa("Action", "urn:x").replace("<w:Action ", "<w:Action E:" + role + "=\"urn:other\" "), SAY);
            assertTrue(answer.contains(">hello<") && !answer.contains("soap:Header"), answer);
        }
    }

    @Test
    void faultsOfAddresses() throws Exception {
        String[][] cases = {
            {wsa("MessageID", "urn:a"), "MessageAddressingHeaderRequired"}, {wsa("To", "urn:a"), "MessageAddressingHeaderRequired"},
            {wsa("Action", "urn:other"), "ActionNotSupported"}, {wsa("Action", ACTION) + wsa("Action", ACTION), "InvalidAddressingHeader"},
            {wsa("Action", ACTION) + wsa("To", "a") + wsa("To", "a"), "InvalidAddressingHeader"},
            {wsa("Action", ACTION) + wsa("MessageID", "x".repeat(4_097)), "InvalidAddressingHeader"},
            {wsa("Action", ACTION) + address("ReplyTo", "http://example.org/"), "InvalidAddressingHeader"},
            {wsa("Action", ACTION) + address("FaultTo", "http://example.org/"), "InvalidAddressingHeader"},
        };
        for (int version = 0; version < 2; version++) {
            for (String[] each : cases) {
                String answer = post("/Calls", version, each[0], SAY);
                assertTrue(answer.startsWith(version == 0 ? "HTTP/1.1 500 " : "HTTP/1.1 400 "), answer);
                assertTrue(answer.contains("xmlns:f=\"" + TextName.ADDRESSING + "\">f:" + each[1] + "<") && answer.contains("code=\"malformed\""), each[1] + ": " + answer);
                assertTrue(!each[0].contains("Action") || answer.contains(TextName.ADDRESSING + "/fault</wsa:Action>"), answer);
            }
        }
        // The action of HTTP is still compared.
        String action = "Content-Type: text/xml\r\nSOAPAction: \"urn:no\"\r\n";
        String answer = Http.post(server.httpPort(), "/Calls", action, Http.envelope(SAY).replace("<E:Body>", "<E:Header>" + wsa("Action", ACTION) + "</E:Header><E:Body>"));
        assertTrue(answer.contains("code=\"malformed\"") && answer.contains("urn:no"), answer);
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            many.append(wsa("RelatesTo", "urn:" + i)).append(wsa("Unknown", "x"));
        }
        assertTrue(post("/Calls", 0, many + wsa("Action", ACTION), SAY).contains(">hello<"));
    }

    @Test
    void tokensOfUsers() throws Exception {
        ClientOptions plain = ClientOptions.DEFAULT;
        for (ClientOptions options : List.of(plain.withUsernameToken("anna", SECRET), plain.withUsernameTokenDigest("anna", SECRET), plain.withUsernameTokenDigest("anna", SECRET)
            .withTimestamp().withSoap12().withAddressing(), plain.withUsernameToken("anna", SECRET).withTimestamp().withMtom())) {
            try (Channel channel = SoapChannel.open(url("/Guarded"), options)) {
                assertEquals("t", channel.call(Calls.SAY, "t", CallOptions.NONE));
                assertEquals("t", channel.call(Calls.SAY, "t", CallOptions.NONE));
                assertTrue(SAID.contains("t by anna"), SAID.toString());
            }
        }
        try (Channel channel = TdxmlSoapChannel.open(url("/Guarded"), plain.withUsernameTokenDigest("anna", SECRET))) {
            assertEquals("t", channel.call(Calls.SAY, "t", CallOptions.NONE));
        }
        for (ClientOptions options : List.of(plain, plain.withTimestamp(), plain.withUsernameToken("anna", "wrong"), plain.withUsernameToken("otto", SECRET),
            plain.withUsernameTokenDigest("anna", "wrong"), plain.withUsernameTokenDigest("otto", "-"))) {
            try (Channel channel = SoapChannel.open(url("/Guarded"), options)) {
                CreoException e = error(ErrorCode.UNAUTHENTICATED, () -> channel.call(Calls.SAY, "t", CallOptions.NONE));
                assertTrue(e.fromPeer() && e.reason().equals("the caller is not known, or the password is wrong"), e.getMessage());
            }
        }
        // A service without passwords does not understand a token.
        try (Channel channel = SoapChannel.open(url("/Calls"), plain.withUsernameToken("anna", SECRET))) {
            error(ErrorCode.PROTOCOL_MISMATCH, () -> channel.call(Calls.SAY, "t", CallOptions.NONE));
        }
        for (String wrong : new String[] {null, "", "a\u0000", "\ud800", "x".repeat(1_025)}) {
            CreoException e = error(ErrorCode.INVALID_VALUE, () -> plain.withUsernameToken("anna", wrong));
            assertTrue(wrong == null || wrong.isEmpty() || !e.getMessage().contains(wrong), e.getMessage());
            error(ErrorCode.INVALID_VALUE, () -> plain.withUsernameTokenDigest(wrong, "x"));
        }
    }

    private static String time(long seconds) {
        return Instant.now().plusSeconds(seconds).truncatedTo(ChronoUnit.MILLIS).toString();
    }

    @Test
    void whatIsWrongWithATokenIsSaid() throws Exception {
        String fine = token("anna", SECRET, "");
        String nonce = "<s:Nonce>AAECAwQFBgcICQoLDA0O</s:Nonce>";
        Object[][] cases = {
            {fine + fine, "FailedAuthentication"}, {"", "FailedAuthentication"}, {security(""), "FailedAuthentication"},
            {security("<s:BinarySecurityToken/>") , "FailedAuthentication"}, {fine.replace("</s:Security>", "<x:Signature xmlns:x=\"urn:x\"/></s:Security>"), "FailedAuthentication"},
            {token("", SECRET, ""), "FailedAuthentication"}, {token("anna", SECRET + " ", ""), "FailedAuthentication"},
            {token("x".repeat(2_000), SECRET, ""), "FailedAuthentication"}, {token("anna", SECRET, "#PasswordOdd "), "InvalidSecurity"},
            {token("anna", SECRET, "#PasswordDigest "), "InvalidSecurity"}, {token("anna", SECRET, "<s:Nonce>AA</s:Nonce>"), "InvalidSecurity"},
            {token("anna", SECRET, "<s:Nonce>!!</s:Nonce>"), "InvalidSecurity"}, {token("anna", SECRET, "<u:Created>yesterday</u:Created>"), "InvalidSecurity"},
            {token("anna", SECRET, "<u:Created>" + time(-400) + "</u:Created>"), "MessageExpired"}, {token("anna", SECRET, "<u:Created>" + time(400) + "</u:Created>"), "MessageExpired"},
            {security("<u:Timestamp><u:Expires>" + time(-1) + "</u:Expires></u:Timestamp><s:UsernameToken><s:Username>anna</s:Username><s:Password>" + SECRET
                + "</s:Password></s:UsernameToken>"), "MessageExpired"},
        };
        for (int version = 0; version < 2; version++) {
            for (Object[] each : cases) {
                String answer = post("/Guarded", version, (String) each[0], SAY);
                String namespace = each[1].equals("MessageExpired") ? TextName.UTILITY : TextName.SECURITY;
                assertTrue(answer.contains("xmlns:f=\"" + namespace + "\">f:" + each[1] + "<") && answer.contains("code=\"unauthenticated\""), each[0] + ": " + answer);
                assertFalse(answer.contains(SECRET), answer);
            }
            assertTrue(post("/Guarded", version, fine, SAY).contains(">hello<"));
            assertTrue(post("/Guarded", version, token("anna", SECRET, "<u:Created>" + time(0) + "</u:Created>"), SAY).contains(">hello<"));
        }
        String once = token("anna", SECRET, nonce);
        assertTrue(post("/Guarded", 0, once, SAY).contains(">hello<"));
        assertTrue(post("/Guarded", 0, once, SAY).contains("f:MessageExpired<"));
        // A wrong password uses up no nonce.
        String other = nonce.replace("AAEC", "AAED");
        assertTrue(post("/Guarded", 0, token("anna", "wrong", other), SAY).contains("f:FailedAuthentication<"));
        assertTrue(post("/Guarded", 0, token("anna", SECRET, other), SAY).contains(">hello<"));
    }

    /** A client's result for an answer with these blocks; {@code ID} is replaced by the id of its request. */
    private static Object answered(ClientOptions options, String header) throws Exception {
        try (Peer peer = new Peer((in, out) -> {
            StringBuilder request = new StringBuilder();
            while (request.indexOf("</soap:Envelope>") < 0) {
                request.append((char) in.read());
            }
            int at = request.indexOf("urn:uuid:");
            String blocks = at < 0 ? header : header.replace("ID", request.substring(at, at + 45));
            String body = "<E:Envelope xmlns:E=\"" + NAMESPACES[0] + "\"><E:Header>" + blocks + "</E:Header><E:Body><c:sayResponse xmlns:c=\"urn:calls\"><c:result>r</c:result>"
                + "</c:sayResponse></E:Body></E:Envelope>";
            out.write(("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: " + body.length() + "\r\n\r\n" + body).getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            in.read();
        }); Channel channel = SoapChannel.open("http://127.0.0.1:" + peer.port() + "/Calls", options)) {
            try {
                return channel.call(Calls.SAY, "x", CallOptions.NONE);
            } catch (CreoException e) {
                return e.code();
            }
        }
    }

    @Test
    void answersToOthersAreRefused() throws Exception {
        ClientOptions addressed = ClientOptions.DEFAULT.withAddressing();
        String reply = wsa("RelatesTo", " ID ");
        String other = wsa("RelatesTo", "urn:x");
        String typed = "<w:RelatesTo xmlns:w=\"" + TextName.ADDRESSING + "\" RelationshipType=\"";
        assertEquals("r", answered(addressed, ""));
        assertEquals("r", answered(addressed, reply));
        assertEquals("r", answered(addressed, other + reply));
        assertEquals("r", answered(addressed, typed + "urn:y\">urn:x</w:RelatesTo>"));
        assertEquals("r", answered(addressed, wsa("Action", "a").replace("<w:Action", "<w:Action E:mustUnderstand=\"1\"")));
        assertEquals("r", answered(ClientOptions.DEFAULT, other.replace("<w:RelatesTo", "<w:RelatesTo E:mustUnderstand=\"1\"")));
        assertEquals(ErrorCode.PROTOCOL_MISMATCH, answered(addressed, other));
        assertEquals(ErrorCode.PROTOCOL_MISMATCH, answered(addressed, typed + TextName.ADDRESSING + "/reply\">urn:x</w:RelatesTo>"));
    }

    @Test
    void securityInAnswers() throws Exception {
        ClientOptions secured = ClientOptions.DEFAULT.withUsernameToken("anna", SECRET);
        String now = "<u:Timestamp><u:Created>" + time(-2) + "</u:Created><u:Expires>" + time(60) + "</u:Expires></u:Timestamp>";
        assertEquals("r", answered(secured, security(now)));
        assertEquals("r", answered(secured, security(now + "<k:SignatureConfirmation xmlns:k=\"" + TextName.SECURITY_11 + "\"/>")));
        assertEquals("r", answered(ClientOptions.DEFAULT.withTimestamp(), security(now)));
        assertEquals(ErrorCode.PROTOCOL_MISMATCH, answered(ClientOptions.DEFAULT, security(now)));
        assertEquals("r", answered(ClientOptions.DEFAULT, security(now).replace(" E:mustUnderstand=\"1\"", "")));
        assertEquals(ErrorCode.PROTOCOL_MISMATCH, answered(secured, security(now + "<d:Signature xmlns:d=\"http://www.w3.org/2000/09/xmldsig#\"/>")));
        assertEquals(ErrorCode.PROTOCOL_MISMATCH, answered(secured, security("<u:Timestamp><u:Created>" + time(400) + "</u:Created></u:Timestamp>")));
        assertEquals(ErrorCode.PROTOCOL_MISMATCH, answered(secured, security("<u:Timestamp><u:Expires>" + time(-400) + "</u:Expires></u:Timestamp>")));
        assertEquals("r", answered(secured, security("<u:Timestamp><u:Expires>" + time(-100) + "</u:Expires></u:Timestamp>")));
        assertEquals(ErrorCode.MALFORMED, answered(secured, security("<u:Timestamp><u:Expires>soon</u:Expires></u:Timestamp>")));
    }

    /** SOAP-25 */
    @Test
    void headersThatAreTakenAsUnderstood() throws Exception {
        String block = security("<d:Signature xmlns:d=\"http://www.w3.org/2000/09/xmldsig#\"/>");
        ClientOptions waived = ClientOptions.DEFAULT.withUnderstood("Trace", "{" + TextName.SECURITY + "}Security").withUnderstood("{urn:x}Other");
        assertEquals("r", answered(waived, block));
        assertEquals("r", answered(waived.withUsernameToken("anna", SECRET), block));
        assertEquals(ErrorCode.PROTOCOL_MISMATCH, answered(ClientOptions.DEFAULT.withUnderstood("Security"), block));
        for (String wrong : new String[] {"", "{urn:h}", "{}Trace", "h:Trace", "{urn:h}Trace ", "urn:h}Trace", "{{urn:h}Trace"}) {
            assertThrows(IllegalArgumentException.class, () -> ClientOptions.DEFAULT.withUnderstood("Trace", wrong), wrong);
        }
    }
}
