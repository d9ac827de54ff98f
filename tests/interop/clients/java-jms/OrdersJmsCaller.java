import creo.jms.JmsBroker;
import creo.jms.JmsChannel;
import creo.runtime.ClientOptions;
import creo.runtime.Wire;

/** Our Java client calls the service by CXF over JMS: {@code OrdersJmsCaller PORT 1.1|1.2|mtom|gzip|shared}. */
public final class OrdersJmsCaller {
    private OrdersJmsCaller() {}

    public static void main(String[] args) {
        String queue = "jms:queue:" + switch (args[1]) {
            case "1.2" -> "orders12";
            case "mtom" -> "ordersmtom";
            default -> "orders11";
        };
        ClientOptions options = switch (args[1]) {
            case "1.2" -> ClientOptions.DEFAULT.withSoap12();
            case "mtom" -> ClientOptions.DEFAULT.withMtom();
            case "gzip" -> ClientOptions.DEFAULT.withCompression();
            default -> ClientOptions.DEFAULT;
        };
        String address = args[1].equals("shared") ? queue + "?replyToName=orders.replies&deliveryMode=NON_PERSISTENT" : queue;
        System.exit(OrdersCaller.run(JmsChannel.of(JmsBroker.at("127.0.0.1", Integer.parseInt(args[0])), address, Wire.SOAP, options)));
    }
}
