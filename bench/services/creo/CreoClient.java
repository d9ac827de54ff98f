import bench.messages.Complex;
import bench.messages.Customer;
import bench.messages.Medium;
import bench.messages.MessagesClient;
import bench.messages.Product;
import bench.messages.Short;
import bench.messages.Simple;
import bench.messages.SimpleJpeg;
import creo.bench.messages.Load;
import creo.bench.messages.Plain;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.JsonChannel;
import creo.runtime.SoapChannel;
import creo.runtime.TableOptions;
import creo.runtime.TcpChannel;
import creo.runtime.TdxmlChannel;
import creo.runtime.TdxmlSoapChannel;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Creo's client. Its arguments are a form of messages and the service's address, for TCP its host and port. Its input says what to call and how long:
 * {@code MESSAGE CALLERS SECONDS} per line; it answers {@code CALLS SECONDS TIMES...} as {@link Load} defines.
 */
public final class CreoClient {
    private CreoClient() {}

    public static void main(String[] args) throws Exception {
        try (Channel channel = channel(args[0], args[1])) {
            run(channel);
        }
    }

    /** Answers the lines of the input by calls through a channel. */
    static void run(Channel channel) throws Exception {
        Load load = new Load();
        MessagesClient client = new MessagesClient(channel);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Map<String, Callable<Object>> calls = new HashMap<>();
        System.out.println("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            Callable<Object> call = calls.get(words[0]);
            if (call == null) {
                call = call(client, words[0]);
                calls.put(words[0], call);
            }
            System.out.println(load.run(Collections.nCopies(Integer.parseInt(words[1]), call), Double.parseDouble(words[2])));
        }
    }

    private static Channel channel(String form, String address) {
        ClientOptions options = ClientOptions.DEFAULT;
        return switch (form) {
            case "soap" -> SoapChannel.open(address, options);
            case "soap-mtom" -> SoapChannel.open(address, options.withMtom());
            case "tdxml-record-in-soap" -> TdxmlSoapChannel.open(address, options.withTables(TableOptions.RECORD));
            case "tdxml-record-in-soap-mime" -> TdxmlSoapChannel.open(address, options.withTables(TableOptions.RECORD).withMtom());
            case "tdxml-aggregated-in-soap" -> TdxmlSoapChannel.open(address, options.withTables(TableOptions.AGGREGATED));
            case "tdxml-record" -> TdxmlChannel.open(address, options);
            case "tdxml-record-mime" -> TdxmlChannel.open(address, options.withMtom());
            case "tdxml-record-tcp" -> tcp(address, TdxmlChannel::tcp);
            case "json" -> JsonChannel.open(address, options);
            case "binary" -> tcp(address, TcpChannel::open);
            default -> throw new IllegalArgumentException("no such form: " + form);
        };
    }

    /** Opens a channel of a wire over TCP. */
    private interface Opener {
        Channel open(String host, int port, ClientOptions options);
    }

    private static Channel tcp(String address, Opener wire) {
        int colon = address.lastIndexOf(':');
        return wire.open(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)), ClientOptions.DEFAULT);
    }

    /** A call of the message, checked once. */
    private static Callable<Object> call(MessagesClient client, String name) throws Exception {
        Object plain = Plain.message(name);
        if (plain instanceof Plain.Short p) {
            Short m = new Short(p.identification, p.text);
            return checked(() -> client.echoShort(m), new Short("RESPONSE", m.text()));
        }
        if (plain instanceof Plain.Simple p) {
            Simple m = new Simple(p.identification, customer(p.customer));
            return checked(() -> client.echoSimple(m), new Simple("RESPONSE", m.customer()));
        }
        if (plain instanceof Plain.Medium p) {
            Medium m = new Medium(p.identification, p.customers.stream().map(CreoClient::customer).toList());
            return checked(() -> client.echoMedium(m), new Medium("RESPONSE", m.customers()));
        }
        if (plain instanceof Plain.Complex p) {
            Complex m = new Complex(p.identification, customer(p.customer), p.products.stream().map(CreoClient::product).toList());
            return checked(() -> client.echoComplex(m), new Complex("RESPONSE", m.customer(), m.products()));
        }
        Plain.SimpleJpeg p = (Plain.SimpleJpeg) plain;
        SimpleJpeg m = new SimpleJpeg(p.identification, customer(p.customer), p.picture);
        return checked(() -> client.echoSimpleJpeg(m), new SimpleJpeg("RESPONSE", m.customer(), m.picture()));
    }

    private static Callable<Object> checked(Callable<Object> call, Object expected) throws Exception {
        Object answer = call.call();
        if (!answer.equals(expected)) {
            throw new AssertionError("got " + answer + ", expected " + expected);
        }
        return call;
    }

    private static Customer customer(Plain.Customer c) {
        return new Customer(c.number, c.title, c.firstName, c.lastName, c.street, c.city, c.postcode, c.country, c.telephone, c.email, c.active, c.newsletter,
            c.opened, c.lastOrder);
    }

    private static Product product(Plain.Product p) {
        return new Product(p.code, p.name, p.description, p.quantity, p.price, p.total, p.inStock, p.delivery);
    }
}
