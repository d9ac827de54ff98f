package creo.wss;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.xml.crypto.MarshalException;
import javax.xml.crypto.dom.DOMStructure;
import javax.xml.crypto.dsig.CanonicalizationMethod;
import javax.xml.crypto.dsig.DigestMethod;
import javax.xml.crypto.dsig.Reference;
import javax.xml.crypto.dsig.SignedInfo;
import javax.xml.crypto.dsig.XMLSignatureException;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMSignContext;
import javax.xml.crypto.dsig.keyinfo.KeyInfo;
import javax.xml.crypto.dsig.spec.C14NMethodParameterSpec;
import javax.xml.crypto.dsig.spec.ExcC14NParameterSpec;
import javax.xml.namespace.QName;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Secures one message: it is signed, and then encrypted (SOAP-82). */
final class Writing {
    static final long VALID_MINUTES = 5;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final WsSecurity options;
    /** The certificate to which the message is encrypted, or null. */
    private final X509Certificate recipient;
    /** Random, so that no two messages have the same signature. */
    private final String base = UUID.randomUUID().toString();
    private int ids;
    private Envelope envelope;
    private Element security;

    Writing(WsSecurity options, X509Certificate recipient) {
        this.options = options;
        this.recipient = recipient;
    }

    byte[] secure(byte[] message) {
        if (options.signer == null && recipient == null && options.saml == null) {
            return message;
        }
        envelope = Envelope.parse(message, message.length, "utf-8");
        security = envelope.addSecurity();
        if (options.saml != null) {
            byte[] assertion = options.saml.getBytes(StandardCharsets.UTF_8);
            security.appendChild(envelope.document.importNode(Dom.parse(assertion, assertion.length, "utf-8").getDocumentElement(), true));
        }
        if (options.signer != null) {
            addTimestamp();
            sign();
        }
        if (recipient != null) {
            encrypt();
        }
        return envelope.toBytes();
    }

    private String newId() {
        return "creo-" + ++ids + "-" + base;
    }

    private void addTimestamp() {
        if (Dom.only(security, Names.WSU, "Timestamp") != null) {
            return;
        }
        Instant now = options.clock.instant();
        Element timestamp = Dom.add(security, security.getFirstChild(), Names.WSU, "wsu:Timestamp");
        Dom.add(timestamp, null, Names.WSU, "wsu:Created").setTextContent(TIME.format(now));
        Dom.add(timestamp, null, Names.WSU, "wsu:Expires").setTextContent(TIME.format(now.plusSeconds(VALID_MINUTES * 60)));
    }

    /** Whether a block of the header has one of the names. */
    static boolean isNamed(Element block, Iterable<QName> names) {
        for (QName name : names) {
            if (name.getNamespaceURI().equals(block.getNamespaceURI() == null ? "" : block.getNamespaceURI())
                    && (name.getLocalPart().equals("*") || name.getLocalPart().equals(block.getLocalName()))) {
                return true;
            }
        }
        return false;
    }

    private void sign() {
        XMLSignatureFactory factory = XMLSignatureFactory.getInstance("DOM");
        List<Element> parts = new ArrayList<>(Dom.children(security));
        envelope.blocks().stream().filter(block -> block != security && isNamed(block, options.signedHeaders)).forEach(parts::add);
        parts.add(envelope.body);
        // Prefixes in values, such as xsi:type, are protected only if the signature names them.
        List<String> prefixes = Dom.scope(envelope.root).keySet().stream().filter(prefix -> !prefix.isEmpty()).sorted().toList();
        try {
            DigestMethod digest = factory.newDigestMethod(Algorithm.SHA256.uri, null);
            List<Reference> references = new ArrayList<>();
            List<Attr> marks = new ArrayList<>();
            for (Element part : parts) {
                Attr id = Envelope.id(part);
                if (id == null) {
                    Tokens.setId(part, newId());
                    id = Envelope.id(part);
                }
                marks.add(id);
                ExcC14NParameterSpec listed = prefixes.isEmpty() ? null : new ExcC14NParameterSpec(prefixes);
                references.add(factory.newReference("#" + id.getValue(), digest, List.of(factory.newTransform(CanonicalizationMethod.EXCLUSIVE, listed)), null, null));
            }
            Element keyInfo = envelope.document.createElementNS(Names.DSIG, "ds:KeyInfo");
            Tokens.write(keyInfo, options.signer.certificate(), options.reference, security, null, newId());
            KeyInfo info = factory.getKeyInfoFactory().newKeyInfo(List.of(new DOMStructure(keyInfo.getFirstChild())));
            SignedInfo signed = factory.newSignedInfo(factory.newCanonicalizationMethod(CanonicalizationMethod.EXCLUSIVE, (C14NMethodParameterSpec) null),
                factory.newSignatureMethod(options.signature.uri, null), references);
            DOMSignContext context = new DOMSignContext(options.signer.key(), security);
            context.setDefaultNamespacePrefix("ds");
            context.putNamespacePrefix(CanonicalizationMethod.EXCLUSIVE, "ec");
            for (Attr mark : marks) {
                context.setIdAttributeNS(mark.getOwnerElement(), mark.getNamespaceURI(), mark.getLocalName());
            }
            factory.newXMLSignature(signed, info).sign(context);
        } catch (GeneralSecurityException | MarshalException | XMLSignatureException e) {
            throw new IllegalStateException("the message cannot be signed", e);
        }
        Element value = Dom.required(Dom.required(security, Names.DSIG, "Signature"), Names.DSIG, "SignatureValue");
        value.setTextContent(Base64.getEncoder().encodeToString(Tokens.bytes(Dom.text(value))));
    }

