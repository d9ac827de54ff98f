import creo.runtime.Server;
import example.stock.Item;
import example.stock.Kind;
import example.stock.MapType;
import example.stock.MoveResponse;
import example.stock.Size;
import example.stock.Stock;
import example.stock.StockEndpoint;
import example.stock.mapItem;
import example.stock.unknownSku;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** The service of tests/import/encoded/in.wsdl, which others call in SOAP encoding. Prints its address; ends with its input. */
public final class StockService implements Stock {
    private static final String DECLARED = " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\"";

    public static void main(String[] args) throws Exception {
        try (Server server = Server.builder().http("127.0.0.1", 0).add(StockEndpoint.of(new StockService())).start()) {
            System.out.println("{\"address\": \"http://127.0.0.1:" + server.httpPort() + "/Stock\"}");
            while (System.in.read() >= 0) {
                // Only the end of the input counts.
            }
        }
    }

    private static Item item(String sku) {
        return Item.builder().sku(sku).kind(Kind.packed_up).price(new BigDecimal("12.50")).since("2020-02-29").checked(Instant.parse("2026-01-02T03:04:05Z"))
            .picture(new byte[] {0, 1, 2}).size(new Size(1.5, 2)).sizes(List.of(new Size(1, 2), new Size(3, 4))).tags(List.of("a<b", "c")).build();
    }

    @Override
    public int[] count(List<String> skus) {
        return skus == null ? null : skus.stream().mapToInt(String::length).toArray();
    }

    @Override
    public List<Item> find(Kind kind, int limit) {
        return IntStream.rangeClosed(1, limit).mapToObj(i -> item((kind == Kind.packed_up ? "packed-up" : "loose") + "-" + i)).toList();
    }

    @Override
    public Item describe(String sku) throws unknownSku {
        if (sku.equals("unknown")) {
            throw new unknownSku(sku);
        }
        return item(sku);
    }

    @Override
    public void store(Item item) {
        if (!item.equals(item(item.sku()).withNote(item.note()))) {
            throw new IllegalArgumentException("another item: " + item);
        }
    }

    @Override
    public MoveResponse move(String sku, String day) {
        return new MoveResponse(sku.length(), Integer.parseInt(day.substring(0, 4)));
    }

    @Override
    public double sum(List<int[]> rows) {
        return rows.stream().flatMapToInt(IntStream::of).sum();
    }

    @Override
    public MapType properties(String sku) {
        return new MapType(List.of(new mapItem("<key" + DECLARED + " xsi:type=\"xsd:string\">colour</key>", "<value" + DECLARED + " xsi:type=\"xsd:string\">red</value>")));
    }

    @Override
    public String anything(String value) {
        return value;
    }

    @Override
    public void odd(String grid, String tree) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void ping() {
        // Answers.
    }

    @Override
    public void forget(String sku) {
        // There is no answer.
    }
}
