package creo.runtime.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.internal.call.ClientAccess;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Challenges, and values that answer them (HTTP-49, HTTP-50). */
class DigestAuthenticationTest {
    private static final String PLAIN = "Digest realm=\"r\", nonce=\"n\"";

    private static HttpFields fields(String... values) {
        StringBuilder head = new StringBuilder();
        int[] spans = new int[4 * values.length];
        for (int i = 0; i < values.length; i++) {
            spans[4 * i] = head.length();
            head.append("www-authenticate");
            spans[4 * i + 1] = head.length();
            head.append(": ");
            spans[4 * i + 2] = head.length();
            head.append(values[i]);
            spans[4 * i + 3] = head.length();
        }
        return new HttpFields(head.toString().getBytes(StandardCharsets.ISO_8859_1), spans, head.length());
    }

    /** The value for a challenge in UTF-8, with a nonce of the client that does not change. */
    private static String answer(String user, String password, String method, String target, String cnonce, String... challenges) throws Exception {
        DigestAuthentication.Attempt attempt = new DigestAuthentication(new ClientAccess.Login(user, password), () -> cnonce).attempt();
        assertEquals("", attempt.line(method, target));
        String[] bytes = List.of(challenges).stream().map(c -> new String(c.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1)).toArray(String[]::new);
        assertTrue(attempt.isAgain(fields(bytes)));
        return attempt.line(method, target);
    }

    /** The example of RFC 7616, section 3.9.1. */
    @ParameterizedTest
    @CsvSource({"MD5,8ca523f5e9506fed4657c9700eebdbec", "SHA-256,753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"})
    void theExampleOfTheRfc(String algorithm, String response) throws Exception {
        String nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v";
        String opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS";
        String cnonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
        String challenge = "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=" + algorithm + ", nonce=\"" + nonce + "\", opaque=\"" + opaque + "\"";
        assertEquals("Authorization: Digest username=\"Mufasa\", realm=\"http-auth@example.org\", nonce=\"" + nonce + "\", uri=\"/dir/index.html\", response=\"" + response
            + "\", algorithm=" + algorithm + ", opaque=\"" + opaque + "\", qop=auth, nc=00000001, cnonce=\"" + cnonce + "\"\r\n",
            answer("Mufasa", "Circle of Life", "GET", "/dir/index.html", cnonce, challenge));
    }

    /** Values by another program: Python's {@code hashlib}, over the parts that the RFC names. */
    @Test
    void otherForms() throws Exception {
        assertEquals("Authorization: Digest username=\"me\", realm=\"r\", nonce=\"n\", uri=\"/x?y=1\", response=\"ff6b7ef20739dd519646eaf4d5e1896f\"\r\n", answer("me", "pw", "POST", "/x?y=1", "c", PLAIN));
        String session = answer("me", "pw", "POST", "/x", "c", PLAIN + ", algorithm=sha-256-SESS, qop=auth");
        assertTrue(session.contains("response=\"f0a5308b202f0ce872ffc98b44f2f74db687d7e29df05b4adc7a66d5f1697dd4\", algorithm=sha-256-SESS, qop=auth"), session);
        String hashed = answer("m\u00e9", "p\u00e4ss", "POST", "/x", "c", PLAIN + ", algorithm=SHA-256, qop=\"auth\", userhash=true, charset=UTF-8");
        assertTrue(hashed.contains("username=\"f28b3913ade46f391051c35497c67ced1e2759ddd4cd36a4ed6a46e420ade44c\"") && hashed.endsWith(", userhash=true\r\n"), hashed);
        String extended = answer("m\u00e9 \"x\"", "p\u00e4ss", "POST", "/x", "c", PLAIN);
        assertTrue(extended.contains("username*=UTF-8''m%C3%A9%20%22x%22, "), extended);
        String quoted = answer("a\"b\\c", "pw", "POST", "/x", "c", "Digest realm=\"\u00fc \\\"q\\\\\", nonce=\"n\"");
        assertTrue(quoted.contains("username=\"a\\\"b\\\\c\", realm=\"\u00fc \\\"q\\\\\", ") && quoted.contains("response=\"423f98da967382e14df44a4cf013e71b\""), quoted);
    }

