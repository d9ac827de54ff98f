import bench.messages.MessagesEndpoint;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.Endpoint;
import creo.runtime.Server;
import creo.runtime.SoapChannel;
import creo.wss.WsSecurity;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/** Creo's service, {@code service KIND KEYS}, or its client, {@code client KIND KEYS ADDRESS}, of calls that are plain, have a username token, or are signed both ways. */
public final class SecuredCreo {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private SecuredCreo() {}

    public static void main(String[] args) throws Exception {
        boolean isService = args[0].equals("service");
        WsSecurity security = args[1].equals("signed") ? security(Path.of(args[2]), args[0], isService ? "client" : "service") : null;
        if (!isService) {
            ClientOptions options = ClientOptions.DEFAULT;
            if (args[1].equals("username")) {
                options = options.withUsernameToken("anna", "secret");
            }
            try (Channel channel = SoapChannel.open(args[3], security == null ? options : options.withSecurity(security))) {
                CreoClient.run(channel);
            }
            return;
        }
        Endpoint endpoint = MessagesEndpoint.of(new CreoService());
        if (args[1].equals("username")) {
            endpoint = endpoint.withPasswords(user -> user.equals("anna") ? "secret" : null);
        }
        try (Server server = Server.builder().http("127.0.0.1", 0).add(security == null ? endpoint : endpoint.withSecurity(security)).start()) {
            System.out.println("http://127.0.0.1:" + server.httpPort() + "/Messages");
            while (System.in.read() >= 0) {
                // Until the parent closes the pipe.
            }
        }
    }

    /** Signs timestamp and body with RSA and SHA-256, and trusts the other side's certificate alone. */
    private static WsSecurity security(Path keys, String own, String other) throws Exception {
        return WsSecurity.builder().sign(key(keys, own), certificate(keys, own)).trust(certificate(keys, other)).build();
    }

    static PrivateKey key(Path keys, String name) throws Exception {
        return (PrivateKey) store(keys).getKey(name, PASSWORD);
    }

    static X509Certificate certificate(Path keys, String name) throws Exception {
        return (X509Certificate) store(keys).getCertificate(name);
    }

    private static KeyStore store(Path keys) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD);
        }
        return store;
    }
}
