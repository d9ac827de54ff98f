package creo.wss;

import creo.runtime.CreoException;
import creo.runtime.Server;
import creo.runtime.ServiceSecurity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.apache.wss4j.dom.WSConstants;
import org.example.notes.NotesEndpoint;

/**
 * The partner of clients in other languages: it secures and checks messages by WSS4J and by this module, and serves {@code notes.creo}, until its standard
 * input ends. Its argument is a folder, which gets a PKCS #12 file of each certificate with its key.
 *
 * <p>It prints the ports of its services: the first demands signatures, the second encryption, too. Then it answers each line {@code VERB NAME=VALUE.. MESSAGE}
 * by {@code ok MESSAGE PARTS} or {@code no TEXT}; messages and texts are base64.
 */
final class LinePeer {
    private static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";

    private LinePeer() {}

    public static void main(String[] arguments) throws Exception {
        // What libraries print must not be among the answers.
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        System.setOut(System.err);
        Path folder = Path.of(arguments[0]);
        for (String alias : Collections.list(Certificates.store().aliases())) {
            write(folder.resolve(alias + ".p12"), alias);
        }
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (Server signed = serve(bob().requireSignedHeader(ADDRESSING, "*").build()); Server encrypted = serve(bob().encryptToSigner().requireEncrypted().build())) {
            out.println(signed.httpPort() + " " + encrypted.httpPort());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(answer(line));
            }
        }
    }

    private static void write(Path file, String alias) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(alias, Certificates.key(alias), Certificates.PASSWORD.toCharArray(), new Certificate[] {Certificates.of(alias)});
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, Certificates.PASSWORD.toCharArray());
        }
    }

    private static WsSecurity.Builder bob() {
        return WsSecurity.builder().sign(Certificates.key("bob"), Certificates.of("bob")).trustIssuers(Certificates.of("ca")).know(Certificates.of("alice"), Certificates.of("curve"))
            .decrypt(Certificates.key("bob"), Certificates.of("bob"));
    }

    private static Server serve(ServiceSecurity security) throws Exception {
        return Server.builder().http("127.0.0.1", 0).add(NotesEndpoint.of(new CallsTest.Service()).withSecurity(security)).start();
    }

    private static String answer(String line) {
        String[] words = line.split(" ");
        Map<String, String> options = new HashMap<>();
        for (int i = 1; i < words.length - 1; i++) {
            int at = words[i].indexOf('=');
            options.put(words[i].substring(0, at), words[i].substring(at + 1));
        }
        byte[] message = Base64.getDecoder().decode(words[words.length - 1]);
        try {
            return switch (words[0]) {
                case "wss4j-send" -> "ok " + encoded(Peer.secure(message, form(options)));
                case "wss4j-receive" -> checked(message);
                case "java-send" -> "ok " + encoded(writer(options).build().send(message));
                case "java-receive" -> "ok " + encoded(bob().build().accept(message, message.length, "utf-8").envelope());
                default -> throw new IllegalArgumentException(line);
            };
        } catch (WSSecurityException | CreoException e) {
            return "no " + encoded(String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8));
        } catch (ServiceSecurity.Refused e) {
            return "no " + encoded(e.error().reason().getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String checked(byte[] message) throws WSSecurityException {
        Peer.Found found = Peer.check(message);
        return "ok " + encoded(found.text().getBytes(StandardCharsets.UTF_8)) + " " + encoded(String.join(",", found.parts()).getBytes(StandardCharsets.UTF_8));
    }

    private static String encoded(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static int reference(String name) {
        return switch (TokenReference.valueOf(name)) {
            case BINARY_TOKEN -> WSConstants.BST_DIRECT_REFERENCE;
            case ISSUER_SERIAL -> WSConstants.ISSUER_SERIAL;
            case KEY_IDENTIFIER -> WSConstants.SKI_KEY_IDENTIFIER;
            case THUMBPRINT -> WSConstants.THUMBPRINT_IDENTIFIER;
        };
    }

    private static Peer.Form form(Map<String, String> options) {
        Peer.Form form = new Peer.Form();
        options.forEach((name, value) -> {
            switch (name) {
                case "signer" -> form.signer = value;
                case "reference" -> form.reference = value.equals("WHOLE") ? WSConstants.X509_KEY_IDENTIFIER : reference(value);
                case "signature" -> form.signature = Algorithm.valueOf(value).uri;
                case "digest" -> form.digest = Algorithm.valueOf(value).uri;
                case "timestamp" -> form.timestamp = Boolean.parseBoolean(value);
                case "inclusive" -> form.inclusive = Boolean.parseBoolean(value);
                case "signs" -> form.signs = Boolean.parseBoolean(value);
                case "header" -> form.more.add(new WSEncryptionPart(value, ADDRESSING, "Element"));
                case "recipient" -> form.recipient = value;
                case "keyReference" -> form.keyReference = reference(value);
                case "key" -> form.key = Algorithm.valueOf(value).uri;
                case "data" -> form.data = Algorithm.valueOf(value).uri;
                case "encryptsFirst" -> form.encryptsFirst = Boolean.parseBoolean(value);
                default -> throw new IllegalArgumentException(name);
            }
        });
        return form;
    }

    private static WsSecurity.Builder writer(Map<String, String> options) {
        WsSecurity.Builder writer = WsSecurity.builder();
        // In this order: an algorithm must fit the key.
        for (String name : List.of("signer", "reference", "signature", "header", "recipient", "keyReference", "key")) {
            String value = options.get(name);
            if (value == null) {
                continue;
            }
            switch (name) {
                case "signer" -> writer.sign(Certificates.key(value), Certificates.of(value));
                case "reference" -> writer.reference(TokenReference.valueOf(value));
                case "signature" -> writer.signature(Algorithm.valueOf(value));
                case "header" -> writer.signHeader(ADDRESSING, value);
                case "recipient" -> writer.encryptTo(Certificates.of(value));
                case "keyReference" -> writer.keyReference(TokenReference.valueOf(value));
                default -> writer.encryption(Algorithm.valueOf(value), Algorithm.valueOf(options.get("data")));
            }
        }
        return writer;
    }
}
