import creo.runtime.CreoException;
import creo.runtime.DeclaredException;
import creo.runtime.ErrorCode;
import creo.runtime.Generated;
import creo.runtime.Nullable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.example.values.Closed;
import org.example.values.Level;
import org.example.values.Lost;
import org.example.values.Point;
import org.example.values.Quality;
import org.example.values.Series;
import org.example.values.SeriesCodec;
import org.example.values.SeriesText;
import org.example.values.Shape;
import org.example.values.Store;
import org.example.values.Wide;

/** What values of generated code promise. */
public final class Main {
    private static final Point P = new Point(1, 2);

    private Main() {}

    private static Series.Builder series() {
        return Series.builder()
            .name("CO2")
            .samples(new double[] {1, Double.NaN})
            .points(List.of(P))
            .checks(Arrays.asList(Quality.RAW, null))
            .grid(List.of(List.of(P)))
            .counts(Map.of("a", 1))
            .places(Map.of())
            .number(7);
    }

    private static void refused(String message, Runnable making) {
        try {
            making.run();
        } catch (NullPointerException e) {
            check(message, e.getMessage());
            return;
        }
        throw new AssertionError("no error: " + message);
    }

    private static void check(Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError("expected " + expected + ", not " + actual);
        }
    }

    private static void missing() {
        refused("name", () -> series().name(null).build());
        refused("samples", () -> series().samples(null).build());
        refused("points", () -> series().points(null).build());
        refused("points[1]", () -> series().points(Arrays.asList(P, null)).build());
        refused("grid[1]", () -> series().grid(Arrays.asList(List.of(P), null)).build());
        refused("grid[][0]", () -> series().grid(List.of(Arrays.asList((Point) null))).build());
        Map<String, Integer> counts = new LinkedHashMap<>();
        counts.put("a", 1);
        counts.put("b", null);
        refused("counts{1}.value", () -> series().counts(counts).build());
        refused("number", () -> Series.builder().name("").samples(new double[0]).points(List.of()).checks(List.of()).grid(List.of()).counts(Map.of()).places(Map.of()).build());
        refused("name", () -> series().build().withName(null));
        refused("tags[0]", () -> series().build().withTags(Arrays.asList((String) null)));
        refused("value", () -> new Shape.Label(null));
        refused("value[0]", () -> new Shape.Corners(Arrays.asList((Point) null)));
        refused("what", () -> new Lost(null, List.of(), new Shape.Label(""), Level.LOW, Map.of(), null));
        refused("where", () -> new Lost("", null, new Shape.Label(""), Level.LOW, Map.of(), null));
        refused("c", () -> Wide.builder().a(1).b(1).d(1).e(true).f((short) 1).g((byte) 1).h('h').i(1).k(1).l(1).n(1).o(true).p((short) 1).q((byte) 1).r('r').s(1).build());
        Series plain = series().build();
        check(null, plain.note());
        check(100L, plain.limit());
        check(Arrays.asList(Quality.RAW, null), plain.checks());
    }

    private static void copied() {
        List<Point> points = new ArrayList<>(List.of(P));
        List<List<Point>> grid = new ArrayList<>(List.of(new ArrayList<>(List.of(P))));
        Map<String, Integer> counts = new LinkedHashMap<>();
        List.of("z", "y", "x", "w", "v").forEach(key -> counts.put(key, key.length()));
        double[] samples = {1};
        Series value = series().points(points).grid(grid).counts(counts).samples(samples).build();
        int hash = value.hashCode();
        points.add(P);
        grid.get(0).clear();
        grid.clear();
        counts.remove("z");
        check(hash, value.hashCode());
        check(List.of(P), value.points());
        check(List.of(List.of(P)), value.grid());
        check("[z, y, x, w, v]", value.counts().keySet().toString());
        check(true, value.samples() == samples);
        for (Runnable change : List.<Runnable>of(
                () -> value.points().add(P),
                () -> value.grid().get(0).clear(),
                () -> value.checks().set(0, null),
                () -> value.counts().put("q", 1),
                () -> value.counts().entrySet().iterator().next().setValue(2),
                () -> value.counts().keySet().clear())) {
            try {
                change.run();
            } catch (UnsupportedOperationException e) {
                continue;
            }
            throw new AssertionError("changed");
        }
        Series renamed = value.withName("other");
        check(true, renamed.points() == value.points() && renamed.grid() == value.grid() && renamed.counts() == value.counts() && renamed.checks() == value.checks());
        Series read = SeriesCodec.fromBytes(SeriesCodec.toBytes(value));
        check(value, read);
        check(value.hashCode(), read.hashCode());
        check(value.toString(), read.toString());
        check(value, SeriesText.fromJson(SeriesText.toJson(value)));
        check(value, SeriesText.fromXml(SeriesText.toXml(value)));
        Series again = read.toBuilder().build();
        check(true, again.points() == read.points() && again.grid() == read.grid() && again.counts() == read.counts() && again.checks() == read.checks() && again.places() == read.places());
        // A list that may hold null does not become one that may not.
        Shape.Corners corners = new Shape.Corners(read.grid().get(0));
        check(true, corners.value() == read.grid().get(0));
    }

    private static Object serialized(Object value) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }

    private static void exceptions() throws Exception {
        IllegalStateException cause = new IllegalStateException("why");
        List<Point> where = new ArrayList<>(List.of(P));
        Lost lost = new Lost("it", where, new Shape.Corners(List.of(P)), Level.of(9), new LinkedHashMap<>(Map.of("a", Quality.CHECKED)), null, cause);
        where.clear();
        check("org.example.values.Lost: what=it, where=[Point[x=1.0, y=2.0]], shape=Corners[value=[Point[x=1.0, y=2.0]]], level=#9, seen={a=CHECKED}, code=null", lost.toString());
        check(true, lost.getCause() == cause);
        Lost copy = (Lost) serialized(lost);
        check(lost.toString(), copy.toString());
        check(lost.where(), copy.where());
        check(lost.seen(), copy.seen());
        check(lost.shape(), copy.shape());
        check("why", copy.getCause().getMessage());
        DeclaredException closed = new Closed();
        check("org.example.values.Closed", closed.toString());
        check(null, closed.getCause());
        check(cause, new Closed(cause).getCause());
        Series value = series().build();
        check(value, serialized(value));
        check(true, serialized(Level.HIGH) == Level.HIGH);
        CreoException e = (CreoException) serialized(new CreoException(ErrorCode.OVERLOADED, "later", Map.of("after", "5")));
        check(Map.of("after", "5"), e.details());
    }

    private static void annotations() throws Exception {
        check(true, isNullable(Store.class.getMethod("find", String.class, Level.class).getAnnotatedReturnType()));
        check(true, isNullable(Series.class.getMethod("note").getAnnotatedReturnType()));
        check(false, isNullable(Series.class.getMethod("name").getAnnotatedReturnType()));
        check(true, isNullable(Series.class.getMethod("raw").getAnnotatedReturnType()));
        AnnotatedType checks = Series.class.getMethod("checks").getAnnotatedReturnType();
        check(false, isNullable(checks));
        check(true, isNullable(((AnnotatedParameterizedType) checks).getAnnotatedActualTypeArguments()[0]));
        check(true, Generated.class.isAnnotation());
    }

    private static boolean isNullable(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class);
    }

    public static void main(String[] args) throws Exception {
        missing();
        copied();
        exceptions();
        annotations();
        System.out.println("all is as promised");
    }
}
