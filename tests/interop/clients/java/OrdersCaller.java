import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.SoapChannel;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.example.partner.orders.AnyParty;
import org.example.partner.orders.Busy;
import org.example.partner.orders.NotFound;
import org.example.partner.orders.OrderChoice;
import org.example.partner.orders.OrderTags;
import org.example.partner.orders.OrdersClient;
import org.example.partner.orders.company;
import org.example.partner.orders.goods;
import org.example.partner.orders.labour;
import org.example.partner.orders.order;
import org.example.partner.orders.party;
import org.example.partner.orders.person;
import org.example.partner.orders.price;
import org.example.partner.orders.state;

/** Our Java client calls the service by CXF: {@code OrdersCaller ADDRESS 1.1|1.2|mtom}. */
public final class OrdersCaller {
    private static final List<OrderChoice> LINES = List.of(
        new OrderChoice.Goods(new goods("bolt", 100)),
        new OrderChoice.Labour(new labour("assembly", 1.5)),
        new OrderChoice.Goods(new goods("nut", 200))
    );
    private static final order FULL = new order(
        new AnyParty.Person(new person("Ada & Bob", "Lovelace", "AT-9")),
        state.sold_out,
        Instant.parse("2026-11-21T10:31:56.25Z"),
        "2026-12-24",
        new price(new BigDecimal("1234567890123456789.10"), "EUR"),
        new BigDecimal("42"),
        "a <remark>",
        0.5,
        new int[] {3, -1, 4},
        new OrderTags(List.of("new", " <hot> ")),
        LINES,
        new byte[] {(byte) 0xca, (byte) 0xfe},
        17,
        "de-AT"
    );
    private static final order LEAST = order
        .of(new AnyParty.Party(party.of("plain")), state.V1, Instant.parse("2026-01-01T00:00:00Z"), new price(new BigDecimal("0"), ""), List.of(), -1);

    private OrdersCaller() {}

    public static void main(String[] args) {
        ClientOptions options = switch (args[1]) {
            case "1.2" -> ClientOptions.DEFAULT.withSoap12();
            case "mtom" -> ClientOptions.DEFAULT.withMtom();
            case "addressing" -> ClientOptions.DEFAULT.withAddressing();
            case "addressing12" -> ClientOptions.DEFAULT.withAddressing().withSoap12();
            case "token" -> ClientOptions.DEFAULT.withUsernameToken("anna", "Geheimnis-\u00df");
            case "digest" -> ClientOptions.DEFAULT.withUsernameTokenDigest("anna", "Geheimnis-\u00df").withTimestamp();
            default -> ClientOptions.DEFAULT;
        };
        System.exit(run(SoapChannel.open(args[0], options)));
    }

    /** Runs all cases through a channel, and closes it; the exit code. */
    static int run(Channel opened) {
        try (Channel channel = opened) {
            return cases(new OrdersClient(channel).with(CallOptions.NONE.withDeadline(Duration.ofSeconds(30)))).run();
        }
    }

    private static Cases cases(OrdersClient client) {
        order sample = FULL
            .withCustomer(new AnyParty.Company(new company("Creo & Co", "U123", "AT-1")))
            .withState(state.in_stock)
            .withCreated(Instant.parse("2026-11-21T09:31:56.25Z"))
            .withRemark(null)
            .withTags(new OrderTags(List.of("new", "<hot>")));
        return new Cases()
            .add("sample", () -> Cases.equal(sample, client.sample()))
            .add("echo", () -> Cases.equal(FULL, client.echo(FULL)))
            // JAXB makes empty lists of those that are absent.
            .add("echo-least", () -> Cases.equal(LEAST, client.echo(LEAST).withCodes(null).withTags(null)))
            .add("echo-nothing", () -> Cases.equal(null, client.echo(null)))
            .add("describe", () -> {
                Cases.equal(
                    "17|de-AT|Person Ada & Bob AT-9 Lovelace|SOLD_OUT|2026-11-21T10:31:56.250Z|2026-12-24|1234567890123456789.10EUR|42|a <remark>|0.5|[3, -1, 4]|[new,  <hot> ]"
                        + "|[100 bolt, 1.5 h assembly, 200 nut]|cafe",
                    client.describe(FULL)
                );
                Cases.equal("-1|null|Party plain null|FIRST|2026-01-01T00:00:00Z|null|0|null|null|null|[]|[]|[]|null", client.describe(LEAST));
            })
            .add("parties", () ->
                Cases.equal(
                    List.of(
                        new AnyParty.Person(new person("Ada", "Lovelace", "AT-2")),
                        new AnyParty.Party(new party("plain", "AT-4")),
                        new AnyParty.Company(new company("Creo", "U456", "AT-3"))
                    ),
                    client.parties(List.of("person", "plain", "company"))
                ))
            .add("attach", () -> {
                for (int count : new int[] {0, 1, 1023, 1024, 300_000}) {
                    Cases.equal(true, Arrays.equals(Cases.pattern(count), client.attach(Cases.pattern(count))));
                }
                Cases.equal(null, client.attach(null));
            })
            .add("find", () -> Cases.equal("somebody", client.find("somebody")))
            .add("fault-not-found", () -> {
                try {
                    throw new AssertionError("no fault, but " + client.find("nobody"));
                } catch (NotFound e) {
                    Cases.equal("nobody", e.what());
                    Cases.equal(404, e.code());
                }
            })
            .add("fault-busy", () -> {
                try {
                    throw new AssertionError("no fault, but " + client.find("busy"));
                } catch (Busy e) {
                    Cases.equal(30, e.seconds());
                    Cases.equal(new AnyParty.Person(new person("Bob", "Busy", "AT-5")), e.by());
                }
            })
            .add("fault-undeclared", () -> {
                try {
                    throw new AssertionError("no fault, but " + client.find("broken"));
                } catch (CreoException e) {
                    Cases.equal(ErrorCode.INTERNAL, e.code());
                    Cases.equal(true, e.getMessage().contains("it broke"));
                }
            })
            .add("header", () -> Cases.equal("Ada in s-1", client.greet("Ada", "s-1")))
            .add("ping", client::ping)
            .add("oneway", () -> {
                String prefix = "java " + System.nanoTime() + " ";
                client.note(prefix + "one");
                Cases.until(List.of(prefix + "one"), () -> client.noted(prefix));
            });
    }
}
