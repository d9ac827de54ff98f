package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import creo.runtime.codegen.Items;
import creo.runtime.spi.MessageAnswer;
import creo.runtime.spi.MessageClient;
import creo.runtime.spi.MessageStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A call with a stream over a message transport, without one. */
class MessageStreamTest {
    private static MessageAnswer items(long before, int number) {
        byte[] body = {1, 0, 0, 0, (byte) number};
        return new MessageAnswer(MessageAnswer.Kind.ITEMS, "application/vnd.creo.binary", body, body.length, false, Map.of(), new MessageAnswer.Part(1, before));
    }

    /** JMS-26: a message after more items than came, when the call's time is over: those between have expired. */
    @Test
    void itemsThatHaveExpired() throws Exception {
        Supplier<CreoException> late = () -> CreoException.ofRuntime(ErrorCode.DEADLINE_EXCEEDED, "late", null);
        for (boolean over : new boolean[] {true, false}) {
            for (long before : new long[] {2, 0}) {
                CallOptions options = over ? CallOptions.NONE.withDeadline(Duration.ofMillis(1)) : CallOptions.NONE;
                MessageStream<Stream<Integer>> stream = new MessageClient(Wire.BINARY, ClientOptions.DEFAULT, "somewhere", Set.of())
                    .stream(StreamCalls.COUNT, new StreamCalls.Args(3, null), options, 0, Runnable::run);
                stream.begins();
                stream.sent();
                while (over && stream.millisecondsLeft() > 0) {
                    Thread.onSpinWait();
                }
                stream.take(items(0, 7), late);
                stream.take(items(before, 8), late);
                List<Integer> seen = new ArrayList<>();
                CreoException e = assertThrows(CreoException.class, () -> Items.await(stream.future()).forEach(seen::add));
                assertEquals(List.of(7), seen);
                assertEquals(over && before == 2 ? ErrorCode.DEADLINE_EXCEEDED : ErrorCode.MALFORMED, e.code());
            }
        }
    }
}
