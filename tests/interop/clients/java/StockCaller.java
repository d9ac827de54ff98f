import creo.runtime.CallOptions;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.SoapChannel;
import example.stock.Item;
import example.stock.Kind;
import example.stock.MapType;
import example.stock.MoveResponse;
import example.stock.Size;
import example.stock.StockClient;
import example.stock.unknownSku;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Our Java client calls services of SOAP encoding: {@code StockCaller ADDRESS encoded}. */
public final class StockCaller {
    private static final String ANYTHING = "<value xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xsi:type=\"xsd:int\">42</value>";

    private StockCaller() {}

    private static Item item(String sku) {
        return Item.builder().sku(sku).kind(Kind.packed_up).price(new BigDecimal("12.50")).since("2020-02-29").checked(Instant.parse("2026-01-02T03:04:05Z"))
            .picture(new byte[] {0, 1, 2}).size(new Size(1.5, 2)).sizes(List.of(new Size(1, 2), new Size(3, 4))).tags(List.of("a<b", "")).build();
    }

    public static void main(String[] args) {
        Item full = Item.builder().sku("x & y").kind(Kind.loose).price(new BigDecimal("1.50")).since("2026-11-27").checked(Instant.parse("2026-11-27T10:00:00Z"))
            .picture(new byte[] {0, -1}).note("a note").sizes(List.of(new Size(1, 2), new Size(3.5, -0.5))).tags(List.of("a", "<b>")).build();
        Item least = Item.of("least", Kind.packed_up, BigDecimal.ZERO, "0001-01-01", Instant.parse("0001-01-01T00:00:00Z"), new byte[0]);
        try (StockClient all = new StockClient(SoapChannel.open(args[0], ClientOptions.DEFAULT))) {
            StockClient client = all.with(CallOptions.NONE.withDeadline(Duration.ofSeconds(30)));
            Cases cases = new Cases();
            cases.add("count", () -> {
                Cases.equal(List.of(1, 3), List.of(client.count(List.of("a", "bcd"))[0], client.count(List.of("a", "bcd"))[1]));
                Cases.equal(0, client.count(List.of()).length);
            });
            cases.add("find", () -> Cases.equal(List.of(item("packed-up-1"), item("packed-up-2")), client.find(Kind.packed_up, 2)));
            cases.add("find-none", () -> Cases.equal(List.of(), client.find(Kind.packed_up, 0)));
            cases.add("describe", () -> Cases.equal(item("q"), client.describe("q")));
            cases.add("store", () -> client.store(full));
            cases.add("store-least", () -> client.store(least));
            cases.add("move", () -> Cases.equal(new MoveResponse(3, 2026), client.move("abc", "2026-11-27")));
            cases.add("sum", () -> Cases.equal(6.0, client.sum(List.of(new int[] {1, 2}, new int[] {3}))));
            cases.add("properties", () -> {
                MapType found = client.properties("q");
                Cases.equal(2, found.item().size());
                Cases.equal(true, found.item().get(1).key().endsWith(">weight</key>") && found.item().get(1).value().contains(":int") && found.item().get(1).value().endsWith(">3</value>"));
            });
            cases.add("anything", () -> {
                String found = client.anything(ANYTHING);
                Cases.equal(true, found.startsWith("<value ") && found.endsWith(">42</value>"));
            });
            cases.add("ping", client::ping);
            cases.add("forget", () -> client.forget("q"));
            cases.add("fault-unknown", () -> {
                try {
                    throw new AssertionError("no fault, but " + client.describe("unknown"));
                } catch (unknownSku e) {
                    Cases.equal("unknown", e.sku());
                }
            });
            cases.add("fault-undeclared", () -> {
                try {
                    throw new AssertionError("no fault, but " + client.describe("broken"));
                } catch (CreoException e) {
                    Cases.equal(ErrorCode.INTERNAL, e.code());
                    Cases.equal(true, e.getMessage().contains("it broke"));
                }
            });
            System.exit(cases.run());
        }
    }
}
