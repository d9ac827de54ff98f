package creo.bench.messaging;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** A stack of today: its service, its clients, and its wire alone. */
interface Peer {
    /** Starts the service; returns what {@link #connect} needs to find it. It serves until the program ends. */
    String serve(Way way, Times times) throws Exception;

    Client connect(Way way, String address) throws Exception;

    /** The wire of the normal message alone, or null where it is measured with another transport. */
    Codec codec(Way way) throws Exception;

    /** Calls the service. */
    interface Client {
        /** Requests this many items, as objects. */
        List<?> items(int count) throws Exception;

        /** Asks for the serialized object. */
        byte[] serialized(int count) throws Exception;

        /** Fails unless the items are those that were sent. */
        void check(List<?> items);
    }

    /** Objects to the bytes of a message, and back. */
    interface Codec {
        Object make(int count);

        byte[] write(Object items) throws Exception;

        Object read(byte[] bytes) throws Exception;
    }

    static <T> List<T> make(int count, IntFunction<T> item) {
        List<T> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(item.apply(i));
        }
        return items;
    }

    /** What every service does for a serialized object: makes the payload, and serializes it. */
    static byte[] serialized(int count, Times times) {
        try {
            List<Plain> items = times.of("generation", () -> make(count, Plain::of));
            return times.of("serialization", () -> Plain.serialize(items));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What every service does for a normal message. */
    static <T> List<T> generated(int count, IntFunction<T> item, Times times) {
        try {
            return times.of("generation", () -> make(count, item));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
