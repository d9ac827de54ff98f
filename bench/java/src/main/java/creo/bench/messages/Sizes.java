package creo.bench.messages;

import bench.messages.Calls;
import com.siemens.ct.exi.core.EXIFactory;
import com.siemens.ct.exi.core.helpers.DefaultEXIFactory;
import com.siemens.ct.exi.grammars.GrammarFactory;
import com.siemens.ct.exi.main.api.sax.EXIResult;
import com.sun.xml.fastinfoset.sax.SAXDocumentSerializer;
import creo.runtime.RequestForm;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import javax.xml.parsers.SAXParserFactory;
import org.xml.sax.InputSource;
import org.xml.sax.XMLReader;

/**
 * Prints the size of each message's request in each form, plain and gzipped, one JSON line each. EXI and Fast Infoset contain the soap wire's
 * envelope; {@code exi-schema} uses the message's schema from the given file.
 */
public final class Sizes {
    private Sizes() {}

    public static void main(String[] args) throws Exception {
        String schema = Path.of(args[0]).toUri().toString();
        for (String message : List.of("short", "simple", "medium", "complex", "jpeg")) {
            for (Map.Entry<String, byte[]> form : forms(message, schema).entrySet()) {
                System.out.printf("{\"message\":\"%s\",\"form\":\"%s\",\"bytes\":%d,\"gzip\":%d}%n", message, form.getKey(), form.getValue().length,
                    gzip(form.getValue()).length);
            }
        }
    }

    private static Map<String, byte[]> forms(String message, String schema) throws Exception {
        Object value = CreoPeer.message(message);
        Map<String, byte[]> forms = new LinkedHashMap<>();
        byte[] soap = Calls.write(RequestForm.SOAP, value);
        forms.put("soap", soap);
        forms.put("soap-mtom", Calls.writePackage(RequestForm.SOAP, value));
        forms.put("tdxml-aggregated-in-soap", Calls.write(RequestForm.SOAP_AGGREGATED, value));
        forms.put("tdxml-record-in-soap", Calls.write(RequestForm.SOAP_RECORD, value));
        forms.put("tdxml-record-in-soap-mime", Calls.writePackage(RequestForm.SOAP_RECORD, value));
        forms.put("tdxml-record", Calls.write(RequestForm.TDXML, value));
        forms.put("tdxml-record-mime", Calls.writePackage(RequestForm.TDXML, value));
        forms.put("json", Calls.write(RequestForm.JSON, value));
        forms.put("binary", Calls.write(RequestForm.BINARY, value));
        forms.put("exi", exi(soap, null));
        forms.put("exi-schema", exi(soap, schema));
        forms.put("fast-infoset", fastInfoset(soap));
        return forms;
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    private static XMLReader parser() throws Exception {
        SAXParserFactory factory = SAXParserFactory.newDefaultInstance();
        factory.setNamespaceAware(true);
        return factory.newSAXParser().getXMLReader();
    }

    /** At its defaults: bit-packed, nothing kept that a service does not look at. */
    private static byte[] exi(byte[] xml, String schema) throws Exception {
        EXIFactory factory = DefaultEXIFactory.newInstance();
        if (schema != null) {
            factory.setGrammars(GrammarFactory.newInstance().createGrammars(schema));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        EXIResult result = new EXIResult(factory);
        result.setOutputStream(out);
        XMLReader reader = parser();
        reader.setContentHandler(result.getHandler());
        reader.parse(new InputSource(new ByteArrayInputStream(xml)));
        return out.toByteArray();
    }

    private static byte[] fastInfoset(byte[] xml) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SAXDocumentSerializer serializer = new SAXDocumentSerializer();
        serializer.setOutputStream(out);
        XMLReader reader = parser();
        reader.setContentHandler(serializer);
        reader.setProperty("http://xml.org/sax/properties/lexical-handler", serializer);
        reader.parse(new InputSource(new ByteArrayInputStream(xml)));
        return out.toByteArray();
    }
}
