package creo.runtime.internal.soap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.internal.call.ClientAccess;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What clients write by SOAP-41 and SOAP-50, byte by byte. */
class SoapHeadersTest {
    private static final String WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    private static final String WSU = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
    private static final String PROFILE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0";
    private static final String START = "<wsse:Security xmlns:wsse=\"" + WSSE + "\" xmlns:wsu=\"" + WSU + "\" soap:mustUnderstand=\"1\">";
    private static final byte[] NONCE = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    private static final String ID = "0d6f4c0e-98c2-4b61-a7b0-5c1c6f4a1f0e";

    private static SoapHeaders headers(ClientAccess.Soap settings, String url) {
        return new SoapHeaders(settings, url, () -> Instant.parse("2026-11-27T18:00:00.000123Z"), NONCE::clone, () -> UUID.fromString(ID));
    }

    private static ClientAccess.Soap settings(Boolean addressing, String user, String password, boolean digest, boolean timestamp) {
        return ClientAccess.Soap.DEFAULT.with(s -> {
            s.addressing = addressing;
            s.user = user;
            s.password = password;
            s.digest = digest;
            s.timestamp = timestamp;
        });
    }

    private static String blocks(ClientAccess.Soap settings, String id) {
        return new String(headers(settings, "http://h/p?a=1&b=2").blocks("urn:stock/Stock/count", false, id), StandardCharsets.UTF_8);
    }

    private static String wsa(String name, String content) {
        return "<wsa:" + name + " xmlns:wsa=\"http://www.w3.org/2005/08/addressing\">" + content + "</wsa:" + name + ">";
    }

    @Test
    void addressesOfARequest() {
        SoapHeaders headers = headers(settings(true, null, "", false, false), "http://h/p?a=1&b=2");
        String id = headers.newId(false);
        assertEquals("urn:uuid:" + ID, id);
        String expected = wsa("Action", "urn:stock/Stock/count") + wsa("MessageID", id)
            + wsa("ReplyTo", "<wsa:Address>http://www.w3.org/2005/08/addressing/anonymous</wsa:Address>") + wsa("To", "http://h/p?a=1&amp;b=2");
        assertEquals(expected, blocks(settings(true, null, "", false, false), id));
        String oneway = new String(headers.blocks("x", true, id), StandardCharsets.UTF_8);
        assertTrue(oneway.contains("<wsa:Address>http://www.w3.org/2005/08/addressing/none</wsa:Address>"), oneway);
    }

    @Test
    void whoHasAddresses() {
        assertNull(headers(settings(null, null, "", false, false), "http://h/").newId(false));
        assertEquals("urn:uuid:" + ID, headers(settings(null, null, "", false, false), "http://h/").newId(true));
        assertNull(headers(settings(false, null, "", false, false), "http://h/").newId(true));
        assertNull(headers(settings(true, null, "", false, false), null).newId(true));
        assertNull(headers(ClientAccess.Soap.DEFAULT, "http://h/").blocks("x", false, null));
        SoapHeaders random = new SoapHeaders(settings(true, null, "", false, false), "http://h/");
        assertNotEquals(random.newId(true), random.newId(true));
        assertTrue(random.newId(true).matches("urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
    }

    @Test
    void tokensOfUsers() {
        String text = "<wsse:UsernameToken><wsse:Username>a&amp;b</wsse:Username><wsse:Password Type=\"" + PROFILE + "#PasswordText\">&lt;secret&gt;</wsse:Password></wsse:UsernameToken>";
        assertEquals(START + text + "</wsse:Security>", blocks(settings(null, "a&b", "<secret>", false, false), null));
        String timestamp = "<wsu:Timestamp><wsu:Created>2026-11-27T18:00:00.000Z</wsu:Created><wsu:Expires>2026-11-27T18:05:00.000Z</wsu:Expires></wsu:Timestamp>";
        assertEquals(START + timestamp + text + "</wsse:Security>", blocks(settings(null, "a&b", "<secret>", false, true), null));
        assertEquals(START + timestamp + "</wsse:Security>", blocks(settings(null, null, "", false, true), null));
        String digest = "<wsse:UsernameToken><wsse:Username>anna</wsse:Username><wsse:Password Type=\"" + PROFILE
            + "#PasswordDigest\">X2aeuSfXpOP02ycDIqBW2Lc9CC0=</wsse:Password><wsse:Nonce EncodingType=\""
            + "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary\">AAECAwQFBgcICQoLDA0ODw==</wsse:Nonce>"
            + "<wsu:Created>2026-11-27T18:00:00.000Z</wsu:Created></wsse:UsernameToken>";
        assertEquals(START + digest + "</wsse:Security>", blocks(settings(null, "anna", "Geheimnis-\u00df", true, false), null));
        assertTrue(blocks(settings(true, "anna", "x", false, false), "urn:uuid:" + ID).startsWith(START + "<wsse:UsernameToken>"));
        assertFalse(settings(null, "anna", "secret", true, false).toString().contains("secret"));
    }
}
