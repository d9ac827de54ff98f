package creo.jms;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.CallOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.TableOptions;
import creo.runtime.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.example.notes.CounterClient;
import org.example.notes.Full;
import org.example.notes.NotesAsyncClient;
import org.example.notes.NotesClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls of generated clients by a broker, on every wire. */
class CallsTest {
    private Rig rig;

    @BeforeEach
    void start() {
        rig = new Rig();
    }

    @AfterEach
    void end() throws Exception {
        rig.close();
    }

    private static byte[] random(int n) {
        byte[] bytes = new byte[n];
        new Random(n).nextBytes(bytes);
        return bytes;
    }

    private void checkAll(NotesClient client) throws Exception {
        assertEquals("hello!", client.say("hello"));
        assertEquals(7, assertThrows(Full.class, () -> client.say("full")).most());
        CreoException hidden = assertThrows(CreoException.class, () -> client.say("secret"));
        assertEquals(ErrorCode.INTERNAL, hidden.code());
        assertFalse(hidden.getMessage().contains("a secret"));
        CreoException denied = assertThrows(CreoException.class, () -> client.say("denied"));
        assertEquals(ErrorCode.PERMISSION_DENIED, denied.code());
        assertTrue(denied.fromPeer() || denied.getMessage().contains("not you"), denied.getMessage());
        assertArrayEquals(random(20_000), client.echo(random(20_000)));
        assertArrayEquals(new byte[0], client.echo(new byte[0]));
        client.nothing();
        client.note("noted");
        for (String text : List.of("hello", "full", "secret", "denied", "nothing", "noted")) {
            Rig.Seen seen = rig.service.next();
            assertEquals(text, seen.text());
            assertTrue(seen.id().matches("[0-9a-f]{32}"), seen.id());
            assertFalse(seen.redelivered());
            assertEquals(Rig.ADDRESS, seen.peer());
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void everyKindOfCall(Wire wire) throws Exception {
        rig.keep(rig.hosting().sessions(1).start());
        checkAll(rig.client(wire));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void compressed(Wire wire) throws Exception {
        rig.keep(rig.hosting().sessions(1).start());
        checkAll(new NotesClient(rig.channel("?deliveryMode=NON_PERSISTENT", wire, Rig.OPTIONS.withCompression())));
    }

    @ParameterizedTest
    @EnumSource(value = Wire.class, names = {"SOAP", "TDXML"})
    void packages(Wire wire) throws Exception {
        rig.keep(rig.hosting().sessions(1).start());
        checkAll(new NotesClient(rig.channel("", wire, Rig.OPTIONS.withMtom())));
        checkAll(new NotesClient(rig.channel("", wire, Rig.OPTIONS.withMtom().withCompression().withTables(TableOptions.AGGREGATED))));
    }

    @Test
    void soap12AndTables() throws Exception {
        rig.keep(rig.hosting().sessions(1).start());
        checkAll(new NotesClient(rig.channel("", Wire.SOAP, Rig.OPTIONS.withSoap12())));
        checkAll(new NotesClient(rig.channel("", Wire.SOAP, Rig.OPTIONS.withSoap12().withMtom())));
        checkAll(new NotesClient(rig.channel("", Wire.SOAP, Rig.OPTIONS.withTables(TableOptions.RECORD.withSchema()))));
        checkAll(new NotesClient(rig.channel("", Wire.TDXML, Rig.OPTIONS.withTables(TableOptions.AGGREGATED.withSchema()))));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void severalInterfacesOfOneQueue(Wire wire) {
        rig.host();
        JmsChannel channel = rig.channel("", wire, Rig.OPTIONS);
        assertEquals(5, new CounterClient(channel).add(2, 3));
        new NotesClient(channel).nothing();
        assertEquals(5, new CounterClient(rig.channel("?targetService=Counter", wire, Rig.OPTIONS)).add(2, 3));
        assertEquals(5, new CounterClient(rig.channel("?targetService=org.example.notes.Counter", wire, Rig.OPTIONS)).add(2, 3));
        NotesClient other = new NotesClient(rig.channel("?targetService=Counter", wire, Rig.OPTIONS));
        assertEquals(ErrorCode.UNKNOWN_METHOD, assertThrows(CreoException.class, other::nothing).code());
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void metadataAndDeadline(Wire wire) throws Exception {
        rig.keep(rig.hosting().sessions(1).start());
        NotesClient client = new NotesClient(rig.channel("", wire, Rig.OPTIONS.withMetadata("a.b-c", "50 % of \u00fc\ud83d\ude00")));
        CallOptions options = CallOptions.NONE.withMetadata("traceparent", "00-1").withDeadline(Duration.ofSeconds(Rig.PATIENCE));
        assertEquals("x!", client.with(options).say("x"));
        assertEquals(Map.of("a.b-c", "50 % of \u00fc\ud83d\ude00", "traceparent", "00-1"), rig.service.next().metadata());
        rig.checkTimeIsOver(client, seconds -> {
            NotesClient brief = client.with(CallOptions.NONE.withDeadline(Duration.ofSeconds(seconds)));
            assertEquals(ErrorCode.DEADLINE_EXCEEDED, assertThrows(CreoException.class, () -> brief.sleep(600_000)).code());
        });
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void manyCallsAtOnce(Wire wire) throws Exception {
        rig.keep(rig.hosting().sessions(8).start());
        NotesAsyncClient client = new NotesAsyncClient(rig.channel("", wire, Rig.OPTIONS));
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            calls.add(client.say("call " + i).toCompletableFuture());
        }
        for (int i = 0; i < calls.size(); i++) {
            assertEquals("call " + i + "!", calls.get(i).get(Rig.PATIENCE, TimeUnit.SECONDS));
        }
    }

    @Test
    void fiftyThreads() throws Exception {
        rig.keep(rig.hosting().sessions(8).start());
        NotesClient client = rig.client(Wire.SOAP);
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int t = 0; t < 50; t++) {
            int thread = t;
            CompletableFuture<Void> done = new CompletableFuture<>();
            threads.add(done);
            Thread runner = new Thread(() -> {
                try {
                    for (int i = 0; i < 20; i++) {
                        assertEquals(thread + "-" + i + "!", client.say(thread + "-" + i));
                    }
                    done.complete(null);
                } catch (Exception | AssertionError e) {
                    done.completeExceptionally(e);
                }
            });
            runner.start();
        }
        for (CompletableFuture<Void> done : threads) {
            done.get(Rig.PATIENCE, TimeUnit.SECONDS);
        }
    }

    @Test
    void cancelledAsynchronousCall() throws Exception {
        rig.host(Rig.LIMITS.withDrainTime(Duration.ofMillis(100)));
        NotesAsyncClient client = new NotesAsyncClient(rig.channel("", Wire.BINARY, Rig.OPTIONS));
        CompletableFuture<Integer> call = client.sleep(600_000).toCompletableFuture();
        assertTrue(call.cancel(true));
        CompletableFuture<String> declared = client.say("full").toCompletableFuture();
        assertTrue(assertThrows(ExecutionException.class, () -> declared.get(Rig.PATIENCE, TimeUnit.SECONDS)).getCause() instanceof Full);
    }

    /** So large that the client of the broker reads them from the network only when somebody asks for their bytes. */
    @ParameterizedTest
    @EnumSource(Wire.class)
    void largeBodiesOfSeveralCallsAtOnce(Wire wire) throws Exception {
        rig.keep(rig.hosting().sessions(3).start());
        NotesAsyncClient client = new NotesAsyncClient(rig.channel("", wire, Rig.OPTIONS));
        List<CompletableFuture<byte[]>> calls = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            calls.add(client.echo(random(700_000 + i)).toCompletableFuture());
        }
        for (int i = 0; i < calls.size(); i++) {
            assertArrayEquals(random(700_000 + i), calls.get(i).get(Rig.PATIENCE, TimeUnit.SECONDS));
        }
    }

    @Test
    void largeBodiesAreRefusedBeforeTheyAreRead() throws Exception {
        rig.host(Rig.LIMITS.withMaxMessageSize(100_000));
        NotesClient client = rig.client(Wire.BINARY);
        CreoException e = assertThrows(CreoException.class, () -> client.echo(random(200_000)));
        assertEquals(ErrorCode.TOO_LARGE, e.code());
        assertEquals("maxMessageSize", e.details().get("limit"));
        assertArrayEquals(random(1_000), client.echo(random(1_000)));
        NotesClient narrow = new NotesClient(rig.channel("", Wire.SOAP, Rig.OPTIONS.withLimits(Rig.LIMITS.withMaxMessageSize(5_000))));
        assertEquals(ErrorCode.TOO_LARGE, assertThrows(CreoException.class, () -> narrow.echo(random(4_000))).code());
    }
}
