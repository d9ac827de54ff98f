package creo.runtime;

import creo.runtime.codegen.Codec;
import creo.runtime.codegen.JsonWire;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceInterface;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TdxmlSoapWire;
import creo.runtime.codegen.TdxmlWire;
import creo.runtime.codegen.TextWire;
import creo.runtime.codegen.Writer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** An interface as generated code would describe it, by hand. */
final class Calls {
    static final ServiceInterface INTERFACE = new ServiceInterface("test.Calls", 0x1111_2222_3333_4444L);
    static final TextWire[] WIRES = {TdxmlSoapWire.WIRE, JsonWire.WIRE, TdxmlWire.WIRE};

    /** A declared exception. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        final int wait;

        Refused(int wait) {
            this.wait = wait;
        }
    }

    private static final Codec<String> TEXT = Codec.of(Writer::writeString, Reader::readString);
    private static final Codec<byte[]> BYTES = Codec.of(Writer::writeBytes, Reader::readBytes);
    private static final Codec<Integer> INT = Codec.of(Writer::writeInt, Reader::readInt);
    private static final Codec<Refused> REFUSED = Codec.of((w, e) -> w.writeInt(e.wait), r -> new Refused(r.readInt()));

    static final ServiceMethod<String, String> SAY = ServiceMethod.of(INTERFACE, "say", 1, TEXT, TEXT, new ServiceMethod.Thrown<>(Refused.class, REFUSED))
        .text(() -> TextCalls.SAY);
    static final ServiceMethod<byte[], byte[]> ECHO = ServiceMethod.of(INTERFACE, "echo", 2, BYTES, BYTES).text(() -> TextCalls.ECHO);
    static final ServiceMethod<Integer, Integer> SLEEP = ServiceMethod.of(INTERFACE, "sleep", 3, INT, INT).text(() -> TextCalls.SLEEP);
    static final ServiceMethod<String, Void> NOTE = ServiceMethod.oneway(INTERFACE, "note", 4, TEXT).text(() -> TextCalls.NOTE);
    static final ServiceMethod<String, String> LOST = ServiceMethod.of(INTERFACE, "lost", 99, TEXT, TEXT).text(() -> TextCalls.LOST);

    private Calls() {}

    /** The behaviour of the service in a test. */
    interface Service {
        String say(String text) throws Exception;

        default void note(String text) {}
    }

    static Endpoint endpoint(Service service) {
        return Endpoint.builder(INTERFACE).wires(WIRES)
            .method(SAY, service::say)
            .method(ECHO, bytes -> bytes)
            .method(SLEEP, milliseconds -> {
                TimeUnit.MILLISECONDS.sleep(milliseconds);
                return milliseconds;
            })
            .method(NOTE, text -> {
                service.note(text);
                return null;
            })
            .build();
    }

    /** The same by stages; they complete on the executor's threads. */
    static Endpoint asyncEndpoint(Service service, Executor executor) {
        return Endpoint.builder(INTERFACE).wires(WIRES)
            .asyncMethod(SAY, text -> stage(() -> service.say(text), executor))
            .asyncMethod(ECHO, CompletableFuture::completedFuture)
            .asyncMethod(SLEEP, milliseconds -> new CompletableFuture<Integer>().completeOnTimeout(milliseconds, milliseconds, TimeUnit.MILLISECONDS))
            .asyncMethod(NOTE, text -> CompletableFuture.runAsync(() -> service.note(text), executor))
            .build();
    }

    private interface Work<R> {
        R run() throws Exception;
    }

    private static <R> CompletionStage<R> stage(Work<R> work, Executor executor) {
        CompletableFuture<R> future = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                future.complete(work.run());
            } catch (Exception e) {
                future.completeExceptionally(e);
            }
        });
        return future;
    }

    static Server serve(Service service) {
        return Server.builder().add(endpoint(service)).start();
    }

    static Channel connect(Server server) {
        return TcpChannel.open("127.0.0.1", server.port(), ClientOptions.DEFAULT);
    }
}
