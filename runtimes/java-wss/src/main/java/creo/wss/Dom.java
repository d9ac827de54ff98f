package creo.wss;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/** Reads and writes trees of XML. A tree has no document type, no comments and no CDATA sections: two texts in an element are one. */
final class Dom {
    private static final String LIMITS = "http://www.oracle.com/xml/jaxp/properties/";
    private static final ConcurrentLinkedQueue<DocumentBuilder> BUILDERS = new ConcurrentLinkedQueue<>();

    private Dom() {}

    private static DocumentBuilder builder() {
        try {
            // The JDK's own parser, whatever the class path has.
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setNamespaceAware(true);
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setFeature("http://apache.org/xml/features/dom/defer-node-expansion", false);
            factory.setXIncludeAware(false);
            factory.setCoalescing(true);
            factory.setIgnoringComments(true);
            factory.setAttribute(LIMITS + "maxElementDepth", "500");
            factory.setAttribute(LIMITS + "elementAttributeLimit", "256");
            DocumentBuilder builder = factory.newDocumentBuilder();
            builder.setErrorHandler(new ErrorHandler() {
                @Override
                public void warning(SAXParseException e) {
                    // A warning of the parser does not change what is read.
                }

                @Override
                public void error(SAXParseException e) throws SAXException {
                    throw e;
                }

                @Override
                public void fatalError(SAXParseException e) throws SAXException {
                    throw e;
                }
            });
            return builder;
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("this JDK has no parser of XML", e);
        }
    }

    /**
     * Parses a document.
     *
     * @param charset that is known from elsewhere, or null
     * @throws CreoException with {@code MALFORMED} if it is none
     */
    static Document parse(byte[] bytes, int length, String charset) {
        DocumentBuilder builder = BUILDERS.poll();
        builder = builder == null ? builder() : builder;
        InputSource source = new InputSource(new ByteArrayInputStream(bytes, 0, length));
        source.setEncoding(charset);
        try {
            Document document = builder.parse(source);
            BUILDERS.add(builder);
            return document;
        } catch (SAXException | IOException e) {
            throw CreoException.ofRuntime(ErrorCode.MALFORMED, "no document of XML, or one with a document type: " + CreoException.shown(String.valueOf(e.getMessage())), e);
        }
    }

    /** Whether a node is an element with this name. */
    static boolean is(Node node, String namespace, String local) {
        return node.getNodeType() == Node.ELEMENT_NODE && namespace.equals(node.getNamespaceURI()) && local.equals(node.getLocalName());
    }

    /** The child elements. */
    static List<Element> children(Node parent) {
        List<Element> all = new ArrayList<>();
        for (Node n = parent.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n.getNodeType() == Node.ELEMENT_NODE) {
                all.add((Element) n);
            }
        }
        return all;
    }

    /** The only child element with this name, or null if there is none; two are refused. */
    static Element only(Node parent, String namespace, String local) {
        Element found = null;
        for (Element child : children(parent)) {
            if (is(child, namespace, local)) {
                if (found != null) {
                    throw Reason.UNREADABLE.because("two elements " + local + " in " + parent.getLocalName());
                }
                found = child;
            }
        }
        return found;
    }

    /** As {@link #only}; none is refused, too. */
    static Element required(Node parent, String namespace, String local) {
        Element found = only(parent, namespace, local);
        if (found == null) {
            throw Reason.UNREADABLE.because(parent.getLocalName() + " without " + local);
        }
        return found;
    }

    /** The text of an element that holds nothing but text, without white space around it. */
    static String text(Element element) {
        for (Node n = element.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n.getNodeType() != Node.TEXT_NODE) {
                throw Reason.UNREADABLE.because(element.getLocalName() + " that holds more than a text");
            }
        }
        return element.getTextContent().strip();
    }

    /** Adds an element with a declaration of its prefix, if that is needed. */
    static Element add(Node parent, Node before, String namespace, String name) {
        Document document = parent.getOwnerDocument();
        Element element = document.createElementNS(namespace, name);
        String prefix = name.substring(0, name.indexOf(':'));
        parent.insertBefore(element, before);
        if (!namespace.equals(parent.lookupNamespaceURI(prefix))) {
            element.setAttributeNS(Names.XMLNS, "xmlns:" + prefix, namespace);
        }
        return element;
    }

    /** The prefixes in scope of an element's content with their namespaces; the default namespace has the prefix {@code ""}. */
    static Map<String, String> scope(Node element) {
        Map<String, String> scope = new LinkedHashMap<>();
        for (Node n = element; n != null && n.getNodeType() == Node.ELEMENT_NODE; n = n.getParentNode()) {
            NamedNodeMap attributes = n.getAttributes();
            for (int i = 0; i < attributes.getLength(); i++) {
                Node a = attributes.item(i);
                if (Names.XMLNS.equals(a.getNamespaceURI())) {
                    scope.putIfAbsent(a.getPrefix() == null ? "" : a.getLocalName(), a.getNodeValue());
                }
            }
        }
        return scope;
    }

    /** The text of an element, with declarations of all prefixes in its scope. */
    static String standalone(Element element) {
        StringBuilder out = new StringBuilder();
        start(element, scope(element), out);
        content(element, out);
        return out.append("</").append(element.getNodeName()).append('>').toString();
    }

    private static void start(Element element, Map<String, String> more, StringBuilder out) {
        out.append('<').append(element.getNodeName());
        NamedNodeMap attributes = element.getAttributes();
        more.forEach((prefix, uri) -> {
            String name = prefix.isEmpty() ? "xmlns" : "xmlns:" + prefix;
            if (!element.hasAttribute(name)) {
                out.append(' ').append(name).append("=\"");
                attribute(uri, out);
                out.append('"');
            }
        });
        for (int i = 0; i < attributes.getLength(); i++) {
            Attr a = (Attr) attributes.item(i);
            out.append(' ').append(a.getName()).append("=\"");
            attribute(a.getValue(), out);
            out.append('"');
        }
        out.append('>');
    }

    /** Writes a node such that its canonical form stays as it is. */
    static void write(Node node, StringBuilder out) {
        switch (node.getNodeType()) {
            case Node.ELEMENT_NODE -> {
                start((Element) node, Map.of(), out);
                content(node, out);
                out.append("</").append(node.getNodeName()).append('>');
            }
            case Node.TEXT_NODE -> text(node.getNodeValue(), out);
            case Node.PROCESSING_INSTRUCTION_NODE -> out.append("<?").append(node.getNodeName()).append(' ').append(node.getNodeValue()).append("?>");
            default -> throw new IllegalStateException("a node of the type " + node.getNodeType());
        }
    }

    private static void content(Node element, StringBuilder out) {
        for (Node n = element.getFirstChild(); n != null; n = n.getNextSibling()) {
            write(n, out);
        }
    }

    private static void text(String text, StringBuilder out) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '\r' -> out.append("&#13;");
                default -> out.append(c);
            }
        }
    }

    /** Writes the value of an attribute. */
    static void attribute(String text, StringBuilder out) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '"' -> out.append("&quot;");
                case '\t' -> out.append("&#9;");
                case '\n' -> out.append("&#10;");
                case '\r' -> out.append("&#13;");
                default -> out.append(c);
            }
        }
    }
}
