package creo.runtime.internal.host;

import creo.runtime.Answer.Header;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.call.RawHook;
import creo.runtime.internal.http.HttpMetadata;
import creo.runtime.internal.http.HttpRaw;
import creo.runtime.internal.http.HttpRequestHead;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Shows each answer to the host's hook for raw messages before it is sent (CALL-61). */
record RawResponder(HttpResponder to, HttpRaw hook) implements HttpResponder {
    /**
     * The same destination, with the hook if the host has one.
     *
     * @param method null if it is not known
     */
    static HttpResponder of(HttpResponder to, ServiceMethod<?, ?> method) {
        RawHook hook = to.service().host().rawHook(method, to.peer());
        return hook == null ? to : new RawResponder(to, new HttpRaw(hook, to.service().host().limits()));
    }

    @Override
    public HttpService service() {
        return to.service();
    }

    @Override
    public String peer() {
        return to.peer();
    }

    @Override
    public void checkRoom(int length) {
        to.checkRoom(length);
    }

    @Override
    public boolean takesTurn() {
        return to.takesTurn();
    }

    @Override
    public boolean hasPieces() {
        return to.hasPieces();
    }

    /** Of an answer that is a stream, the head is shown when it begins. */
    @Override
    public Pieces pieces(HttpRequestHead asked, String mediaType, AnswerPairs pairs) throws IOException {
        hook.show(true, 200, headers(mediaType, pairs), new byte[0], 0);
        return to.pieces(asked, mediaType, pairs);
    }

    @Override
    public void abandon(Throwable failure) {
        to.abandon(failure);
    }

    @Override
    public void readMore() {
        to.readMore();
    }

    @Override
    public void send(HttpRequestHead asked, int status, String mediaType, byte[] bytes, int length, String allow, AnswerPairs pairs) {
        hook.show(true, status, headers(mediaType, pairs), bytes, length);
        to.send(asked, status, mediaType, bytes, length, allow, pairs);
    }

    private static List<Header> headers(String mediaType, AnswerPairs pairs) {
        List<Header> headers = new ArrayList<>(4);
        if (mediaType != null) {
            headers.add(new Header("Content-Type", mediaType));
        }
        HttpMetadata.writeAnswer(pairs.metadata(), (name, value) -> headers.add(new Header(name, value)));
        headers.addAll(pairs.headers());
        return headers;
    }
}
