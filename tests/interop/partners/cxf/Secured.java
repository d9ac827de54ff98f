package partner;

import jakarta.xml.ws.Endpoint;
import jakarta.xml.ws.soap.SOAPBinding;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.ws.addressing.WSAddressingFeature;
import org.apache.cxf.ws.security.wss4j.WSS4JInInterceptor;
import org.apache.cxf.ws.security.wss4j.WSS4JOutInterceptor;
import org.apache.wss4j.common.ext.WSPasswordCallback;

/**
 * Serves the partner's service by CXF where WS-Addressing is required, and where a user must say who he is, by a password as text or as a digest; these answer with a
 * timestamp. Writes its addresses, and ends when its standard input does.
 */
public final class Secured {
    private Secured() {}

    public static void main(String[] args) throws Exception {
        String base = "http://127.0.0.1:" + port() + "/";
        WSAddressingFeature addressing = new WSAddressingFeature();
        addressing.setAddressingRequired(true);
        EndpointImpl addressed = (EndpointImpl) Endpoint.create(SOAPBinding.SOAP11HTTP_BINDING, new Orders());
        addressed.getFeatures().add(addressing);
        addressed.publish(base + "addressing");
        EndpointImpl addressed12 = (EndpointImpl) Endpoint.create(SOAPBinding.SOAP12HTTP_BINDING, new Orders());
        addressed12.getFeatures().add(addressing);
        addressed12.publish(base + "addressing12");
        protect(base + "token", "UsernameToken", "PasswordText");
        protect(base + "digest", "UsernameToken Timestamp", "PasswordDigest");
        System.out.println(
            "{\"address\": \"" + base + "addressing\", \"addressing12\": \"" + base + "addressing12\", \"token\": \"" + base + "token\", \"digest\": \"" + base + "digest\"}"
        );
        System.out.flush();
        while (System.in.read() >= 0) {
            // Nothing is said to a service that runs.
        }
        System.exit(0);
    }

    private static void protect(String address, String actions, String type) {
        CallbackHandler passwords = callbacks -> {
            for (Callback callback : callbacks) {
                WSPasswordCallback asked = (WSPasswordCallback) callback;
                if (asked.getIdentifier().equals("anna")) {
                    asked.setPassword("Geheimnis-ß");
                }
            }
        };
        EndpointImpl endpoint = (EndpointImpl) Endpoint.create(SOAPBinding.SOAP11HTTP_BINDING, new Orders());
        endpoint.getInInterceptors().add(new WSS4JInInterceptor(Map.of("action", actions, "passwordType", type, "passwordCallbackRef", passwords)));
        endpoint.getOutInterceptors().add(new WSS4JOutInterceptor(Map.of("action", "Timestamp")));
        endpoint.publish(address);
    }

    /** A port that was free a moment ago: CXF wants to know it before it binds. */
    private static int port() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
