import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Source;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.w3c.dom.bootstrap.DOMImplementationRegistry;
import org.w3c.dom.ls.DOMImplementationLS;
import org.w3c.dom.ls.LSInput;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * Validates messages with the schemas of WSDLs, with the JDK's processor of XML Schema and without a network.
 *
 * <p>Each line of standard input is the path of a WSDL, a tab, and a document in hexadecimal. If the document's element is {@link #HOLDER}, its child elements are
 * validated, otherwise the document's element. Each is answered by a line: {@code valid}, {@code none REASON} if no schema declares the element or the schemas are no
 * schemas, {@code facet CODES} if only restrictions of values are broken, which descriptions do not hold, or {@code invalid MESSAGE}. The arguments are folders of
 * schemas that stand in for those that a WSDL does not bring.
 */
public final class SchemaCheck {
    private static final String XSD = XMLConstants.W3C_XML_SCHEMA_NS_URI;
    private static final String WSDL = "http://schemas.xmlsoap.org/wsdl/";
    private static final String HOLDER = "urn:creo:operations";

    /** What restricts values: descriptions do not hold it, so drawn values break it. A union of simple types ({@code cvc-datatype-valid.1.2.3}) is a text there. */
    private static final Set<String> FACETS = Set.of("cvc-pattern-valid", "cvc-length-valid", "cvc-minLength-valid", "cvc-maxLength-valid", "cvc-minInclusive-valid",
        "cvc-maxInclusive-valid", "cvc-minExclusive-valid", "cvc-maxExclusive-valid", "cvc-totalDigits-valid", "cvc-fractionDigits-valid", "cvc-enumeration-valid",
        "cvc-complex-type.2.4.c", "cvc-complex-type.2.4.e", "cvc-complex-type.2.4.f", "cvc-id.1", "cvc-id.2", "cvc-id.3", "cvc-attribute.4", "cvc-au", "cvc-elt.5.2.2.2.2", "cvc-complex-type.3.1", "cvc-complex-type.3.2.2-strict",
        "cvc-identity-constraint.4.1", "cvc-identity-constraint.4.2.2", "cvc-identity-constraint.4.3",
        "cvc-datatype-valid.1.2.3");

    /** Errors that the processor reports in addition to others. */
    private static final Set<String> FOLLOWING = Set.of("cvc-attribute.3", "cvc-type.3.1.3", "cvc-complex-type.2.2", "cvc-datatype-valid.1.2.2");

    private static final String XML_ATTRIBUTES = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='http://www.w3.org/XML/1998/namespace'>"
        + "<xs:attribute name='lang' type='xs:language'/><xs:attribute name='space' type='xs:NCName'/><xs:attribute name='base' type='xs:anyURI'/>"
        + "<xs:attribute name='id' type='xs:ID'/><xs:attributeGroup name='specialAttrs'><xs:attribute ref='xml:base'/><xs:attribute ref='xml:lang'/>"
        + "<xs:attribute ref='xml:space'/></xs:attributeGroup></xs:schema>";

    private final Map<String, Path> catalogue = new LinkedHashMap<>();
    private final DocumentBuilder builder;
    private final DOMImplementationLS inputs;
    private String loaded;
    private String trouble;
    private Schema schema;
    private Set<String> elements = new LinkedHashSet<>();
    /** Inline schemas by namespace, as texts, and the file that each is from. */
    private final Map<String, List<String>> inline = new LinkedHashMap<>();
    private final Map<String, String> bases = new LinkedHashMap<>();

