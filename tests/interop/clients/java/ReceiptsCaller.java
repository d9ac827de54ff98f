import creo.runtime.CallOptions;
import creo.runtime.ClientOptions;
import creo.runtime.SoapChannel;
import example.receipts.Item;
import example.receipts.PutAnswer;
import example.receipts.ReceiptsClient;
import example.receipts.SettleAnswer;
import java.time.Duration;

/** Our Java client calls a service whose answers have several elements in the body: {@code ReceiptsCaller ADDRESS imported}. */
public final class ReceiptsCaller {
    private ReceiptsCaller() {}

    public static void main(String[] args) {
        try (ReceiptsClient all = new ReceiptsClient(SoapChannel.open(args[0], ClientOptions.DEFAULT))) {
            ReceiptsClient client = all.with(CallOptions.NONE.withDeadline(Duration.ofSeconds(30)));
            Cases cases = new Cases();
            cases.add("put", () -> Cases.equal(new PutAnswer((1L << 40) + 20, new Item("a<b", 120), "many & <more>"), client.put(new Item("a<b", 20))));
            cases.add("put-nil", () -> Cases.equal(new PutAnswer((1L << 40) + 1, new Item("a<b", 101), null), client.put(new Item("a<b", 1))));
            cases.add("settle", () -> Cases.equal(new SettleAnswer(new Item("all", 0), 10, "of 2026-11-29"), client.settle("2026-11-29")));
            System.exit(cases.run());
        }
    }
}
