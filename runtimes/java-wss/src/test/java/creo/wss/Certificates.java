package creo.wss;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Keys and certificates of the tests, made once by {@code keytool}. */
final class Certificates {
    static final String PASSWORD = "changeit";
    private static final KeyStore STORE = make();

    private Certificates() {}

    private static KeyStore make() {
        try {
            Path folder = Files.createTempDirectory("creo-wss");
            Path store = folder.resolve("keys.p12");
            generate(store, "ca", "CN=Authority, O=Example", "RSA", 2_048, "-ext", "bc:c");
            for (String name : List.of("alice", "bob")) {
                generate(store, name, "CN=" + name + ", O=Example", "RSA", 2_048, "-signer", "ca", "-ext", "ku=digitalSignature,keyEncipherment");
            }
            generate(store, "curve", "CN=curve, O=Example", "EC", 256, "-signer", "ca");
            generate(store, "weak", "CN=weak, O=Example", "RSA", 1_024, "-signer", "ca");
            generate(store, "old", "CN=old, O=Example", "RSA", 2_048, "-signer", "ca", "-startdate", "-3d", "-validity", "1");
            generate(store, "mallory", "CN=alice, O=Example", "RSA", 2_048);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            Files.delete(store);
            Files.delete(folder);
            return keys;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void generate(Path store, String alias, String name, String algorithm, int size, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-keystore", store.toString(),
            "-storetype", "PKCS12", "-storepass", PASSWORD, "-alias", alias, "-dname", name, "-keyalg", algorithm));
        command.addAll(algorithm.equals("EC") ? List.of("-groupname", "secp256r1") : List.of("-keysize", String.valueOf(size)));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        try {
            if (process.waitFor() != 0) {
                throw new IOException(said);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    static X509Certificate of(String alias) {
        try {
            return (X509Certificate) STORE.getCertificate(alias);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static PrivateKey key(String alias) {
        try {
            return (PrivateKey) STORE.getKey(alias, PASSWORD.toCharArray());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A store with all of them. */
    static KeyStore store() {
        return STORE;
    }

    /** A store with the authority alone. */
    static KeyStore authority() {
        try {
            KeyStore trust = KeyStore.getInstance("PKCS12");
            trust.load(null, null);
            trust.setCertificateEntry("ca", of("ca"));
            return trust;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
