import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.soap.SOAPFaultException;
import java.nio.file.Path;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.cxf.binding.soap.Soap11;
import org.apache.cxf.binding.soap.Soap12;
import org.apache.cxf.binding.soap.SoapBindingConfiguration;
import org.apache.cxf.jaxws.JaxWsProxyFactoryBean;
import org.apache.cxf.transport.jms.ConnectionFactoryFeature;
import org.apache.cxf.transport.jms.JMSConstants;
import org.apache.cxf.transport.jms.JMSMessageHeadersType;
import peer.Echo;

/** CXF's SOAP over JMS client calls the Java service: {@code JmsCaller PORT 1.1|1.2 byte|text CASES}, as {@link Caller} does over HTTP. */
public final class JmsCaller {
    private static final String SOAP_OVER_JMS = "http://www.w3.org/2010/soapjms/";

    private JmsCaller() {}

    public static void main(String[] args) throws Exception {
        Echo echo = port(args[0], args[1], args[2]);
        Caller caller = new Caller(echo);
        caller.all(Path.of(args[3]));
        caller.run("utf-8", () -> Caller.equal("\u00e4\u20ac\ud83d\ude00 & <\u4e2d>", echo.text("\u00e4\u20ac\ud83d\ude00 & <\u4e2d>")));
        caller.run("large", () -> Caller.equal("\u00e4".repeat(2_000_000), echo.text("\u00e4".repeat(2_000_000))));
        // What the binding refuses comes back as its fault, which CXF can read.
        JMSMessageHeadersType version = new JMSMessageHeadersType();
        version.setSOAPJMSBindingVersion("0.3");
        caller.run("fault-binding-version", () -> refused(echo, version, "unrecognizedBindingVersion", args[1]));
        caller.run("after-fault", () -> Caller.equal(42, echo.answer()));
        caller.finish();
    }

    private static Echo port(String port, String soap, String form) {
        JaxWsProxyFactoryBean factory = new JaxWsProxyFactoryBean();
        factory.setServiceClass(Echo.class);
        factory.setTransportId(SOAP_OVER_JMS);
        factory.setAddress("jms:queue:interop?messageType=" + form + "&receiveTimeout=30000");
        SoapBindingConfiguration binding = new SoapBindingConfiguration();
        binding.setVersion(soap.equals("1.2") ? Soap12.getInstance() : Soap11.getInstance());
        binding.setTransportURI(SOAP_OVER_JMS);
        factory.setBindingConfig(binding);
        factory.getFeatures().add(new ConnectionFactoryFeature(new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port)));
        return factory.create(Echo.class);
    }

    private static void refused(Echo echo, JMSMessageHeadersType headers, String code, String soap) {
        ((BindingProvider) echo).getRequestContext().put(JMSConstants.JMS_CLIENT_REQUEST_HEADERS, headers);
        try {
            throw new AssertionError("no fault, but " + echo.answer());
        } catch (SOAPFaultException e) {
            javax.xml.namespace.QName said = soap.equals("1.2") ? (javax.xml.namespace.QName) e.getFault().getFaultSubcodes().next() : e.getFault().getFaultCodeAsQName();
            Caller.equal(new javax.xml.namespace.QName(SOAP_OVER_JMS, code), said);
        } finally {
            ((BindingProvider) echo).getRequestContext().remove(JMSConstants.JMS_CLIENT_REQUEST_HEADERS);
        }
    }
}
