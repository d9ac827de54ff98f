import jakarta.xml.ws.soap.SOAPFaultException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.namespace.QName;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.cxf.binding.soap.Soap11;
import org.apache.cxf.binding.soap.Soap12;
import org.apache.cxf.binding.soap.SoapBindingConfiguration;
import org.apache.cxf.jaxws.JaxWsProxyFactoryBean;
import org.apache.cxf.transport.jms.ConnectionFactoryFeature;
import peer.Echo;

/**
 * CXF's SOAP over JMS client calls the Java service: {@code JmsCaller PORT 1.1|1.2 byte|text|WSDL CASES}, as {@link Caller} does over HTTP; the address and the
 * transport are those of the WSDL, if a file is given.
 */
public final class JmsCaller {
    private static final String SOAP_OVER_JMS = "http://www.w3.org/2010/soapjms/";

    private static final String NAMESPACE = "http://example.org/interop";

    private static final Altered SENT = new Altered();
    /** What makes a request wrong, by the fault that answers it. */
    private static final Map<String, Altered.Change> WRONG = new TreeMap<>(Map.of(
        "unrecognizedBindingVersion", Altered.property("SOAPJMS_bindingVersion", "0.3"),
        "missingRequestURI", Altered.property("SOAPJMS_requestURI", null),
        "malformedRequestURI", Altered.property("SOAPJMS_requestURI", "http://example.org/queue"),
        "targetServiceNotAllowedInRequestURI", Altered.property("SOAPJMS_requestURI", "jms:queue:interop?targetService=Echo"),
        "missingContentType", Altered.property("SOAPJMS_contentType", null),
        "contentTypeMismatch", Altered.property("SOAPJMS_contentType", "text/plain"),
        "contentEncodingNotSupported", Altered.property("SOAPJMS_contentEncoding", "deflate"),
        "mismatchedSoapAction", Altered.property("SOAPJMS_soapAction", "\"urn:other\""),
        "unsupportedJMSMessageFormat", Altered::map
    ));

    private JmsCaller() {}

    public static void main(String[] args) throws Exception {
        Echo echo = port(args[0], args[1], args[2]);
        Caller caller = new Caller(echo);
        caller.all(Path.of(args[3]));
        caller.run("utf-8", () -> Caller.equal("\u00e4\u20ac\ud83d\ude00 & <\u4e2d>", echo.text("\u00e4\u20ac\ud83d\ude00 & <\u4e2d>")));
        caller.run("large", () -> Caller.equal("\u00e4".repeat(2_000_000), echo.text("\u00e4".repeat(2_000_000))));
        // What the binding refuses comes back as its fault, which CXF can read.
        for (Map.Entry<String, Altered.Change> wrong : WRONG.entrySet()) {
            caller.run("fault-" + wrong.getKey(), () -> refused(echo, wrong.getKey(), wrong.getValue(), args[1]));
        }
        caller.run("after-fault", () -> Caller.equal(42, echo.answer()));
        caller.finish();
    }

    private static Echo port(String port, String soap, String form) {
        JaxWsProxyFactoryBean factory = new JaxWsProxyFactoryBean();
        factory.setServiceClass(Echo.class);
        factory.getFeatures().add(new ConnectionFactoryFeature(SENT.factory(new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port))));
        if (form.endsWith(".wsdl")) {
            factory.setWsdlURL(Path.of(form).toUri().toString());
            factory.setServiceName(new QName(NAMESPACE, "Echo"));
            factory.setEndpointName(new QName(NAMESPACE, soap.equals("1.2") ? "EchoSoap12Port" : "EchoSoap11Port"));
            return factory.create(Echo.class);
        }
        factory.setTransportId(SOAP_OVER_JMS);
        factory.setAddress("jms:queue:interop?messageType=" + form + "&receiveTimeout=30000");
        SoapBindingConfiguration binding = new SoapBindingConfiguration();
        binding.setVersion(soap.equals("1.2") ? Soap12.getInstance() : Soap11.getInstance());
        binding.setTransportURI(SOAP_OVER_JMS);
        factory.setBindingConfig(binding);
        return factory.create(Echo.class);
    }

    private static void refused(Echo echo, String fault, Altered.Change change, String soap) {
        SENT.change.set(change);
        try {
            throw new AssertionError("no fault, but " + echo.answer());
        } catch (SOAPFaultException e) {
            QName said = soap.equals("1.2") ? (QName) e.getFault().getFaultSubcodes().next() : e.getFault().getFaultCodeAsQName();
            Caller.equal(new QName(SOAP_OVER_JMS, fault), said);
            // It is the service's, and not what CXF itself says of an answer that it does not like.
            Caller.equal(true, e.getFault().hasDetail());
        } finally {
            SENT.change.set(null);
        }
    }
}
