package partner;

import jakarta.xml.ws.Endpoint;
import jakarta.xml.ws.soap.SOAPBinding;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Serves the partner's service, by whatever JAX-WS is on the class path, over SOAP 1.1, over SOAP 1.2, and with MTOM. Writes its addresses, and ends when its standard input does. */
public final class Partner {
    private Partner() {}

    public static void main(String[] args) throws Exception {
        String base = first();
        serve(SOAPBinding.SOAP12HTTP_BINDING, base + "soap12", false);
        serve(SOAPBinding.SOAP11HTTP_BINDING, base + "mtom", true);
        System.out.println("{\"address\": \"" + base + "soap11\", \"soap12\": \"" + base + "soap12\", \"mtom\": \"" + base + "mtom\"}");
        System.out.flush();
        while (System.in.read() >= 0) {
            // Nothing is said to a service that runs.
        }
        System.exit(0);
    }

    /** Serves the first endpoint at a port that is free; another program may take it before it is bound, so a few are tried. */
    private static String first() throws Exception {
        for (int tries = 1; ; tries++) {
            String base = "http://127.0.0.1:" + port() + "/";
            try {
                serve(SOAPBinding.SOAP11HTTP_BINDING, base + "soap11", false);
                return base;
            } catch (RuntimeException e) {
                if (tries == 5) {
                    throw e;
                }
            }
        }
    }

    private static void serve(String binding, String address, boolean mtom) {
        Endpoint endpoint = Endpoint.create(binding, new Orders());
        // Not the bindings with MTOM in their names: with those alone CXF answers inline. CXF is told once it is published, and not before; the other, before.
        boolean cxf = endpoint.getClass().getName().startsWith("org.apache.cxf.");
        if (!cxf) {
            ((SOAPBinding) endpoint.getBinding()).setMTOMEnabled(mtom);
        }
        endpoint.publish(address);
        if (cxf) {
            ((SOAPBinding) endpoint.getBinding()).setMTOMEnabled(mtom);
        }
    }

    /** A port that was free a moment ago: CXF wants to know it before it binds. */
    private static int port() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