    @Test
    void theStrongestOfSeveral() throws Exception {
        String md5 = "Digest realm=\"m\", nonce=\"1\", algorithm=MD5";
        String sha = "Digest realm=\"s\", nonce=\"2\", algorithm=SHA-256";
        String other = "Digest realm=\"o\", nonce=\"3\", algorithm=SHA-512-256";
        for (String[] values : new String[][] {{md5, sha}, {sha + ", " + md5}, {"Basic realm=\"b, Digest\", " + md5 + " ,, " + other + ", Negotiate abc==, " + sha}, {"Negotiate", other, sha}}) {
            assertEquals("s", DigestChallenge.of(List.of(values)).realm());
        }
        assertEquals("m", DigestChallenge.of(List.of("NTLM, dIGEST  Realm = m ,NONCE=1, stale=TRUE", md5)).realm());
        assertTrue(DigestChallenge.of(List.of(PLAIN + ",stale=TRUE")).stale());
        assertFalse(DigestChallenge.of(List.of(PLAIN + ",stale=no")).stale());
        for (String none : new String[] {"", "Basic realm=\"x\"", "Basic realm", "\u0001"}) {
            assertNull(DigestChallenge.of(List.of(none)), none);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "Digest", "Digest realm=\"r\"", "Digest nonce=\"n\"", "Digest realm=\"r\", nonce=\"\"", PLAIN + ", nonce=\"m\"", PLAIN + ", algorithm=SHA-512-256", PLAIN + ", algorithm=\"\"",
        PLAIN + ", qop=\"auth-int\"", PLAIN + ", qop=\"\"", PLAIN + ", algorithm=MD5-sess", "Digest realm=\"r\", nonce=\"a\u0009b\"", "Digest realm=\"r\", nonce=\"\u00e4\"",
        "Digest realm=\"\u00e4\", nonce=\"n\"", PLAIN + ", opaque=\"\u00e4\"", PLAIN + " x", PLAIN + ", opaque=\"", PLAIN + ", opaque=\"\\", PLAIN + ", =x", PLAIN + ", opaque=", "Digest abc=="
    })
    void challengesThatCannotBeUsed(String value) {
        assertThrows(DigestChallenge.Unusable.class, () -> DigestChallenge.of(List.of(value)), value);
    }

    @Test
    void challengesThatAreTooLong() throws Exception {
        String most = "x".repeat(1_024);
        assertEquals(most, DigestChallenge.of(List.of("Digest realm=r, nonce=" + most)).nonce());
        for (String name : new String[] {"realm", "nonce", "opaque"}) {
            String rest = (name.equals("realm") ? "" : ", realm=r") + (name.equals("nonce") ? "" : ", nonce=n");
            assertThrows(DigestChallenge.Unusable.class, () -> DigestChallenge.of(List.of("Digest " + name + "=x" + most + rest)), name);
        }
        assertThrows(DigestChallenge.Unusable.class, () -> DigestChallenge.of(List.of(PLAIN, ",".repeat(8_192))));
        assertNull(DigestChallenge.of(List.of("a".repeat(8_193))));
        assertThrows(DigestChallenge.Unusable.class, () -> DigestChallenge.of(List.of("Digest ".repeat(1_170))));
    }

    @Test
    void requestsAreCounted() throws Exception {
        DigestAuthentication digest = new DigestAuthentication(new ClientAccess.Login("me", "pw"), () -> "c");
        DigestAuthentication.Attempt first = digest.attempt();
        DigestAuthentication.Attempt second = digest.attempt();
        assertEquals("", first.line("POST", "/") + second.line("POST", "/"));
        String challenge = PLAIN + ", qop=auth";
        assertTrue(first.isAgain(fields(challenge)));
        assertTrue(first.line("POST", "/").contains("nc=00000001"));
        // The same nonce again, for a request that was begun before.
        assertTrue(second.isAgain(fields(challenge)));
        assertTrue(second.line("POST", "/").contains("nc=00000002"));
        assertTrue(digest.attempt().line("POST", "/").contains("nc=00000003"));
    }

    /** HTTP-51. */
    @Test
    void refusals() throws Exception {
        DigestAuthentication digest = new DigestAuthentication(new ClientAccess.Login("me", "pw"), () -> "c");
        DigestAuthentication.Attempt call = digest.attempt();
        call.line("POST", "/");
        assertTrue(call.isAgain(fields("Digest realm=r, nonce=1")));
        call.line("POST", "/");
        assertFalse(call.isAgain(fields("Digest realm=r, nonce=2")), "the password is wrong");
        assertEquals("", digest.attempt().line("POST", "/"), "it is forgotten");
        call = digest.attempt();
        call.line("POST", "/");
        assertTrue(call.isAgain(fields("Digest realm=r, nonce=3")));
        call.line("POST", "/");
        assertTrue(call.isAgain(fields("Digest realm=r, nonce=4, stale=true")));
        call.line("POST", "/");
        assertFalse(call.isAgain(fields("Digest realm=r, nonce=5, stale=true")));
        call = digest.attempt();
        call.line("POST", "/");
        assertTrue(call.isAgain(fields("Digest realm=r, nonce=6")));
        call = digest.attempt();
        assertTrue(call.line("POST", "/").contains("nonce=\"6\""));
        assertTrue(call.isAgain(fields("Digest realm=r, nonce=7")), "the kept one is too old");
        call.line("POST", "/");
        assertFalse(call.isAgain(fields("Digest realm=r, nonce=8, stale=true")));
        assertFalse(new ClientAccess.Login("me", "hunter2").toString().contains("hunter2"));
    }
}
