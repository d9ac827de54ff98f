import creo.runtime.Endpoint;
import creo.runtime.Server;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.example.interop.Arrays;
import org.example.interop.Colour;
import org.example.interop.Echo;
import org.example.interop.EchoEndpoint;
import org.example.interop.Event;
import org.example.interop.Growing;
import org.example.interop.Level;
import org.example.interop.Maps;
import org.example.interop.Nested;
import org.example.interop.NotFound;
import org.example.interop.Nothing;
import org.example.interop.Optionals;
import org.example.interop.Point;
import org.example.interop.Primitives;
import org.example.interop.Refused;
import org.example.interop.Shape;
import org.example.interop.Tree;
import org.example.interop.Words;

/** The service that the peers call. Writes its address, and ends when its standard input does. */
public final class InteropService implements Echo {
    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());

    public static void main(String[] args) throws Exception {
        Endpoint secured = EchoEndpoint.of(new InteropService()).withPasswords(user -> user.equals("anna") ? "Geheimnis-\u00df" : null);
        try (
            Server server = Server.builder().http("127.0.0.1", 0).add(EchoEndpoint.of(new InteropService())).start();
            Server guarded = Server.builder().http("127.0.0.1", 0).add(secured).start()
        ) {
            System.out.println(
                "{\"address\": \"http://127.0.0.1:" + server.httpPort() + "/Echo\", \"secured\": \"http://127.0.0.1:" + guarded.httpPort() + "/Echo\"}"
            );
            System.out.flush();
            while (System.in.read() >= 0) {
                // Nothing is said to a service that runs.
            }
        }
    }

    @Override
    public Primitives primitives(Primitives value) {
        return value;
    }

    @Override
    public Arrays arrays(Arrays value) {
        return value;
    }

    @Override
    public Nested nested(Nested value) {
        return value;
    }

    @Override
    public Optionals optionals(Optionals value) {
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
    public Tree tree(Tree value) {
        return value;
    }

    @Override
    public Maps maps(Maps value) {
        return value;
    }

    @Override
    public Words words(Words value) {
        return value;
    }

    @Override
    public Nothing nothing(Nothing value) {
        return value;
    }

    @Override
    public Colour colour(Colour value) {
        return value;
    }

    @Override
    public Level level(Level value) {
        return value;
    }

    @Override
    public String text(String value) {
        return value;
    }

    @Override
    public Instant instant(Instant value) {
        return value;
    }

    @Override
    public BigDecimal amount(BigDecimal value) {
        return value;
    }

    @Override
    public byte[] data(byte[] value) {
        return value;
    }

    @Override
    public double[] doubles(double[] value) {
        return value;
    }

    @Override
    public List<Point> points(List<Point> value) {
        return value;
    }

    @Override
    public List<int[]> matrix(List<int[]> value) {
        return value;
    }

    @Override
    public String maybe(String value) {
        return value;
    }

    @Override
    public Map<String, Integer> counts(Map<String, Integer> value) {
        return value;
    }

    @Override
    public String several(
        int number,
        String text,
        double[] reals,
        Point point,
        String maybe,
        Colour colour,
        boolean flag,
        long big,
        Instant instant,
        BigDecimal amount
    ) {
        double sum = 0;
        for (double real : reals) {
            sum += real;
        }
        return String.join(
            "|",
            String.valueOf(number),
            text,
            String.valueOf(sum),
            String.valueOf(point.x()),
            String.valueOf(point.y()),
            maybe == null ? "-" : maybe,
            colour.name(),
            String.valueOf(flag),
            String.valueOf(big),
            instant.toString(),
            amount.toPlainString()
        );
    }

    @Override
    public int answer() {
        return 42;
    }

    @Override
    public void ping() {
        // There is nothing to do.
    }

    @Override
    public String fail(String kind) throws NotFound, Refused {
        switch (kind) {
            case "not-found" -> throw new NotFound("what & where");
            case "refused" -> throw new Refused(-5, "<no>", Colour.RED, List.of(Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("2026-11-21T10:31:56.25Z")));
            case "internal" -> throw new IllegalStateException("secret");
            default -> {
                return kind;
            }
        }
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
}
