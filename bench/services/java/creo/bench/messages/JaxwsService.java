package creo.bench.messages;

import jakarta.jws.WebService;
import jakarta.xml.ws.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** The service on the implementation of JAX-WS that is on the class path. Prints its address, and stops when its input ends. */
public final class JaxwsService {
    @WebService(serviceName = "Messages", portName = "Messages", targetNamespace = Plain.NAMESPACE, endpointInterface = "creo.bench.messages.Echo")
    public static final class Implementation implements Echo {
        private static final String ANSWER = "RESPONSE";

        @Override
        public Jaxb.Short echoShort(Jaxb.Short message) {
            message.identification = ANSWER;
            return message;
        }

        @Override
        public Jaxb.Simple echoSimple(Jaxb.Simple message) {
            message.identification = ANSWER;
            return message;
        }

        @Override
        public Jaxb.Medium echoMedium(Jaxb.Medium message) {
            message.identification = ANSWER;
            return message;
        }

        @Override
        public Jaxb.Complex echoComplex(Jaxb.Complex message) {
            message.identification = ANSWER;
            return message;
        }

        @Override
        public Jaxb.SimpleJpeg echoSimpleJpeg(Jaxb.SimpleJpeg message) {
            message.identification = ANSWER;
            return message;
        }
    }

    private JaxwsService() {}

    public static void main(String[] args) throws IOException {
        String url = "http://127.0.0.1:" + freePort() + "/Messages";
        Endpoint endpoint = Endpoint.publish(url, new Implementation());
        System.out.println(url);
        while (System.in.read() >= 0) {
            // Until the parent closes the pipe.
        }
        endpoint.stop();
        System.exit(0);
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
