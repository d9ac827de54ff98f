package creo.conformance;

import conformance.values.Growing;
import conformance.values.Label;
import conformance.values.Optionals;
import conformance.values.Shape;
import conformance.values.Small;
import conformance.values.Tree;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Writes the values of {@code malformed/writer} that the types of the language can hold, and says how that fails. */
final class WriterPeer {
    private static final String HIGH = "\ud800";

    private static final Map<String, Supplier<Object>> VALUES = Map.ofEntries(
        Map.entry("text-high", () -> new Label(HIGH)),
        Map.entry("text-low", () -> new Label("\udc00")),
        Map.entry("text-swapped", () -> new Label("a\udc00\ud800b")),
        Map.entry("text-high-then-letter", () -> new Label(HIGH + "a")),
        Map.entry("text-optional", () -> Optionals.of().withText("\udfff")),
        Map.entry("text-item", () -> small(List.of(), List.of("a", "\udbff"))),
        Map.entry("text-in-struct", () -> small(List.of(new Label(""), new Label(HIGH)), List.of())),
        Map.entry("key", () -> Tree.of("", List.of(), Map.of(HIGH, leaf("")))),
        Map.entry("entry", () -> Tree.of("", List.of(), Map.of("a", leaf(HIGH)))),
        Map.entry("member", () -> new Shape.Label(HIGH)),
        Map.entry("region", () -> Growing.of(HIGH)),
        Map.entry("instant-early", () -> Optionals.of().withInstant(Instant.ofEpochSecond(-62135596801L))),
        Map.entry("instant-late", () -> Optionals.of().withInstant(Instant.ofEpochSecond(253402300800L))),
        Map.entry("decimal-1001", () -> Optionals.of().withAmount(new BigDecimal("1".repeat(1001)))),
        Map.entry("decimal-1001-fraction", () -> Optionals.of().withAmount(new BigDecimal("1." + "1".repeat(1000)))),
        Map.entry("depth", WriterPeer::deep));

    private WriterPeer() {}

    static void run() throws IOException {
        CodecPeer.run(question -> {
            Supplier<Object> value = VALUES.get((String) question.get("id"));
            if (value == null) {
                return "\"cannot\":true";
            }
            return "\"bytes\":\"" + HexFormat.of().formatHex(Values.encode((String) question.get("type"), value.get())) + "\"";
        });
    }

    private static Small small(List<Label> labels, List<String> texts) {
        return new Small(List.of(), labels, List.of(), texts, List.of());
    }

    private static Tree leaf(String name) {
        return Tree.of(name, List.of(), Map.of());
    }

    private static Tree deep() {
        Tree tree = leaf("");
        for (int level = 1; level <= 100; level++) {
            tree = new Tree("", List.of(), tree, Map.of());
        }
        return tree;
    }
}
