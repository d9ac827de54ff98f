package creo.wss;

import creo.runtime.CreoException;
import java.io.InputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.crypto.MarshalException;
import javax.xml.crypto.dsig.Reference;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.XMLSignatureException;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import javax.xml.crypto.dsig.spec.ExcC14NParameterSpec;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * A signature that was verified.
 *
 * @param signed the very elements that it signs
 * @param hash of what the key has signed; the bytes of the signature itself could be changed without breaking it
 */
record Signature(X509Certificate certificate, Set<Element> signed, String hash) {
    private static final int MAX_REFERENCES = 32;

    /** Verifies a signature; refuses any that is not in the form that SOAP-84 and SOAP-85 allow. */
    static Signature verify(Element element, Envelope envelope, WsSecurity options) {
        Map<String, List<Element>> ids = envelope.ids();
        Algorithm algorithm = checkShape(element, options.allowed);
        X509Certificate certificate = Tokens.read(Dom.required(element, Names.DSIG, "KeyInfo"), envelope, ids, options.trust.known());
        options.trust.check(certificate, options.clock.instant());
        PublicKey key = certificate.getPublicKey();
        if (!algorithm.form.equals(key.getAlgorithm())) {
            throw Reason.ALGORITHM.because("the algorithm \"" + algorithm.uri + "\" does not fit the key");
        }
        DOMValidateContext context = new DOMValidateContext(key, element);
        // What the JDK checks besides; it would refuse weak algorithms that are allowed by name.
        context.setProperty("org.jcp.xml.dsig.secureValidation", options.allowed.isEmpty());
        try {
            XMLSignature signature = XMLSignatureFactory.getInstance("DOM").unmarshalXMLSignature(context);
            Map<Element, List<String>> prefixes = new IdentityHashMap<>();
            for (Reference reference : signature.getSignedInfo().getReferences()) {
                Element signed = referred(reference, envelope, ids);
                if (prefixes.put(signed, prefixes(reference)) != null) {
                    throw Reason.MISPLACED.because("two references to one element");
                }
                Attr id = Envelope.id(signed);
                context.setIdAttributeNS(signed, id.getNamespaceURI(), id.getLocalName());
            }
            if (!signature.getSignatureValue().validate(context)) {
                throw Reason.BAD_SIGNATURE.because("the signature is not that of the message");
            }
            for (Reference reference : signature.getSignedInfo().getReferences()) {
                if (!reference.validate(context)) {
                    throw Reason.BAD_DIGEST.because("the element " + CreoException.shown(reference.getURI()) + " was changed");
                }
            }
            if (!options.loosePrefixes) {
                prefixes.forEach((signed, listed) -> checkPrefixes(signed, signed, listed));
            }
            Set<Element> all = Collections.newSetFromMap(new IdentityHashMap<>());
            all.addAll(prefixes.keySet());
            return new Signature(certificate, all, hash(signature.getSignedInfo().getCanonicalizedData()));
        } catch (MarshalException e) {
            throw Reason.UNREADABLE.because("a signature that cannot be read");
        } catch (XMLSignatureException e) {
            throw Reason.BAD_SIGNATURE.because("the signature is not that of the message");
        }
    }

