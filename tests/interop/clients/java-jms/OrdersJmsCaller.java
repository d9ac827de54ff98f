import creo.jms.JmsBroker;
import creo.jms.JmsChannel;
import creo.runtime.CallOptions;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Wire;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.example.partner.orders.OrdersClient;

/**
 * Our Java client calls the service by CXF over JMS: {@code OrdersJmsCaller PORT 1.1|1.2|mtom|gzip|shared}; or {@code faults|faults-1.2}: sends requests that are changed on
 * their way, and reads the faults of the binding by which CXF refuses them.
 */
public final class OrdersJmsCaller {
    /** A request that is made wrong, and the fault with which CXF answers. */
    private record Wrong(String name, Altered.Change change, String fault) {
        Wrong(String fault, String property, String value) {
            this(fault, Altered.property(property, value), fault);
        }
    }

    private static final List<Wrong> WRONG = List.of(
        new Wrong("unrecognizedBindingVersion", "SOAPJMS_bindingVersion", "0.3"),
        new Wrong("missingRequestURI", "SOAPJMS_requestURI", null),
        new Wrong("malformedRequestURI", "SOAPJMS_requestURI", "jms:elsewhere"),
        new Wrong("targetServiceNotAllowedInRequestURI", "SOAPJMS_requestURI", "jms:queue:orders11?targetService=Orders"),
        new Wrong("missingContentType", "SOAPJMS_contentType", null),
        new Wrong("contentTypeMismatch", "SOAPJMS_contentType", "text/plain"),
        // The specification has a separate fault for that; CXF sends this one.
        new Wrong("contentEncodingNotSupported", Altered.property("SOAPJMS_contentEncoding", "deflate"), "contentTypeMismatch")
    );
    /** CXF looks at the action where the media type has one. */
    private static final List<Wrong> WRONG_12 = List.of(
        new Wrong("missingSoapAction", "SOAPJMS_soapAction", null),
        new Wrong("mismatchedSoapAction", "SOAPJMS_soapAction", "\"urn:other\"")
    );

    private OrdersJmsCaller() {}

    private static int faults(String port, boolean soap12) {
        Altered sent = new Altered();
        JmsBroker broker = JmsBroker.of(sent.factory(new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port)));
        ClientOptions options = soap12 ? ClientOptions.DEFAULT.withSoap12() : ClientOptions.DEFAULT;
        try (JmsChannel channel = JmsChannel.of(broker, "jms:queue:" + (soap12 ? "orders12" : "orders11"), Wire.SOAP, options)) {
            OrdersClient client = new OrdersClient(channel).with(CallOptions.NONE.withDeadline(Duration.ofSeconds(30)));
            Cases cases = new Cases();
            for (Wrong wrong : soap12 ? Stream.concat(WRONG.stream(), WRONG_12.stream()).toList() : WRONG) {
                cases.add(wrong.name(), () -> {
                    sent.change.set(wrong.change());
                    try {
                        throw new AssertionError("no fault, but " + client.find("somebody"));
                    } catch (CreoException e) {
                        Cases.equal(ErrorCode.PROTOCOL_MISMATCH, e.code());
                        String code = e.details().get(soap12 ? "fault-subcode" : "fault-code");
                        Cases.equal(wrong.fault(), code == null ? e.getMessage() : code.substring(code.indexOf(':') + 1));
                    } finally {
                        sent.change.set(null);
                    }
                });
            }
            return cases.add("after-fault", () -> Cases.equal("somebody", client.find("somebody"))).run();
        }
    }

    public static void main(String[] args) {
        if (args[1].startsWith("faults")) {
            System.exit(faults(args[0], args[1].equals("faults-1.2")));
        }
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
