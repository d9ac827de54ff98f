package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** A key with its certificate, made for the run. */
final class Keys {
    static final char[] PASSWORD = "password".toCharArray();

    final Path file;
    final KeyStore store;

    private Keys(Path file, KeyStore store) {
        this.file = file;
        this.store = store;
    }

    /** Makes a key for {@code CN=name} in the folder, with further arguments of keytool. */
    static Keys make(Path folder, String name, String... more) throws Exception {
        Path file = folder.resolve(name + ".p12");
        List<String> arguments = new ArrayList<>(List.of("-genkeypair", "-keyalg", "EC", "-dname", "CN=" + name, "-ext", "SAN=dns:" + name));
        arguments.addAll(List.of(more));
        keytool(file, arguments);
        return load(file);
    }

    /** Makes a key whose certificate this key signs, with further arguments of keytool for the signing. */
    Keys sign(Path folder, String name, String... more) throws Exception {
        Keys keys = make(folder, name);
        Path request = folder.resolve(name + ".request");
        Path signed = folder.resolve(name + ".pem");
        Path own = folder.resolve(name + ".authority.pem");
        keytool(keys.file, List.of("-certreq", "-file", request.toString()));
        List<String> arguments = new ArrayList<>(List.of("-gencert", "-rfc", "-infile", request.toString(), "-outfile", signed.toString()));
        arguments.addAll(List.of(more));
        keytool(file, arguments);
        keytool(file, List.of("-exportcert", "-rfc", "-file", own.toString()));
        Files.writeString(signed, Files.readString(own), StandardOpenOption.APPEND);
        keytool(keys.file, List.of("-importcert", "-noprompt", "-file", signed.toString()));
        return load(keys.file);
    }

    private static void keytool(Path file, List<String> arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(arguments);
        command.addAll(List.of("-alias", "key", "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", new String(PASSWORD)));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes());
        assertEquals(0, keytool.waitFor(), said);
    }

    static Keys load(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return new Keys(file, store);
    }

    /** A context that has the key, if it is not null, and trusts the certificates of the others. */
    static SSLContext context(Keys own, Keys... trusted) throws Exception {
        return context(own == null ? null : own.keyManager(), trustManager(trusted));
    }

    /** A context whose client sends the key's certificate whether the server trusts it or not. */
    static SSLContext stubborn(Keys own, Keys... trusted) throws Exception {
        return context(new Manager(own.keyManager()) {
            @Override
            public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
                return "key";
            }
        }, trustManager(trusted));
    }

    /** A server's context that counts how often it verifies a client's certificate. */
    static SSLContext counting(AtomicInteger times, Keys own, Keys... trusted) throws Exception {
        X509ExtendedTrustManager verifier = trustManager(trusted);
        return context(own.keyManager(), new X509ExtendedTrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
                times.incrementAndGet();
                verifier.checkClientTrusted(chain, type, engine);
            }

            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {
                throw new UnsupportedOperationException();
            }

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return verifier.getAcceptedIssuers();
            }
        });
    }

    private X509ExtendedKeyManager keyManager() throws Exception {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, PASSWORD);
        return (X509ExtendedKeyManager) factory.getKeyManagers()[0];
    }

    private static X509ExtendedTrustManager trustManager(Keys... trusted) throws Exception {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        for (int i = 0; i < trusted.length; i++) {
            trust.setCertificateEntry("trusted" + i, trusted[i].store.getCertificate("key"));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trust);
        return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    }

    private static SSLContext context(X509ExtendedKeyManager own, X509ExtendedTrustManager trust) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own == null ? null : new KeyManager[] {own}, new TrustManager[] {trust}, null);
        return context;
    }

    /** Does as another does. */
    private static class Manager extends X509ExtendedKeyManager {
        private final X509ExtendedKeyManager other;

        Manager(X509ExtendedKeyManager other) {
            this.other = other;
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return other.getClientAliases(type, issuers);
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return other.chooseClientAlias(types, issuers, socket);
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return other.getServerAliases(type, issuers);
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return other.chooseServerAlias(type, issuers, socket);
        }

        @Override
        public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
            return other.chooseEngineServerAlias(type, issuers, engine);
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return other.getCertificateChain(alias);
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return other.getPrivateKey(alias);
        }
    }
}
