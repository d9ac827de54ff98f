package partner;

import creo.jms.broker.EmbeddedBroker;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.cxf.binding.soap.Soap11;
import org.apache.cxf.binding.soap.Soap12;
import org.apache.cxf.binding.soap.SoapBindingConfiguration;
import org.apache.cxf.jaxws.JaxWsServerFactoryBean;
import org.apache.cxf.transport.common.gzip.GZIPFeature;
import org.apache.cxf.transport.jms.ConnectionFactoryFeature;

/** CXF serves the partner's service over JMS: queues {@code orders11}, {@code orders12} and {@code ordersmtom}. Writes the port of its broker, and ends when its standard input does. */
public final class JmsPartner {
    private static final String SOAP_OVER_JMS = "http://www.w3.org/2010/soapjms/";

    private JmsPartner() {}

    public static void main(String[] args) throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
            serve(broker, "orders11", false, false);
            serve(broker, "orders12", true, false);
            serve(broker, "ordersmtom", false, true);
            System.out.println("{\"address\": \"" + broker.port() + "\"}");
            System.out.flush();
            while (System.in.read() >= 0) {
                // Nothing is said to a service that runs.
            }
        }
        System.exit(0);
    }

    private static void serve(EmbeddedBroker broker, String queue, boolean soap12, boolean mtom) {
        JaxWsServerFactoryBean factory = new JaxWsServerFactoryBean();
        factory.setServiceBean(new Orders());
        factory.setTransportId(SOAP_OVER_JMS);
        factory.setAddress("jms:queue:" + queue);
        SoapBindingConfiguration binding = new SoapBindingConfiguration();
        binding.setVersion(soap12 ? Soap12.getInstance() : Soap11.getInstance());
        binding.setTransportURI(SOAP_OVER_JMS);
        binding.setMtomEnabled(mtom);
        factory.setBindingConfig(binding);
        factory.getFeatures().add(new ConnectionFactoryFeature(new ActiveMQConnectionFactory("tcp://127.0.0.1:" + broker.port())));
        // Without it, CXF takes what is compressed for XML.
        factory.getFeatures().add(new GZIPFeature());
        factory.create();
    }
}
