package creo.runtime.spi;

import creo.runtime.Answer.Header;
import creo.runtime.Limits;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.call.RawHook;
import creo.runtime.internal.host.MessageForm;
import creo.runtime.internal.http.HttpRaw;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.RawBody;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Shows messages of a method's calls over a message transport to the program's hook for raw messages (CALL-60). Safe for use by many threads. */
public final class MessageHook {
    private final RawHook hook;
    private final Limits limits;

    MessageHook(RawHook hook, Limits limits) {
        this.hook = hook;
        this.limits = limits;
    }

    /** Shows a request that is about to be sent; never throws. */
    public void sending(MessageRequest request, Map<String, String> properties) {
        show(true, false, properties, request.mediaType(), request.body(), request.length(), request.isCompressed() ? "gzip" : null);
    }

    /** Shows an answer that has come; never throws. An encoding other than gzip cannot be undone: nothing is shown. */
    public void received(Map<String, String> properties, String mediaType, byte[] body, int length, String encoding) {
        show(false, true, properties, mediaType, body, length, encoding);
    }

    void show(boolean sent, boolean answer, Map<String, String> properties, String mediaType, byte[] body, int length, String encoding) {
        List<Header> fields = properties.entrySet().stream().map(each -> new Header(each.getKey(), each.getValue())).toList();
        hook.show(sent, answer, 0, fields, () -> {
            PaddedBytes plain = HttpRaw.plain(encoding, body, length, limits);
            if (plain == null) {
                return null;
            }
            MediaType type = MediaType.parse(mediaType);
            return type != null && type.type().equals(MessageForm.BINARY)
                ? RawHook.Body.nameless(Arrays.copyOf(plain.bytes(), plain.length()), plain.length(), hook.secrets(), false)
                : RawBody.of(plain.bytes(), plain.length(), mediaType, hook.secrets());
        });
    }
}
