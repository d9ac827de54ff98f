import bench.messages.Complex;
import bench.messages.Medium;
import bench.messages.Messages;
import bench.messages.MessagesEndpoint;
import bench.messages.Short;
import bench.messages.Simple;
import bench.messages.SimpleJpeg;
import creo.runtime.Server;

/** The service on Creo's own server. Prints its addresses over HTTP and over TCP, and stops when its input ends. */
public final class CreoService implements Messages {
    private static final String ANSWER = "RESPONSE";

    public static void main(String[] args) throws Exception {
        try (Server server = Server.builder().http("127.0.0.1", 0).bind("127.0.0.1", 0).add(MessagesEndpoint.of(new CreoService())).start()) {
            System.out.println("http://127.0.0.1:" + server.httpPort() + "/Messages");
            System.out.println("127.0.0.1:" + server.port());
            while (System.in.read() >= 0) {
                // Until the parent closes the pipe.
            }
        }
    }

    @Override
    public Short echoShort(Short message) {
        return new Short(ANSWER, message.text());
    }

    @Override
    public Simple echoSimple(Simple message) {
        return new Simple(ANSWER, message.customer());
    }

    @Override
    public Medium echoMedium(Medium message) {
        return new Medium(ANSWER, message.customers());
    }

    @Override
    public Complex echoComplex(Complex message) {
        return new Complex(ANSWER, message.customer(), message.products());
    }

    @Override
    public SimpleJpeg echoSimpleJpeg(SimpleJpeg message) {
        return new SimpleJpeg(ANSWER, message.customer(), message.picture());
    }
}
