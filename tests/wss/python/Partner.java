package creo.wss;

import creo.runtime.CallContext;
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
import org.apache.xml.security.Init;
import org.apache.xml.security.c14n.Canonicalizer;
import org.apache.xml.security.exceptions.XMLSecurityException;
import org.example.notes.Full;
import org.example.notes.Notes;
import org.example.notes.NotesEndpoint;
import org.example.notes.Reading;
import org.w3c.dom.Element;

/**
 * The other side of the tests of Python: WSS4J, Santuario, and the module of Java.
 *
 * <p>Reads lines of a command, options {@code name=value} and a message in base64, divided by tabs. Answers each with one line: {@code ok} or {@code error},
 * and words.
 */
final class Partner {
    private static final PrintStream OUT = System.out;
    private static final List<String> NAMES = List.of("ca", "alice", "bob", "curve", "weak", "old", "mallory");

    private Partner() {}

    public static void main(String[] args) throws Exception {
        // What libraries print is no answer.
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
                OUT.println("ok\t" + answer(words[0], options, Base64.getDecoder().decode(words[words.length - 1])));
            } catch (ServiceSecurity.Refused e) {
                OUT.println("error\t" + shown(e.error().reason()));
            } catch (XMLSecurityException | RuntimeException e) {
                OUT.println("error\t" + shown(e.toString()));
            }
            OUT.flush();
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
            case "secure" -> {
                return text(Peer.secure(message, form(options)));
            }
            case "check" -> {
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
                return String.valueOf(serve(options.containsKey("passwords")));
            }
            default -> throw new IllegalArgumentException(command);
        }
    }

    private static Peer.Form form(Map<String, String> options) {
        Peer.Form form = new Peer.Form();
        options.forEach((name, value) -> {
            switch (name) {
                case "signer" -> form.signer = value;
                case "reference" -> form.reference = Integer.parseInt(value);
                case "signature" -> form.signature = value;
                case "digest" -> form.digest = value;
                case "timestamp" -> form.timestamp = value.equals("1");
                case "inclusive" -> form.inclusive = value.equals("1");
                case "header" -> form.more.add(new WSEncryptionPart("To", value, "Element"));
                case "signs" -> form.signs = value.equals("1");
                case "recipient" -> form.recipient = value;
                case "keyReference" -> form.keyReference = Integer.parseInt(value);
                case "key" -> form.key = value;
                case "data" -> form.data = value;
                case "encryptsFirst" -> form.encryptsFirst = value.equals("1");
                default -> throw new IllegalArgumentException(name);
            }
        });
        return form;
    }

    private static WsSecurity.Builder writer(Map<String, String> options) {
        WsSecurity.Builder builder = WsSecurity.builder();
        String signer = options.get("signer");
        if (signer != null) {
            builder.sign(Certificates.key(signer), Certificates.of(signer)).reference(TokenReference.valueOf(options.get("reference")))
                .signature(Algorithm.valueOf(options.get("signature")));
        }
        if (options.containsKey("recipient")) {
            builder.encryptTo(Certificates.of(options.get("recipient"))).keyReference(TokenReference.valueOf(options.get("keyReference")))
                .encryption(Algorithm.valueOf(options.get("key")), Algorithm.valueOf(options.get("data")));
        }
        if (options.containsKey("saml")) {
            builder.saml(options.get("saml"));
        }
        if (options.containsKey("header")) {
            builder.signHeader(options.get("header"), "*");
        }
        return builder;
    }

    private static WsSecurity.Builder reader(Map<String, String> options) {
        WsSecurity.Builder builder = WsSecurity.builder().decrypt(Certificates.key("bob"), Certificates.of("bob"))
            .allow(Algorithm.AES128_CBC, Algorithm.AES256_CBC);
        if (!options.containsKey("unsigned")) {
            builder.trustIssuers(Certificates.of("ca")).know(Certificates.of("alice"), Certificates.of("curve"));
        }
        if (options.containsKey("saml")) {
            builder.readSaml(bytes -> () -> new String(bytes, StandardCharsets.UTF_8).contains(">anna<") ? "anna" : "nobody");
        }
        if (options.containsKey("header")) {
            builder.requireSignedHeader(options.get("header"), "*");
        }
        return builder;
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

    /** A service that demands signatures and encryption, and perhaps passwords, and answers with both. */
    private static int serve(boolean passwords) throws IOException {
        WsSecurity security = WsSecurity.builder().sign(Certificates.key("bob"), Certificates.of("bob")).trustIssuers(Certificates.of("ca"))
            .know(Certificates.of("alice")).decrypt(Certificates.key("bob"), Certificates.of("bob")).requireEncrypted().encryptToSigner().build();
        Endpoint endpoint = NotesEndpoint.of(new Service()).withSecurity(security);
        return Server.builder().http("127.0.0.1", 0).add(passwords ? endpoint.withPasswords(user -> user.equals("anna") ? "secret" : null) : endpoint).start().httpPort();
    }

    private static final class Service implements Notes {
        @Override
        public String say(String text) throws Full {
            if (text.equals("full")) {
                throw new Full(3);
            }
            return text + " " + CallContext.current().principal().getName();
        }

        @Override
        public List<Reading> echo(List<Reading> readings) {
            return readings;
        }

        @Override
        public void clear() {
            // Nothing is kept.
        }

        @Override
        public void note(String text) {
            // Nothing is kept.
        }
    }
}
