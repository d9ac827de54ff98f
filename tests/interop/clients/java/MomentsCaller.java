import creo.runtime.CallOptions;
import creo.runtime.ClientOptions;
import creo.runtime.SoapChannel;
import example.moments.MomentsClient;
import example.moments.beyond;
import java.time.Duration;
import java.time.Instant;

/** Our Java client calls a service that has SOAP 1.2 alone, which it knows from the import: {@code MomentsCaller ADDRESS imported}. */
public final class MomentsCaller {
    private MomentsCaller() {}

    public static void main(String[] args) {
        Instant at = Instant.parse("2026-11-27T10:00:00Z");
        try (MomentsClient all = new MomentsClient(SoapChannel.open(args[0], ClientOptions.DEFAULT))) {
            MomentsClient client = all.with(CallOptions.NONE.withDeadline(Duration.ofSeconds(30)));
            Cases cases = new Cases();
            cases.add("shift", () -> Cases.equal(Instant.parse("2026-11-27T10:01:30Z"), client.shift(at, 90)));
            cases.add("fault-beyond", () -> {
                try {
                    throw new AssertionError("no fault, but " + client.shift(at, 3_601));
                } catch (beyond e) {
                    Cases.equal(3_600, e.limit());
                }
            });
            System.exit(cases.run());
        }
    }
}
