package creo.wss;

import creo.jms.JmsBroker;
import creo.jms.JmsHost;
import creo.jms.broker.EmbeddedBroker;
import creo.runtime.CreoException;
import creo.runtime.Endpoint;
import creo.runtime.Server;
import creo.runtime.ServiceSecurity;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.dom.WSConstants;
import org.apache.xml.security.Init;
import org.apache.xml.security.c14n.Canonicalizer;
import org.apache.xml.security.exceptions.XMLSecurityException;
import org.example.notes.NotesEndpoint;
import org.w3c.dom.Element;

/**
 * The other side of clients in other languages: WSS4J, Santuario, the module of Java, and services of {@code notes.creo}.
 *
 * <p>Reads lines of a command, options {@code name=value} and a message in base64, divided by tabs. Answers each with one line: {@code ok} or {@code error},
 * and words. Algorithms and references have the names that Java gives them. Ends when its standard input does.
 */
final class Partner {
    private static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";
    private static final List<String> NAMES = List.of("ca", "alice", "bob", "curve", "weak", "old", "mallory");
    private static final String QUEUE = "jms:queue:notes";

    private Partner() {}

    public static void main(String[] args) throws Exception {
        // What libraries print is no answer.
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        System.setOut(System.err);
        Init.init();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split("\t", -1);
            Map<String, String> options = new HashMap<>();
            for (int i = 1; i < words.length - 1; i++) {
                int at = words[i].indexOf('=');
                options.put(words[i].substring(0, at), words[i].substring(at + 1));
            }
            try {
                out.println("ok\t" + answer(words[0], options, Base64.getDecoder().decode(words[words.length - 1])));
            } catch (ServiceSecurity.Refused e) {
                out.println("error\t" + shown(e.error().reason()));
            } catch (XMLSecurityException | RuntimeException e) {
                out.println("error\t" + shown(e.toString()));
            }
        }
        System.exit(0);
    }

    private static String shown(String text) {
        return CreoException.shown(text).replace('\t', ' ');
    }

    private static String text(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static String answer(String command, Map<String, String> options, byte[] message) throws Exception {
        switch (command) {
            case "keys" -> {
                StringBuilder all = new StringBuilder();
                for (String name : NAMES) {
                    all.append(name).append(' ').append(text(Certificates.key(name).getEncoded())).append(' ').append(text(Certificates.of(name).getEncoded())).append(';');
                }
                return all.toString();
            }
            case "wss4j-send" -> {
                return text(Peer.secure(message, form(options)));
            }
            case "wss4j-receive" -> {
                Peer.Found found = Peer.check(message);
                return String.join(",", found.parts()) + "\t" + text(found.text().getBytes(StandardCharsets.UTF_8));
            }
            case "java-send" -> {
                return text(writer(options).build().send(message));
            }
            case "java-receive" -> {
                ServiceSecurity.Request request = reader(options).build().accept(message, message.length, null);
                return (request.caller() == null ? "" : request.caller().getName()) + "\t" + text(request.envelope());
            }
            case "canonical" -> {
                return text(canonical(Dom.parse(message, message.length, "utf-8").getDocumentElement(), options.getOrDefault("prefixes", "")));
            }
            case "serve" -> {
                return String.valueOf(serve(options));
            }
            default -> throw new IllegalArgumentException(command);
        }
    }

    private static int reference(String name) {
        return name.equals("WHOLE") ? WSConstants.X509_KEY_IDENTIFIER : switch (TokenReference.valueOf(name)) {
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
                case "reference" -> form.reference = reference(value);
                case "signature" -> form.signature = Algorithm.valueOf(value).uri;
                case "digest" -> form.digest = Algorithm.valueOf(value).uri;
                case "timestamp" -> form.timestamp = value.equals("1");
                case "inclusive" -> form.inclusive = value.equals("1");
                case "header" -> form.more.add(new WSEncryptionPart(value, ADDRESSING, "Element"));
                case "signs" -> form.signs = value.equals("1");
                case "recipient" -> form.recipient = value;
                case "keyReference" -> form.keyReference = reference(value);
                case "key" -> form.key = Algorithm.valueOf(value).uri;
                case "data" -> form.data = Algorithm.valueOf(value).uri;
                case "encryptsFirst" -> form.encryptsFirst = value.equals("1");
                default -> throw new IllegalArgumentException(name);
            }
        });
        return form;
    }

    private static WsSecurity.Builder writer(Map<String, String> options) {
        WsSecurity.Builder writer = WsSecurity.builder();
        // In this order: an algorithm must fit the key.
        for (String name : List.of("signer", "reference", "signature", "header", "recipient", "keyReference", "key", "saml")) {
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
                case "saml" -> writer.saml(value);
                default -> writer.encryption(Algorithm.valueOf(value), Algorithm.valueOf(options.get("data")));
            }
        }
        return writer;
    }

    private static WsSecurity.Builder reader(Map<String, String> options) {
        WsSecurity.Builder reader = WsSecurity.builder().decrypt(Certificates.key("bob"), Certificates.of("bob"))
            .allow(Algorithm.AES128_CBC, Algorithm.AES256_CBC);
        if (!options.containsKey("unsigned")) {
            reader.trustIssuers(Certificates.of("ca")).know(Certificates.of("alice"), Certificates.of("curve"));
        }
        if (options.containsKey("saml")) {
            reader.readSaml(bytes -> () -> new String(bytes, StandardCharsets.UTF_8).contains(">anna<") ? "anna" : "nobody");
        }
        if (options.containsKey("header")) {
            reader.requireSignedHeader(ADDRESSING, options.get("header"));
        }
        return reader;
    }

    /** The canonical form of the first element that has an attribute {@code apex}, or else of the root. */
    private static byte[] canonical(Element root, String prefixes) throws XMLSecurityException, IOException {
        Element apex = root;
        var all = root.getElementsByTagName("*");
        for (int i = 0; i < all.getLength() && apex == root; i++) {
            apex = ((Element) all.item(i)).hasAttribute("apex") ? (Element) all.item(i) : apex;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Canonicalizer canonicalizer = Canonicalizer.getInstance(Canonicalizer.ALGO_ID_C14N_EXCL_OMIT_COMMENTS);
        if (prefixes.isEmpty()) {
            canonicalizer.canonicalizeSubtree(apex, out);
        } else {
            canonicalizer.canonicalizeSubtree(apex, prefixes, out);
        }
        return out.toByteArray();
    }

    /** A service that demands signatures, and what the options say; the port of HTTP, or that of a broker. It answers until the program ends. */
    private static int serve(Map<String, String> options) throws IOException {
        WsSecurity.Builder security = WsSecurity.builder().sign(Certificates.key("bob"), Certificates.of("bob")).trustIssuers(Certificates.of("ca"))
            .know(Certificates.of("alice")).decrypt(Certificates.key("bob"), Certificates.of("bob"));
        if (options.containsKey("header")) {
            security.requireSignedHeader(ADDRESSING, options.get("header"));
        }
        if (options.containsKey("encrypted")) {
            security.requireEncrypted().encryptToSigner();
        }
        Endpoint endpoint = NotesEndpoint.of(new NotesService()).withSecurity(security.build());
        if (options.containsKey("passwords")) {
            endpoint = endpoint.withPasswords(user -> user.equals("anna") ? "secret" : null);
        }
        if (!options.containsKey("jms")) {
            return Server.builder().http("127.0.0.1", 0).add(endpoint).start().httpPort();
        }
        int port = EmbeddedBroker.builder().start().port();
        JmsHost.builder().broker(JmsBroker.at("127.0.0.1", port)).address(QUEUE).add(endpoint).start();
        return port;
    }
}
