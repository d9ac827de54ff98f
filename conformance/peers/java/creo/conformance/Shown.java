package creo.conformance;

import creo.runtime.ClientOptions;
import creo.runtime.RawLog;
import creo.runtime.RawMessage;
import creo.runtime.RawMessages;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** Keeps the raw messages of calls, for the cases with {@code shown} of {@code malformed/http-client} and {@code malformed/tcp-client}. */
final class Shown implements RawMessages {
    private final int max;
    private final List<String> messages = new ArrayList<>();

    Shown(int max) {
        this.max = max;
    }

    /** Options that show messages here, with secrets in headers and metadata. */
    ClientOptions in(ClientOptions options) {
        return options.withRawMessages(this).withHeader("X-Api-Key", "hunter2").withMetadata("my-token", "hunter2").withMetadata("authorization", "Bearer hunter2");
    }

    @Override
    public int maxBody() {
        return max;
    }

    @Override
    public synchronized void message(RawMessage m) {
        messages.add("{\"sent\": " + m.sent() + ", \"answer\": " + m.answer() + ", \"method\": " + Json.quote(m.method()) + ", \"status\": " + m.status()
            + ", \"length\": " + m.length() + ", \"hidden\": " + (m.hidden() == null ? "null" : Json.quote(m.hidden()))
            + ", \"body\": " + Json.quote(HexFormat.of().formatHex(m.body()))
            + ", \"text\": " + Json.quote(RawLog.text(m, false)) + ", \"indented\": " + Json.quote(RawLog.text(m, true))
            + ", \"headers\": " + m.headers().stream().map(h -> "[" + Json.quote(h.name()) + ", " + Json.quote(h.value()) + "]").collect(Collectors.joining(", ", "[", "]")) + "}");
        throw new IllegalStateException("what a hook throws changes nothing (CALL-67)");
    }

    /** The messages as JSON; they are forgotten. */
    synchronized String take() {
        String all = "{\"shown\": [" + String.join(", ", messages) + "]}";
        messages.clear();
        return all;
    }
}
