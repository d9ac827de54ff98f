package creo.runtime;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Collects the body of an answer, up to the limit. */
final class HttpBody implements HttpResponse.BodySubscriber<HttpBody.Collected> {
    /** A body, with room for zeros behind it. */
    record Collected(byte[] bytes, int length) {}

    private final Limits limits;
    private final CompletableFuture<Collected> result = new CompletableFuture<>();
    private Flow.Subscription subscription;
    private byte[] bytes = new byte[4_096];
    private int length;

    HttpBody(Limits limits) {
        this.limits = limits;
    }

    @Override
    public CompletionStage<Collected> getBody() {
        return result;
    }

    @Override
    public void onSubscribe(Flow.Subscription s) {
        subscription = s;
        s.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            int n = buffer.remaining();
            if ((long) length + n > limits.maxMessageSize()) {
                subscription.cancel();
                result.completeExceptionally(CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "an answer of more bytes"));
                return;
            }
            if (length + n + XmlScanner.PADDING > bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 16L, Math.max(length + n + XmlScanner.PADDING, 2L * bytes.length)));
            }
            buffer.get(bytes, length, n);
            length += n;
        }
    }

    @Override
    public void onError(Throwable e) {
        result.completeExceptionally(e);
    }

    @Override
    public void onComplete() {
        result.complete(new Collected(bytes, length));
    }
}