    private void encrypt() {
        byte[] key = Encryption.random(options.dataEncryption.size);
        String keyId = newId();
        Node first = security.getFirstChild();
        Element encryptedKey = Dom.add(security, first, Names.XENC, "xenc:EncryptedKey");
        encryptedKey.setAttributeNS(null, "Id", keyId);
        Element method = method(encryptedKey, options.keyEncryption);
        byte[] wrapped = Encryption.wrap(options.keyEncryption, recipient.getPublicKey(), key, method);
        Element keyInfo = Dom.add(encryptedKey, null, Names.DSIG, "ds:KeyInfo");
        Tokens.write(keyInfo, recipient, options.keyReference, security, encryptedKey, newId());
        value(encryptedKey, wrapped);
        Element list = Dom.add(encryptedKey, null, Names.XENC, "xenc:ReferenceList");
        StringBuilder content = new StringBuilder();
        Map<String, String> scope = Dom.scope(envelope.body);
        for (Node n = envelope.body.getFirstChild(); n != null; n = envelope.body.getFirstChild()) {
            if (n.getNodeType() == Node.ELEMENT_NODE) {
                declare((Element) n, scope);
            }
            Dom.write(n, content);
            envelope.body.removeChild(n);
        }
        data(envelope.body, null, Names.CONTENT, content.toString(), key, keyId, list);
        for (Element token : Dom.children(security)) {
            if (Dom.is(token, Names.WSSE, "UsernameToken") || Dom.is(token, Names.SAML_2, "Assertion")) {
                String text = Dom.standalone(token);
                data(security, token, Names.ELEMENT, text, key, keyId, list);
                security.removeChild(token);
            }
        }
    }

    /** Declares the prefixes of a scope at an element, so that its text can be read alone. */
    private static void declare(Element element, Map<String, String> scope) {
        scope.forEach((prefix, uri) -> {
            String name = prefix.isEmpty() ? "xmlns" : "xmlns:" + prefix;
            if (!element.hasAttribute(name)) {
                element.setAttributeNS(Names.XMLNS, name, uri);
            }
        });
    }

    private static Element method(Element parent, Algorithm algorithm) {
        Element method = Dom.add(parent, null, Names.XENC, "xenc:EncryptionMethod");
        method.setAttributeNS(null, "Algorithm", algorithm.uri);
        return method;
    }

    private static void value(Element parent, byte[] bytes) {
        Element data = Dom.add(parent, null, Names.XENC, "xenc:CipherData");
        Dom.add(data, null, Names.XENC, "xenc:CipherValue").setTextContent(Base64.getEncoder().encodeToString(bytes));
    }

    private void data(Element parent, Node before, String type, String text, byte[] key, String keyId, Element list) {
        Element data = Dom.add(parent, before, Names.XENC, "xenc:EncryptedData");
        String id = newId();
        data.setAttributeNS(null, "Id", id);
        data.setAttributeNS(null, "Type", type);
        method(data, options.dataEncryption);
        Element reference = Dom.add(Dom.add(data, null, Names.DSIG, "ds:KeyInfo"), null, Names.WSSE, "wsse:SecurityTokenReference");
        reference.setAttributeNS(Names.XMLNS, "xmlns:wsse11", Names.WSSE_11);
        reference.setAttributeNS(Names.WSSE_11, "wsse11:TokenType", Names.ENCRYPTED_KEY);
        Dom.add(reference, null, Names.WSSE, "wsse:Reference").setAttributeNS(null, "URI", "#" + keyId);
        value(data, Encryption.encrypt(options.dataEncryption, key, text.getBytes(StandardCharsets.UTF_8)));
        Dom.add(list, null, Names.XENC, "xenc:DataReference").setAttributeNS(null, "URI", "#" + id);
    }
}
