package creo.bench.messages;

import jakarta.xml.ws.Endpoint;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import org.apache.cxf.frontend.ClientProxy;
import org.apache.cxf.interceptor.InterceptorProvider;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.ws.security.wss4j.WSS4JInInterceptor;
import org.apache.cxf.ws.security.wss4j.WSS4JOutInterceptor;
import org.apache.cxf.ws.security.wss4j.WSS4JStaxInInterceptor;
import org.apache.cxf.ws.security.wss4j.WSS4JStaxOutInterceptor;
import org.apache.wss4j.common.ext.WSPasswordCallback;

/**
 * CXF's service, {@code service KIND KEYS}, or its client, {@code client KIND KEYS ADDRESS}, of calls that are plain, have a username token, or are signed both ways
 * by WSS4J: {@code signed} by its DOM, {@code signed-stax} by its streams.
 */
public final class SecuredCxf {
    private static final String PARTS = "{}{http://schemas.xmlsoap.org/soap/envelope/}Body;"
        + "{}{http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd}Timestamp";
    private static final CallbackHandler PASSWORDS = callbacks -> {
        for (Callback callback : callbacks) {
            WSPasswordCallback asked = (WSPasswordCallback) callback;
            asked.setPassword(asked.getIdentifier().equals("anna") ? "secret" : "changeit");
        }
    };

    private SecuredCxf() {}

    public static void main(String[] args) throws Exception {
        if (args[0].equals("client")) {
            JaxwsClient.run(args[3], proxy -> secure(ClientProxy.getClient(proxy), args[1], args[2], "client"));
            return;
        }
        String url = "http://127.0.0.1:" + JaxwsService.freePort() + "/Messages";
        EndpointImpl endpoint = (EndpointImpl) Endpoint.create(new JaxwsService.Implementation());
        secure(endpoint, args[1], args[2], "service");
        endpoint.publish(url);
        System.out.println(url);
        while (System.in.read() >= 0) {
            // Until the parent closes the pipe.
        }
        System.exit(0);
    }

    private static void secure(InterceptorProvider to, String kind, String keys, String own) {
        switch (kind) {
            case "plain" -> {
            }
            case "username" -> {
                Map<String, Object> options = Map.of("action", "UsernameToken", "user", "anna", "passwordType", "PasswordText", "passwordCallbackRef", PASSWORDS);
                if (own.equals("client")) {
                    to.getOutInterceptors().add(new WSS4JOutInterceptor(options));
                } else {
                    to.getInInterceptors().add(new WSS4JInInterceptor(options));
                }
            }
            case "signed" -> {
                to.getOutInterceptors().add(new WSS4JOutInterceptor(signs(keys, own)));
                to.getInInterceptors().add(new WSS4JInInterceptor(verifies(keys)));
            }
            case "signed-stax" -> {
                to.getOutInterceptors().add(new WSS4JStaxOutInterceptor(signs(keys, own)));
                to.getInInterceptors().add(new WSS4JStaxInInterceptor(verifies(keys)));
            }
            default -> throw new IllegalArgumentException(kind);
        }
    }

    /** The maps can be changed: the interceptors for streams put what they know into them. */
    private static Map<String, Object> signs(String keys, String own) {
        return new HashMap<>(Map.of("action", "Timestamp Signature", "signatureUser", own, "passwordCallbackRef", PASSWORDS, "signaturePropRefId", "keys", "keys", store(keys),
            "signatureParts", PARTS, "signatureKeyIdentifier", "DirectReference", "signatureAlgorithm", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
            "signatureDigestAlgorithm", "http://www.w3.org/2001/04/xmlenc#sha256"));
    }

    private static Map<String, Object> verifies(String keys) {
        return new HashMap<>(Map.of("action", "Timestamp Signature", "signatureVerificationPropRefId", "keys", "keys", store(keys)));
    }

    private static Properties store(String keys) {
        Properties store = new Properties();
        store.put("org.apache.wss4j.crypto.provider", "org.apache.wss4j.common.crypto.Merlin");
        store.put("org.apache.wss4j.crypto.merlin.keystore.type", "PKCS12");
        store.put("org.apache.wss4j.crypto.merlin.keystore.password", "changeit");
        store.put("org.apache.wss4j.crypto.merlin.keystore.file", keys);
        return store;
    }
}
