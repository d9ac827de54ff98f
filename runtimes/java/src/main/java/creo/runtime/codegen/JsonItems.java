package creo.runtime.codegen;

import creo.runtime.CallOptions;
import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.internal.call.ItemLine;
import creo.runtime.internal.http.HttpChannel;
import creo.runtime.internal.http.HttpStreamCall;
import creo.runtime.internal.http.HttpStreaming;
import creo.runtime.internal.json.JsonReader;
import creo.runtime.internal.json.JsonWriter;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * The items of a stream as lines of JSON (HTTP-30). For generated code.
 *
 * @param message whose only field is the item
 * @param charge what each item is charged, as in {@link Items#charge}
 */
@SuppressWarnings("exports") // What it implements is for the runtime only.
public record JsonItems<T>(TextMessage<T> message, int charge) implements LineItems, HttpStreaming {
    /** The bytes of the shortest line that is an item. */
    private static final int MIN_LINE = 11;

    public JsonItems {
        Objects.requireNonNull(message, "message");
    }

    /** Items that are written and read as a message whose only field is the item. */
    public static <T> JsonItems<T> of(TextMessage<T> message, int charge) {
        return new JsonItems<>(message, charge);
    }

    @Override
    public Items<T> items(Limits limits) {
        return new Items<>(Codec.of((w, item) -> write(w, limits, item), r -> read(r, limits)), MIN_LINE, charge);
    }

    private void write(Writer to, Limits limits, T item) {
        JsonWriter w = JsonWriter.borrow(limits);
        try {
            message.all().write(w, item);
            w.end();
            int at = to.reserve(ItemLine.BEFORE.length + w.pos + ItemLine.AFTER.length);
            byte[] b = to.buffer();
            System.arraycopy(ItemLine.BEFORE, 0, b, at, ItemLine.BEFORE.length);
            System.arraycopy(w.buf, 0, b, at + ItemLine.BEFORE.length, w.pos);
            System.arraycopy(ItemLine.AFTER, 0, b, at + ItemLine.BEFORE.length + w.pos, ItemLine.AFTER.length);
        } catch (CreoException e) {
            throw w.locate(e);
        } finally {
            w.giveBack();
        }
    }

    /** Reads the next line, which is complete and an item. */
    private T read(Reader from, Limits limits) {
        byte[] b = from.buffer();
        int first = from.advance(0);
        int lf = first;
        while (b[lf] != '\n') {
            lf++;
        }
        from.advance(lf + 1 - first);
        ItemLine line = ItemLine.of(b, first, lf);
        JsonReader r = JsonReader.borrow(limits);
        try {
            r.memory = from.memory();
            r.open(b, line.from(), line.to() - line.from());
            r.expectResult();
            T item = message.decoder.read(r);
            r.endDocument();
            return item;
        } catch (CreoException e) {
            throw r.locate(e);
        } finally {
            r.giveBack();
        }
    }

    @Override
    public <A, R> CompletableFuture<R> stream(HttpChannel channel, ServiceMethod<A, R> method, A arguments, CallOptions options) {
        return HttpStreamCall.begin(channel, method, arguments, options);
    }
}
