package creo.wss;

import java.nio.charset.StandardCharsets;

/** Envelopes of the tests. */
final class Envelopes {
    static final String BODY = "<n:say xmlns:n=\"urn:creo:org.example.notes\"><n:text>Grüße &amp; €5\uD83D\uDE00</n:text></n:say>";

    private Envelopes() {}

    static byte[] of(String soap, String header, String body) {
        String head = header.isEmpty() ? "" : "<soap:Header>" + header + "</soap:Header>";
        return ("<soap:Envelope xmlns:soap=\"" + soap + "\">" + head + "<soap:Body>" + body + "</soap:Body></soap:Envelope>").getBytes(StandardCharsets.UTF_8);
    }

    static byte[] of(String body) {
        return of(Names.SOAP_11, "", body);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The content of the body. */
    static String body(byte[] envelope) {
        StringBuilder out = new StringBuilder();
        Dom.children(Envelope.parse(envelope, envelope.length, "utf-8").body).forEach(child -> Dom.write(child, out));
        return out.toString();
    }
}
