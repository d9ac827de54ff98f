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
import org.example.partner.meters.Amount;
import org.example.partner.meters.MetersPortClient;
import org.example.partner.meters.NotFound;
import org.example.partner.meters.Point;
import org.example.partner.meters.Quality;
import org.example.partner.meters.Reading;
import org.example.partner.meters.ReadingChoice;
import org.example.partner.meters.Refused;

/** Our Java client calls the service by gSOAP: {@code MetersCaller ADDRESS 1.1|1.2|mtom}. */
public final class MetersCaller {
    private static final Reading FULL = new Reading(
        Quality.CHECKED,
        Instant.parse("2026-11-21T10:31:56.123456789Z"),
        new Amount(new BigDecimal("-12345678901234567890.50"), "kWh"),
        new ReadingChoice.Point(new Point(1.5, -2.5)),
        0,
        "a <remark> & more",
        new double[] {0.1, -0.0, 5e-324, 1.7976931348623157e308},
        List.of(new Point(0.0, 1.0), new Point(2.0, 3.0)),
        true,
        Long.MIN_VALUE,
        (short) 255,
        null,
        17,
        "here & there"
    );
    private static final Reading LEAST = Reading
        .of(Quality.RAW, Instant.parse("0001-01-01T00:00:00Z"), new Amount(new BigDecimal("0"), ""), new double[0], List.of(), false, 0, (short) 0, -1)
        .withChoice(new ReadingChoice.Number(-0.5));

    private MetersCaller() {}

    public static void main(String[] args) {
        ClientOptions options = switch (args[1]) {
            case "1.2" -> ClientOptions.DEFAULT.withSoap12();
            case "mtom" -> ClientOptions.DEFAULT.withMtom();
            default -> ClientOptions.DEFAULT;
        };
        int code;
        try (Channel channel = SoapChannel.open(args[0], options)) {
            code = cases(new MetersPortClient(channel).with(CallOptions.NONE.withDeadline(Duration.ofSeconds(30)))).run();
        }
        System.exit(code);
    }

    private static Cases cases(MetersPortClient client) {
        Reading chain = LEAST.withPrevious(FULL.withPrevious(LEAST));
        Reading text = FULL.withChoice(new ReadingChoice.Text(""));
        return new Cases()
            .add("echo", () -> Cases.equal(FULL, client.echo(FULL)))
            .add("echo-least", () -> Cases.equal(LEAST, client.echo(LEAST)))
            .add("echo-chain", () -> Cases.equal(chain, client.echo(chain)))
            .add("choice-text", () -> Cases.equal(text, client.echo(text)))
            .add("describe", () -> {
                Cases.equal(
                    "17|here & there|CHECKED|2026-11-21T10:31:56.123456789Z|-12345678901234567890.50kWh|1.5,-2.5|0|a <remark> & more|0.1,1.5|0/1,2/3|1|-9223372036854775808|255|-1",
                    client.describe(FULL.withSamples(new double[] {0.1, 1.5}))
                );
                Cases.equal("-1|-|RAW|0001-01-01T00:00:00Z|0|-0.5|-|-|0|0|0|17", client.describe(LEAST.withPrevious(FULL)));
            })
            .add("attach", () -> {
                for (int count : new int[] {1, 1023, 1024, 300_000}) {
                    Cases.equal(true, Arrays.equals(Cases.pattern(count), client.attach(Cases.pattern(count))));
                }
            })
            .add("add", () -> Cases.equal(-1, client.add(2147483646, -2147483647)))
            .add("find", () -> Cases.equal("somebody", client.find("somebody")))
            .add("fault-not-found", () -> {
                try {
                    throw new AssertionError("no fault, but " + client.find("nobody"));
                } catch (NotFound e) {
                    Cases.equal("nobody", e.what());
                    Cases.equal(404, e.code());
                }
            })
            .add("fault-refused", () -> {
                try {
                    throw new AssertionError("no fault, but " + client.find("refused"));
                } catch (Refused e) {
                    Cases.equal("not you", e.reason());
                }
            })
            .add("fault-undeclared", () -> {
                try {
                    throw new AssertionError("no fault, but " + client.find("broken"));
                } catch (CreoException e) {
                    Cases.equal(ErrorCode.INTERNAL, e.code());
                    Cases.equal(true, e.getMessage().contains("it broke"));
                }
            });
    }
}
