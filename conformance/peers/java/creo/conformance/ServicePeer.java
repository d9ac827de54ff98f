package creo.conformance;

import conformance.matrix.AnswerEndpoint;
import conformance.matrix.Echo;
import conformance.matrix.EchoEndpoint;
import conformance.matrix.StreamsEndpoint;
import conformance.matrix.Trouble;
import conformance.matrix.TroubleEndpoint;
import conformance.values.Arrays;
import conformance.values.Block;
import conformance.values.Colour;
import conformance.values.Defaults;
import conformance.values.Event;
import conformance.values.Expression;
import conformance.values.Growing;
import conformance.values.Level;
import conformance.values.Maps;
import conformance.values.Mixed;
import conformance.values.Nested;
import conformance.values.NotFound;
import conformance.values.Nothing;
import conformance.values.Optionals;
import conformance.values.Point;
import conformance.values.Primitives;
import conformance.values.Refused;
import conformance.values.Shape;
import conformance.values.Tree;
import conformance.xml.PartnerEndpoint;
import creo.runtime.CallContext;
import creo.runtime.CreoException;
import creo.runtime.Endpoint;
import creo.runtime.ErrorCode;
import creo.runtime.Interceptor;
import creo.runtime.Limits;
import creo.runtime.Server;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The service that all clients are tried against. Ends when its standard input does. */
final class ServicePeer {
    private ServicePeer() {}

    /** Serves every wire on one port, the binary wire alone on another, and where there are keys, every wire on a third one through TLS. */
    static void run(String keys) throws IOException, GeneralSecurityException {
        try (Server server = builder().start(); Server binary = builder(Server.builder().tcp("127.0.0.1", 0)).start();
                Server tls = keys == null ? null : builder().tls(Certificates.server(keys)).start()) {
            System.out.println("{\"port\": " + server.port() + ", \"http\": " + server.httpPort() + ", \"tcp\": " + binary.port()
                + (tls == null ? "" : ", \"tls\": " + tls.port() + ", \"https\": " + tls.httpPort()) + "}");
            System.out.flush();
            while (System.in.read() >= 0) {
                // Nothing is said to a service that runs.
            }
        }
    }

    private static Server.Builder builder() {
        return builder(Server.builder().bind("127.0.0.1", 0));
    }

    private static Server.Builder builder(Server.Builder builder) {
        matrix().forEach(builder::add);
        // Concurrency as on a machine with few processors: cases count on it. A busy machine may need long for two hundred TLS handshakes.
        Limits limits = Limits.DEFAULT.withMaxConcurrency(64).withPreambleTimeout(Duration.ofMinutes(1));
        builder.limits(limits).interceptor(ServicePeer::answer);
        return builder.add(PartnerEndpoint.of(new PartnerService()));
    }

    /** Gives back the pair that a call may have, and over HTTP names its method. */
    static Interceptor.End answer(CallContext call) {
        if (Set.of("conformance.matrix.Echo", "conformance.matrix.Trouble", "conformance.matrix.Streams").contains(call.method().owner().name())) {
            String value = call.metadata().get("x-answer");
            if (value != null) {
                call.answerMetadata("x-answer", value);
            }
            call.answerHeader("X-Answered", call.method().name());
        }
        return null;
    }

    /** The services of {@code matrix.creo}. */
    static List<Endpoint> matrix() {
        return List.of(EchoEndpoint.of(new EchoService()), TroubleEndpoint.of(new TroubleService()), AnswerEndpoint.of(() -> 42), StreamsEndpoint.of(new StreamsService()));
    }

    /** Returns what it receives. */
    private static final class EchoService implements Echo {
        @Override
        public Primitives primitives(Primitives value) {
            return value;
        }

        @Override
        public Arrays arrays(Arrays value) {
            return value;
        }

        @Override
        public Optionals optionals(Optionals value) {
            return value;
        }

        @Override
        public Mixed mixed(Mixed value) {
            return value;
        }

        @Override
        public Nothing nothing(Nothing value) {
            return value;
        }

        @Override
        public Shape shape(Shape value) {
            return value;
        }

        @Override
        public Event event(Event value) {
            return value;
        }

        @Override
        public Growing growing(Growing value) {
            return value;
        }

        @Override
        public Defaults defaults(Defaults value) {
            return value;
        }

        @Override
        public Tree tree(Tree value) {
            return value;
        }

        @Override
        public Expression expression(Expression value) {
            return value;
        }

        @Override
        public Maps maps(Maps value) {
            return value;
        }

        @Override
        public Nested nested(Nested value) {
            return value;
        }

        @Override
        public Level level(Level value) {
            return value;
        }

        @Override
        public String several(int number, String text, double[] reals, Point point, conformance.other.Point cell, String maybe, Colour colour) {
            double sum = 0;
            for (double real : reals) {
                sum += real;
            }
            return number + " " + text + " " + sum + " " + point.x() + " " + point.y() + " " + cell.column() + " " + cell.row() + " "
                + (maybe == null ? "-" : maybe) + " " + colour;
        }

        @Override
        public long add(int left, long right) {
            return left + right;
        }

        @Override
        public String maybe(String value) {
            return value;
        }

        @Override
        public Map<String, Integer> counts(Map<String, Integer> value) {
            return value;
        }
    }

    /** Fails, takes long, and handles large values. */
    private static final class TroubleService implements Trouble {
        private final List<String> notes = Collections.synchronizedList(new ArrayList<>());

        @Override
        public String fail(String kind) throws NotFound, Refused {
            switch (kind) {
                case "not-found" -> throw new NotFound("not-found", new int[] {1, 2, 3});
                case "refused" -> throw new Refused("refused", 30);
                case "internal" -> throw new IllegalStateException("secret");
                case "denied" -> throw new CreoException(ErrorCode.PERMISSION_DENIED, "not you");
                case "unauthenticated", "overloaded", "unavailable", "too-large", "cancelled", "deadline-exceeded", "protocol-mismatch", "invalid-value" ->
                    throw new CreoException(ErrorCode.valueOf(kind.replace('-', '_').toUpperCase(java.util.Locale.ROOT)), "as asked");
                default -> {
                    return kind;
                }
            }
        }

        @Override
        public int sleep(int milliseconds) {
            try {
                Thread.sleep(milliseconds);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return milliseconds;
        }

        @Override
        public void note(String text) {
            notes.add(text);
        }

        @Override
        public List<String> noted(String prefix) {
            synchronized (notes) {
                return notes.stream().filter(note -> note.startsWith(prefix)).toList();
            }
        }

        @Override
        public List<Block> blocks(int count) {
            List<Block> blocks = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                blocks.add(new Block(i / 2.0, (short) i));
            }
            return blocks;
        }

        @Override
        public byte[] bytes(int count) {
            byte[] bytes = new byte[count];
            for (int i = 0; i < count; i++) {
                bytes[i] = (byte) i;
            }
            return bytes;
        }

        @Override
        public long sum(byte[] data) {
            long sum = 0;
            for (byte b : data) {
                sum += b & 0xff;
            }
            return sum;
        }

        @Override
        public double total(double[] numbers) {
            double total = 0;
            for (double number : numbers) {
                total += number;
            }
            return total;
        }

        @Override
        public Map<String, String> metadata() {
            return new TreeMap<>(CallContext.current().metadata());
        }

        @Override
        @Deprecated
        public void old() {
            // There is nothing to do.
        }
    }
}