    private SchemaCheck(String[] folders) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
        builder = factory.newDocumentBuilder();
        builder.setErrorHandler(null);
        inputs = (DOMImplementationLS) DOMImplementationRegistry.newInstance().getDOMImplementation("LS");
        for (String folder : folders) {
            try (var files = Files.list(Path.of(folder))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".xsd")).sorted().toList()) {
                    catalogue.put(builder.parse(file.toFile()).getDocumentElement().getAttribute("targetNamespace"), file);
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("jdk.xml.maxOccurLimit", "100000");
        SchemaCheck check = new SchemaCheck(arguments);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] parts = line.split("\t");
            String answer;
            try {
                answer = check.answer(parts[0], HexFormat.of().parseHex(parts[1]));
            } catch (SAXException e) {
                answer = "invalid " + e.getMessage();
            }
            System.out.println(answer.replaceAll("\\s+", " "));
            System.out.flush();
        }
    }

    private String answer(String wsdl, byte[] bytes) throws Exception {
        if (!wsdl.equals(loaded)) {
            load(wsdl);
        }
        if (trouble != null) {
            return "none " + trouble;
        }
        Element root = builder.parse(new ByteArrayInputStream(bytes)).getDocumentElement();
        List<Element> messages = HOLDER.equals(root.getNamespaceURI()) ? children(root) : List.of(root);
        Set<String> codes = new TreeSet<>();
        for (Element message : messages) {
            if (!elements.contains(name(message))) {
                return "none no schema declares the element " + name(message);
            }
            List<SAXParseException> errors = new ArrayList<>();
            Validator validator = schema.newValidator();
            validator.setErrorHandler(collector(errors));
            validator.setResourceResolver((type, uri, publicId, systemId, base) -> text(null, "<xs:schema xmlns:xs='" + XSD + "'/>"));
            // Parsed separately: errors then have lines, and the holder's declarations stay in scope.
            validator.validate(new StreamSource(new StringReader(written(message))));
            boolean facet = false;
            String other = null;
            for (SAXParseException error : errors) {
                String code = error.getMessage().split(":")[0];
                boolean follows = FOLLOWING.contains(code) && facet;
                if (FACETS.contains(code)) {
                    facet = true;
                    codes.add(code);
                } else if (!follows && other == null) {
                    other = error.getMessage();
                }
            }
            if (other != null) {
                return "invalid " + other;
            }
        }
        return codes.isEmpty() ? "valid" : "facet " + String.join(" ", codes);
    }

    private static ErrorHandler collector(List<SAXParseException> errors) {
        return new ErrorHandler() {
            @Override
            public void warning(SAXParseException e) {
                // Warnings are not errors of a message.
            }

            @Override
            public void error(SAXParseException e) {
                errors.add(e);
            }

            @Override
            public void fatalError(SAXParseException e) throws SAXException {
                throw e;
            }
        };
    }

    /** The schemas of a WSDL, and of those that it imports. */
    private void load(String wsdl) throws Exception {
        loaded = wsdl;
        trouble = null;
        inline.clear();
        bases.clear();
        elements = new LinkedHashSet<>();
        try {
            collect(Path.of(wsdl), new LinkedHashSet<>());
            SchemaFactory factory = SchemaFactory.newInstance(XSD);
            factory.setFeature("http://apache.org/xml/features/honour-all-schemaLocations", true);
            List<SAXParseException> errors = new ArrayList<>();
            factory.setErrorHandler(collector(errors));
            factory.setResourceResolver((type, uri, publicId, systemId, base) -> resolve(uri, systemId, base));
            StringBuilder driver = new StringBuilder("<xs:schema xmlns:xs='" + XSD + "' targetNamespace='" + HOLDER + "'>");
            for (String uri : inline.keySet()) {
                driver.append("<xs:import").append(uri.isEmpty() ? "" : " namespace='" + escape(uri) + "'").append(" schemaLocation='urn:creo-inline:" + escape(uri) + "'/>");
            }
            schema = factory.newSchema(new Source[] {new StreamSource(new StringReader(driver + "</xs:schema>"), "creo-driver:")});
            if (!errors.isEmpty()) {
                trouble = "the schemas are refused: " + errors.get(0).getMessage();
            }
        } catch (SAXException | IOException e) {
            trouble = "the schemas are refused: " + e.getMessage();
        }
    }

    private void collect(Path file, Set<Path> seen) throws Exception {
        if (!seen.add(file.normalize())) {
            return;
        }
        Element root = builder.parse(file.toFile()).getDocumentElement();
        if (root.getNamespaceURI().equals(XSD)) {
            globals(root, root.getAttribute("targetNamespace"));
        }
        for (Element child : children(root)) {
            if (child.getNamespaceURI().equals(WSDL) && child.getLocalName().equals("import")) {
                Path other = near(file, child.getAttribute("location"));
                if (other != null) {
                    collect(other, seen);
                }
            } else if (child.getNamespaceURI().equals(WSDL) && child.getLocalName().equals("types")) {
                for (Element schema : children(child)) {
                    if (schema.getNamespaceURI().equals(XSD) && schema.getLocalName().equals("schema")) {
                        String uri = schema.getAttribute("targetNamespace");
                        inline.computeIfAbsent(uri, key -> new ArrayList<>()).add(written(schema));
                        bases.put(uri, file.toUri().toString());
                        globals(schema, uri);
                        schemas(schema, file, seen);
                    }
                }
            }
        }
        if (root.getNamespaceURI().equals(XSD)) {
            schemas(root, file, seen);
            if (inline.isEmpty()) {
                inline.computeIfAbsent(root.getAttribute("targetNamespace"), key -> new ArrayList<>()).add(written(root));
                bases.put(root.getAttribute("targetNamespace"), file.toUri().toString());
            }
        }
    }

    /** The elements of the schemas that a schema imports and includes. */
    private void schemas(Element schema, Path file, Set<Path> seen) throws Exception {
        for (Element child : children(schema)) {
            if (child.getNamespaceURI().equals(XSD) && Set.of("import", "include", "redefine").contains(child.getLocalName())) {
                Path other = near(file, child.getAttribute("schemaLocation"));
                if (other == null) {
                    other = catalogue.get(child.getAttribute("namespace"));
                }
                if (other != null) {
                    collect(other, seen);
                }
            }
        }
    }

    private void globals(Element schema, String uri) {
        for (Element child : children(schema)) {
            if (child.getNamespaceURI().equals(XSD) && child.getLocalName().equals("element")) {
                elements.add("{" + uri + "}" + child.getAttribute("name"));
            }
        }
    }

    /** A schema for an import or include: inline ones by their namespace, files beside the WSDL, then the catalogue; never a network. */
    private LSInput resolve(String uri, String systemId, String base) {
        String space = uri == null ? "" : uri;
        if (systemId != null && systemId.startsWith("creo-part:")) {
            String[] parts = systemId.substring(10).split(":", 2);
            return text(bases.get(parts[1]), inline.get(parts[1]).get(Integer.parseInt(parts[0])));
        }
        boolean own = systemId == null || systemId.isEmpty() || systemId.startsWith("urn:creo-inline:");
        if (!own && base != null && base.startsWith("file:")) {
            Path file = near(Path.of(java.net.URI.create(base.split("#")[0])), systemId);
            // A WSDL as the place of a schema means those within it.
            if (file != null && !file.toString().endsWith(".wsdl")) {
                return file(file);
            }
        }
        List<String> texts = inline.get(space);
        if (texts != null && texts.size() == 1) {
            return text(bases.get(space), texts.get(0));
        }
        if (texts != null) {
            StringBuilder all = new StringBuilder("<xs:schema xmlns:xs='" + XSD + "'" + (space.isEmpty() ? "" : " targetNamespace='" + escape(space) + "'") + ">");
            for (int i = 0; i < texts.size(); i++) {
                all.append("<xs:include schemaLocation='creo-part:" + i + ":" + escape(space) + "'/>");
            }
            return text(bases.get(space), all + "</xs:schema>");
        }
        if (catalogue.containsKey(space)) {
            return file(catalogue.get(space));
        }
        if (space.equals(XMLConstants.XML_NS_URI)) {
            return text(null, XML_ATTRIBUTES);
        }
        return text(null, "<xs:schema xmlns:xs='" + XSD + "'" + (space.isEmpty() ? "" : " targetNamespace='" + escape(space) + "'") + "/>");
    }

    private LSInput file(Path file) {
        try {
            LSInput input = inputs.createLSInput();
            input.setByteStream(new ByteArrayInputStream(Files.readAllBytes(file)));
            input.setSystemId(file.toUri().toString());
            return input;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private LSInput text(String base, String text) {
        LSInput input = inputs.createLSInput();
        input.setCharacterStream(new StringReader(text));
        // Each part has a different address: a processor reads no address twice.
        input.setSystemId((base == null ? "file:///" : base) + "#" + Integer.toHexString(text.hashCode()));
        return input;
    }

    private static Path near(Path file, String location) {
        if (location == null || location.isEmpty()) {
            return null;
        }
        try {
            Path found = file.toAbsolutePath().resolveSibling(location).normalize();
            return Files.isRegularFile(found) ? found : null;
        } catch (java.nio.file.InvalidPathException e) {
            return null;
        }
    }

    private static String name(Element element) {
        return "{" + (element.getNamespaceURI() == null ? "" : element.getNamespaceURI()) + "}" + element.getLocalName();
    }

    private static List<Element> children(Element element) {
        List<Element> found = new ArrayList<>();
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element child) {
                found.add(child);
            }
        }
        return found;
    }

    /** An element as a document, with the declarations that were in scope. */
    private static String written(Element element) throws Exception {
        Element copy = (Element) element.cloneNode(true);
        for (Node outer = element.getParentNode(); outer instanceof Element; outer = outer.getParentNode()) {
            NamedNodeMap attributes = outer.getAttributes();
            for (int i = 0; i < attributes.getLength(); i++) {
                Node attribute = attributes.item(i);
                boolean declares = XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI());
                if (declares && !copy.hasAttribute(attribute.getNodeName())) {
                    copy.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, attribute.getNodeName(), attribute.getNodeValue());
                }
            }
        }
        Transformer transformer = TransformerFactory.newInstance().newTransformer();
        transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
        StringWriter out = new StringWriter();
        transformer.transform(new DOMSource(copy), new StreamResult(out));
        return out.toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&apos;").replace("\"", "&quot;");
    }
}
