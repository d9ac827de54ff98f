import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Holder;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import javax.xml.namespace.QName;
import peer.Item;
import peer.Receipts;
import peer.Receipts_Service;

/**
 * A client by CXF calls a service whose answers have several elements in the body: each is a holder. {@code ReceiptsCaller ADDRESS 1.1|1.2}. Prints
 * {@code ok NAME} or {@code FAIL NAME: reason} for each case.
 */
public final class ReceiptsCaller {
    private ReceiptsCaller() {}

    public static void main(String[] args) throws Exception {
        QName port = new QName("urn:example:receipts", "ReceiptsSoap" + args[1].replace(".", "") + "Port");
        Receipts receipts = new Receipts_Service(URI.create(args[0] + "?wsdl").toURL()).getPort(port, Receipts.class);
        Map<String, Object> request = ((BindingProvider) receipts).getRequestContext();
        request.put("jakarta.xml.ws.client.connectionTimeout", 30_000);
        request.put("jakarta.xml.ws.client.receiveTimeout", 30_000);
        Map<String, Runnable> cases = new LinkedHashMap<>();
        cases.put("put", () -> put(receipts, 20, "many & <more>"));
        cases.put("put-nil", () -> put(receipts, 1, null));
        cases.put("settle", () -> settle(receipts));
        int code = 0;
        for (Map.Entry<String, Runnable> each : cases.entrySet()) {
            try {
                each.getValue().run();
                System.out.println("ok " + each.getKey());
            } catch (RuntimeException | AssertionError e) {
                System.out.println("FAIL " + each.getKey() + ": " + e.toString().replaceAll("\\s+", " "));
                code = 1;
            }
        }
        System.exit(code);
    }

    private static void put(Receipts receipts, int count, String expected) {
        Item entry = new Item();
        entry.setSku("a<b");
        entry.setCount(count);
        Holder<Long> number = new Holder<>();
        Holder<Item> left = new Holder<>();
        Holder<String> warning = new Holder<>();
        receipts.put(entry, number, left, warning);
        equal((1L << 40) + count, number.value);
        equal("a<b", left.value.getSku());
        equal(count + 100, left.value.getCount());
        equal(expected, warning.value);
    }

    private static void settle(Receipts receipts) {
        Holder<Item> left = new Holder<>();
        Holder<Long> number = new Holder<>();
        Holder<String> session = new Holder<>();
        receipts.settle("2026-11-29", left, number, session);
        equal("all", left.value.getSku());
        equal(10L, number.value);
        equal("of 2026-11-29", session.value);
    }

    private static void equal(Object wanted, Object got) {
        if (!Objects.equals(wanted, got)) {
            throw new AssertionError("expected " + wanted + ", got " + got);
        }
    }
}