    /** The algorithm of a signature that has its three parts, accepted algorithms and not too many references. None of it is worked on before. */
    private static Algorithm checkShape(Element element, Set<Algorithm> allowed) {
        List<Element> parts = Dom.children(element);
        List<String> names = parts.stream().map(Node::getLocalName).toList();
        if (!names.equals(List.of("SignedInfo", "SignatureValue", "KeyInfo")) || parts.stream().anyMatch(part -> !Names.DSIG.equals(part.getNamespaceURI()))) {
            throw Reason.UNREADABLE.because("a signature has SignedInfo, SignatureValue and KeyInfo, and nothing else");
        }
        List<Element> info = Dom.children(parts.get(0));
        if (info.size() - 2 > MAX_REFERENCES) {
            throw Reason.TOO_MANY.because("more than " + MAX_REFERENCES + " references in a signature");
        }
        if (!algorithm(parts.get(0), "CanonicalizationMethod").equals(Names.EXCLUSIVE)) {
            throw Reason.ALGORITHM.because("only exclusive canonicalization is accepted");
        }
        for (Element reference : info) {
            if (!Dom.is(reference, Names.DSIG, "Reference")) {
                continue;
            }
            Algorithm.accepted(Algorithm.Kind.DIGEST, algorithm(reference, "DigestMethod"), allowed);
            Element transforms = Dom.only(reference, Names.DSIG, "Transforms");
            for (Element transform : transforms == null ? List.<Element>of() : Dom.children(transforms)) {
                if (!transform.getAttributeNS(null, "Algorithm").equals(Names.EXCLUSIVE)) {
                    throw Reason.TRANSFORM.because("the transform \"" + CreoException.shown(transform.getAttributeNS(null, "Algorithm")) + "\" is not accepted");
                }
            }
        }
        return Algorithm.accepted(Algorithm.Kind.SIGNATURE, algorithm(parts.get(0), "SignatureMethod"), allowed);
    }

    private static String algorithm(Element parent, String local) {
        return Dom.required(parent, Names.DSIG, local).getAttributeNS(null, "Algorithm");
    }

    /** The element of a reference: the body, a block of the header, or an element of the Security block, at its place. */
    private static Element referred(Reference reference, Envelope envelope, Map<String, List<Element>> ids) {
        if (reference.getTransforms().size() != 1) {
            throw Reason.TRANSFORM.because("a reference has one transform, exclusive canonicalization");
        }
        Element signed = Envelope.referred(reference.getURI(), ids);
        Node parent = signed.getParentNode();
        if (signed != envelope.body && (parent == null || parent != envelope.header && parent != envelope.security)) {
            throw Reason.MISPLACED.because("the signature is for an element " + CreoException.shown(signed.getNodeName()) + " that is not at its place");
        }
        return signed;
    }

    /** The prefixes that a reference protects wherever they are declared. */
    private static List<String> prefixes(Reference reference) {
        Object parameters = reference.getTransforms().get(0).getParameterSpec();
        return parameters instanceof ExcC14NParameterSpec listed ? listed.getPrefixList() : List.of();
    }

    /** Refuses an {@code xsi:type} whose prefix is not a part of what is signed. */
    private static void checkPrefixes(Element element, Element signed, List<String> listed) {
        Attr type = element.getAttributeNodeNS("http://www.w3.org/2001/XMLSchema-instance", "type");
        if (type != null) {
            String name = type.getValue().strip();
            String prefix = name.indexOf(':') < 0 ? "" : name.substring(0, name.indexOf(':'));
            if (!listed.contains(prefix.isEmpty() ? ExcC14NParameterSpec.DEFAULT : prefix) && !isUsed(prefix, element, signed)) {
                throw Reason.PREFIX.because("the signature does not protect the prefix of the type \"" + CreoException.shown(name) + "\"");
            }
        }
        for (Element child : Dom.children(element)) {
            checkPrefixes(child, signed, listed);
        }
    }

    /** Whether the nearest element that uses a prefix visibly, within what is signed, gives it the same namespace. */
    private static boolean isUsed(String prefix, Element element, Element signed) {
        String meant = lookup(prefix, element);
        for (Node n = element; n != null; n = n == signed ? null : n.getParentNode()) {
            boolean used = prefix.equals(n.getPrefix() == null ? "" : n.getPrefix());
            for (int i = 0; !used && !prefix.isEmpty() && i < n.getAttributes().getLength(); i++) {
                used = prefix.equals(n.getAttributes().item(i).getPrefix());
            }
            if (used) {
                String there = lookup(prefix, n);
                return meant == null ? there == null : meant.equals(there);
            }
        }
        return prefix.isEmpty() && meant == null;
    }

    private static String lookup(String prefix, Node at) {
        return at.lookupNamespaceURI(prefix.isEmpty() ? null : prefix);
    }

    private static String hash(InputStream signed) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(signed.readAllBytes()));
        } catch (NoSuchAlgorithmException | IOException e) {
            throw new IllegalStateException("bytes in memory, and SHA-256", e);
        }
    }
}
