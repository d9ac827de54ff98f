package partner;

import jakarta.jws.WebService;
import jakarta.xml.ws.Endpoint;
import jakarta.xml.ws.Holder;
import java.net.InetAddress;
import java.net.ServerSocket;
import peer.Item;
import peer.Receipts;

/** CXF serves receipts.wsdl, of which it made the interface. Writes its address, and ends when its standard input does. */
@WebService(endpointInterface = "peer.Receipts", targetNamespace = "urn:example:receipts", serviceName = "ReceiptService", portName = "Receipts")
public final class ReceiptsPartner implements Receipts {
    public static void main(String[] args) throws Exception {
        String address = "http://127.0.0.1:" + port() + "/Receipts";
        Endpoint.publish(address, new ReceiptsPartner());
        System.out.println("{\"address\": \"" + address + "\"}");
        System.out.flush();
        while (System.in.read() >= 0) {
            // Nothing is said to a service that runs.
        }
        System.exit(0);
    }

    @Override
    public void put(Item item, Holder<Long> number, Holder<Item> left, Holder<String> warning) {
        number.value = (1L << 40) + item.getCount();
        left.value = item(item.getSku(), item.getCount() + 100);
        warning.value = item.getCount() > 10 ? "many & <more>" : null;
    }

    @Override
    public void settle(String day, Holder<String> session, Holder<Item> left, Holder<Long> number) {
        session.value = "of " + day;
        left.value = item("all", 0);
        number.value = (long) day.length();
    }

    private static Item item(String sku, int count) {
        Item item = new Item();
        item.setSku(sku);
        item.setCount(count);
        return item;
    }

    /** A port that was free a moment ago: CXF wants to know it before it binds. */
    private static int port() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
