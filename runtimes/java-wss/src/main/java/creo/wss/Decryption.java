package creo.wss;

import creo.runtime.CreoException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Decrypts the parts of a message in place (SOAP-86). Whatever goes wrong once a key of ours is used has one text. */
final class Decryption {
    private static final int MAX_PARTS = 16;

    private final WsSecurity options;
    private final Envelope envelope;
    private final List<X509Certificate> certificates;
    private final Map<String, byte[]> keys = new HashMap<>();
    private int parts;
    private boolean body;

    Decryption(WsSecurity options, Envelope envelope) {
        this.options = options;
        this.envelope = envelope;
        this.certificates = options.readers.stream().map(WsSecurity.Identity::certificate).toList();
    }

    /** Whether the content of the body was encrypted. */
    boolean ofBody() {
        return body;
    }

    private static Reason.Refusal failed() {
        return Reason.NOT_DECRYPTED.because("the message cannot be decrypted");
    }

    /** Decrypts a key, and what it says that it encrypts. */
    void key(Element element) {
        Element method = Dom.required(element, Names.XENC, "EncryptionMethod");
        Algorithm algorithm = Algorithm.accepted(Algorithm.Kind.KEY, method.getAttributeNS(null, "Algorithm"), options.allowed);
        X509Certificate to = Tokens.read(Dom.required(element, Names.DSIG, "KeyInfo"), envelope, envelope.ids(), certificates);
        WsSecurity.Identity own = options.readers.stream().filter(reader -> reader.certificate().equals(to)).findFirst()
            .orElseThrow(() -> Reason.KEY_REFERENCE.because("the message is encrypted to a certificate that is not ours"));
        byte[] key = Encryption.unwrap(algorithm, own.key(), value(element), method);
        // A key that cannot be decrypted is a random one, so that only the end of the data tells.
        key = key == null ? new byte[0] : key;
        String id = element.getAttributeNS(null, "Id");
        if (!id.isEmpty() && keys.putIfAbsent(id, key) != null) {
            throw Reason.DUPLICATE_ID.because("two encrypted keys have one id");
        }
        Element list = Dom.only(element, Names.XENC, "ReferenceList");
        if (list != null) {
            for (Element reference : Dom.children(list)) {
                data(referred(reference), key);
            }
        }
    }

    /** Decrypts what a list of its own refers to. */
    void list(Element list) {
        for (Element reference : Dom.children(list)) {
            Element data = referred(reference);
            Element token = Dom.required(Dom.required(data, Names.DSIG, "KeyInfo"), Names.WSSE, "SecurityTokenReference");
            String uri = Dom.required(token, Names.WSSE, "Reference").getAttributeNS(null, "URI");
            byte[] key = uri.startsWith("#") ? keys.get(uri.substring(1)) : null;
            if (key == null) {
                throw Reason.KEY_REFERENCE.because("data of a key that is not before it");
            }
            data(data, key);
        }
    }

    private Element referred(Element reference) {
        if (!Dom.is(reference, Names.XENC, "DataReference")) {
            throw Reason.REFERENCE.because("a reference to encrypted data by " + CreoException.shown(reference.getNodeName()));
        }
        if (++parts > MAX_PARTS) {
            throw Reason.TOO_MANY.because("more than " + MAX_PARTS + " encrypted parts");
        }
        return Envelope.referred(reference.getAttributeNS(null, "URI"), envelope.ids());
    }

    private static byte[] value(Element element) {
        Element data = Dom.required(element, Names.XENC, "CipherData");
        return Tokens.bytes(Dom.text(Dom.required(data, Names.XENC, "CipherValue")));
    }

    private void data(Element data, byte[] key) {
        if (!Dom.is(data, Names.XENC, "EncryptedData")) {
            throw Reason.MISPLACED.because("a reference to encrypted data that is none");
        }
        Node parent = data.getParentNode();
        boolean content = data.getAttributeNS(null, "Type").equals(Names.CONTENT);
        boolean ofBody = parent == envelope.body && content && Dom.children(parent).size() == 1;
        boolean ofToken = parent == envelope.security && data.getAttributeNS(null, "Type").equals(Names.ELEMENT);
        if (!ofBody && !ofToken) {
            throw Reason.MISPLACED.because("only the whole content of the body, and elements of the Security block, may be encrypted");
        }
        Element method = Dom.required(data, Names.XENC, "EncryptionMethod");
        Algorithm algorithm = Algorithm.accepted(Algorithm.Kind.DATA, method.getAttributeNS(null, "Algorithm"), options.allowed);
        byte[] used = key.length == algorithm.size ? key : Encryption.random(algorithm.size);
        byte[] plain = Encryption.decrypt(algorithm, used, value(data));
        if (plain == null) {
            throw failed();
        }
        replace(data, plain);
        body |= ofBody;
    }

    private void replace(Element data, byte[] plain) {
        Node parent = data.getParentNode();
        StringBuilder start = new StringBuilder("<w");
        Dom.scope(parent).forEach((prefix, uri) -> {
            start.append(prefix.isEmpty() ? " xmlns=\"" : " xmlns:" + prefix + "=\"");
            Dom.attribute(uri, start);
            start.append('"');
        });
        byte[] open = start.append('>').toString().getBytes(StandardCharsets.UTF_8);
        byte[] close = "</w>".getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[open.length + plain.length + close.length];
        System.arraycopy(open, 0, all, 0, open.length);
        System.arraycopy(plain, 0, all, open.length, plain.length);
        System.arraycopy(close, 0, all, open.length + plain.length, close.length);
        Document read;
        try {
            read = Dom.parse(all, all.length, "utf-8");
        } catch (CreoException e) {
            throw failed();
        }
        for (Node n = read.getDocumentElement().getFirstChild(); n != null; n = n.getNextSibling()) {
            parent.insertBefore(envelope.document.importNode(n, true), data);
        }
        parent.removeChild(data);
    }
}
