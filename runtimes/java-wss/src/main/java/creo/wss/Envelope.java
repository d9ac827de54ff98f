package creo.wss;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/** An envelope of SOAP as a tree, with the elements that security concerns at their places. */
final class Envelope {
    final Document document;
    final Element root;
    /** The namespace of the envelope. */
    final String soap;
    /** Null if there is none. */
    Element header;
    final Element body;
    /** The block for this receiver, or null if there is none. */
    Element security;

    private Envelope(Document document, Element root, Element header, Element body) {
        this.document = document;
        this.root = root;
        this.soap = root.getNamespaceURI();
        this.header = header;
        this.body = body;
    }

    /**
     * Parses an envelope.
     *
     * @throws CreoException with {@code MALFORMED} if it is none
     */
    static Envelope parse(byte[] bytes, int length, String charset) {
        Document document = Dom.parse(bytes, length, charset);
        Element root = document.getDocumentElement();
        if (!Dom.is(root, Names.SOAP_11, "Envelope") && !Dom.is(root, Names.SOAP_12, "Envelope")) {
            throw CreoException.ofRuntime(ErrorCode.MALFORMED, "the element " + CreoException.shown(root.getNodeName()) + ", where an envelope of SOAP must be", null);
        }
        List<Element> children = Dom.children(root);
        String soap = root.getNamespaceURI();
        Element header = !children.isEmpty() && Dom.is(children.get(0), soap, "Header") ? children.remove(0) : null;
        if (children.size() != 1 || !Dom.is(children.get(0), soap, "Body")) {
            throw Reason.MISPLACED.because("an envelope has at most one header, then one body, and nothing else");
        }
        Envelope envelope = new Envelope(document, root, header, children.get(0));
        envelope.findSecurity();
        return envelope;
    }

    private void findSecurity() {
        for (Element block : blocks()) {
            if (Dom.is(block, Names.WSSE, "Security") && isForReceiver(block)) {
                if (security != null) {
                    throw Reason.SECURITY_BLOCKS.because("two Security blocks for this receiver");
                }
                security = block;
            }
        }
    }

    /** Whether a block has no role, or that of the next or the ultimate receiver. */
    boolean isForReceiver(Element block) {
        boolean old = soap.equals(Names.SOAP_11);
        String role = block.getAttributeNS(soap, old ? "actor" : "role").strip();
        return role.isEmpty() || role.equals(old ? "http://schemas.xmlsoap.org/soap/actor/next" : soap + "/role/next") || !old && role.equals(soap + "/role/ultimateReceiver");
    }

    /** The blocks of the header. */
    List<Element> blocks() {
        return header == null ? List.of() : Dom.children(header);
    }

    /** The block for the receiver, which is added if it is not there. */
    Element addSecurity() {
        String prefix = root.getPrefix() == null ? "" : root.getPrefix() + ":";
        if (header == null) {
            header = document.createElementNS(soap, prefix + "Header");
            root.insertBefore(header, body);
        }
        if (security == null) {
            security = Dom.add(header, header.getFirstChild(), Names.WSSE, "wsse:Security");
            security.setAttributeNS(soap, (prefix.isEmpty() ? "soap:" : prefix) + "mustUnderstand", "1");
            if (prefix.isEmpty()) {
                security.setAttributeNS(Names.XMLNS, "xmlns:soap", soap);
            }
        }
        return security;
    }

    /** The ids of all elements, by any attribute that could be meant as one. */
    Map<String, List<Element>> ids() {
        Map<String, List<Element>> ids = new HashMap<>();
        Node n = root;
        while (n != null) {
            if (n.getNodeType() == Node.ELEMENT_NODE) {
                collect((Element) n, ids);
            }
            Node next = n.getFirstChild();
            while (next == null && n != null && n != root) {
                next = n.getNextSibling();
                n = next == null ? n.getParentNode() : n;
            }
            n = next;
        }
        return ids;
    }

    private static void collect(Element element, Map<String, List<Element>> ids) {
        NamedNodeMap attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            Attr a = (Attr) attributes.item(i);
            String local = a.getLocalName();
            if (local != null && (local.equalsIgnoreCase("id") || local.equalsIgnoreCase("AssertionID")) && !Names.XMLNS.equals(a.getNamespaceURI())) {
                ids.computeIfAbsent(a.getValue(), key -> new ArrayList<>(1)).add(element);
            }
        }
    }

    /** The attribute of an element that is its id for references, or null. */
    static Attr id(Element element) {
        Attr id = element.getAttributeNodeNS(Names.WSU, "Id");
        if (id != null) {
            return id;
        }
        String namespace = String.valueOf(element.getNamespaceURI());
        return switch (namespace) {
            case Names.DSIG, Names.XENC -> element.getAttributeNodeNS(null, "Id");
            case Names.SAML_2 -> element.getAttributeNodeNS(null, "ID");
            default -> null;
        };
    }

    /** The element that {@code "#id"} means: there is one with this id, and only one. */
    static Element referred(String uri, Map<String, List<Element>> ids) {
        if (uri == null || uri.length() < 2 || uri.charAt(0) != '#' || uri.indexOf('(') >= 0) {
            throw Reason.REFERENCE.because("a reference to \"" + CreoException.shown(String.valueOf(uri)) + "\", where only an id of this message may be");
        }
        String id = uri.substring(1);
        List<Element> found = ids.getOrDefault(id, List.of());
        if (found.size() > 1) {
            throw Reason.DUPLICATE_ID.because("the id \"" + CreoException.shown(id) + "\" is there " + found.size() + " times");
        }
        Attr attribute = found.isEmpty() ? null : id(found.get(0));
        if (attribute == null || !attribute.getValue().equals(id)) {
            throw Reason.UNKNOWN_ID.because("no element has the id \"" + CreoException.shown(id) + "\"");
        }
        return found.get(0);
    }

    /** The bytes of the envelope. */
    byte[] toBytes() {
        StringBuilder out = new StringBuilder(4_096);
        Dom.write(root, out);
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }
}
