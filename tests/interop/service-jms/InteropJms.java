import creo.jms.broker.EmbeddedBroker;
import creo.jms.JmsBroker;
import creo.jms.JmsHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.example.interop.EchoEndpoint;

/**
 * The service that the peers call, at the queue {@code interop} of its broker: {@code InteropJms WSDL}. Writes its WSDL to that file, and the broker's
 * port to standard output, and ends with its standard input.
 */
public final class InteropJms {
    private InteropJms() {}

    public static void main(String[] args) throws IOException {
        try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
            JmsHost host = JmsHost.builder().broker(JmsBroker.at(broker.host(), broker.port())).address("jms:queue:interop").add(EchoEndpoint.of(new InteropService())).start();
            Files.writeString(Path.of(args[0]), host.wsdl("Echo"));
            System.out.println("{\"address\": \"" + broker.port() + "\"}");
            System.out.flush();
            while (System.in.read() >= 0) {
                // Nothing is said to a service that runs.
            }
            host.close();
        }
    }
}
