import creo.runtime.Server;
import example.receipts.Item;
import example.receipts.PutAnswer;
import example.receipts.Receipts;
import example.receipts.ReceiptsEndpoint;
import example.receipts.SettleAnswer;

/** The service of partners/receipts/receipts.wsdl, which others call. Prints its address; ends with its input. */
public final class ReceiptsService implements Receipts {
    public static void main(String[] args) throws Exception {
        try (Server server = Server.builder().http("127.0.0.1", 0).add(ReceiptsEndpoint.of(new ReceiptsService())).start()) {
            System.out.println("{\"address\": \"http://127.0.0.1:" + server.httpPort() + "/Receipts\"}");
            System.out.flush();
            while (System.in.read() >= 0) {
                // Only the end of the input counts.
            }
        }
    }

    @Override
    public PutAnswer put(Item Entry) {
        return new PutAnswer((1L << 40) + Entry.count(), new Item(Entry.sku(), Entry.count() + 100), Entry.count() > 10 ? "many & <more>" : null);
    }

    @Override
    public SettleAnswer settle(String Day) {
        return new SettleAnswer(new Item("all", 0), Day.length(), "of " + Day);
    }
}
