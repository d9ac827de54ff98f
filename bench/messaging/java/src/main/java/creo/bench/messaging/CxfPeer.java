package creo.bench.messaging;

import creo.bench.gen.cxf.Item;
import creo.bench.gen.cxf.ItemsResponse;
import creo.bench.gen.cxf.Messaging;
import jakarta.jws.WebService;
import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBException;
import jakarta.xml.bind.Marshaller;
import jakarta.xml.bind.Unmarshaller;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.cxf.binding.soap.Soap11;
import org.apache.cxf.binding.soap.SoapBindingConfiguration;
import org.apache.cxf.endpoint.AbstractEndpointFactory;
import org.apache.cxf.feature.AbstractFeature;
import org.apache.cxf.frontend.ClientProxy;
import org.apache.cxf.jaxws.JaxWsProxyFactoryBean;
import org.apache.cxf.jaxws.JaxWsServerFactoryBean;
import org.apache.cxf.staxutils.StaxUtils;
import org.apache.cxf.transport.common.gzip.GZIPFeature;
import org.apache.cxf.transport.http.HTTPConduit;
import org.apache.cxf.transport.jms.ConnectionFactoryFeature;

/** Apache CXF, with classes by its compiler from Creo's WSDL: on its Jetty over HTTP, and by SOAP over JMS with Artemis's client. */
final class CxfPeer implements Peer {
    private static final String SOAP_OVER_JMS = "http://www.w3.org/2010/soapjms/";
    private static final String ENVELOPE = "http://schemas.xmlsoap.org/soap/envelope/";

    static {
        // Its guards against large documents would refuse the larger messages.
        System.setProperty(StaxUtils.MAX_CHILD_ELEMENTS, Integer.toString(Integer.MAX_VALUE));
        System.setProperty(StaxUtils.MAX_XML_CHARACTERS, Long.toString(Long.MAX_VALUE));
        System.setProperty(StaxUtils.MAX_TEXT_LENGTH, Integer.toString(Integer.MAX_VALUE));
        System.setProperty(StaxUtils.MAX_ELEMENT_COUNT, Long.toString(Long.MAX_VALUE));
    }

    /** The service. */
    @WebService(serviceName = "Messaging", targetNamespace = "urn:creo:bench:messaging", endpointInterface = "creo.bench.gen.cxf.Messaging")
    public static final class Service implements Messaging {
        private final Times times;

        Service(Times times) {
            this.times = times;
        }

        @Override
        public List<Item> items(int count) {
            return Peer.generated(count, CxfPeer::item, times);
        }

        @Override
        public byte[] serialized(int count) {
            return Peer.serialized(count, times);
        }
    }

    private static Item item(int number) {
        Item item = new Item();
        item.setNumber(number);
        item.setStamp(Fields.stamp(number));
        item.setAmount(Fields.amount(number));
        item.setCode(Fields.code(number));
        item.setName(Fields.name(number));
        item.setNote(Fields.note(number));
        return item;
    }

    @Override
    public String serve(Way way, Times times) throws Exception {
        JaxWsServerFactoryBean factory = new JaxWsServerFactoryBean();
        factory.setServiceBean(new Service(times));
        String address = way.queue();
        if (!way.isJms()) {
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                address = "http://127.0.0.1:" + free.getLocalPort() + "/Messaging";
            }
        }
        set(factory, factory.getFeatures(), way, address);
        factory.create();
        return address;
    }

    /** Settings shared by service and client. */
    private static void set(AbstractEndpointFactory factory, List<? super AbstractFeature> features, Way way, String address) {
        factory.setAddress(address);
        if (way.isJms()) {
            factory.setTransportId(SOAP_OVER_JMS);
            SoapBindingConfiguration binding = new SoapBindingConfiguration();
            binding.setVersion(Soap11.getInstance());
            binding.setTransportURI(SOAP_OVER_JMS);
            factory.setBindingConfig(binding);
            features.add(new ConnectionFactoryFeature(new ActiveMQConnectionFactory("tcp://127.0.0.1:" + way.broker())));
        }
        if (way.isCompressed()) {
            GZIPFeature gzip = new GZIPFeature();
            if (way.isJms()) {
                // By being compressed itself, a request of a broker says that its answer may be.
                gzip.setForce(true);
                gzip.setThreshold(0);
            }
            features.add(gzip);
        }
    }

    @Override
    public Client connect(Way way, String address) {
        JaxWsProxyFactoryBean factory = new JaxWsProxyFactoryBean();
        factory.setServiceClass(Messaging.class);
        set(factory.getClientFactoryBean(), factory.getFeatures(), way, way.isJms() ? way.address() + "&receiveTimeout=60000" : address);
        Messaging port = (Messaging) factory.create();
        if (!way.isJms()) {
            ((HTTPConduit) ClientProxy.getClient(port).getConduit()).getClient().setReceiveTimeout(0);
        }
        return new Caller(port);
    }

    /** The client. */
    private record Caller(Messaging port) implements Client {
        @Override
        public List<?> items(int count) {
            return port.items(count);
        }

        @Override
        public byte[] serialized(int count) {
            return port.serialized(count);
        }

        @Override
        public void check(List<?> items) {
            for (int i = 0; i < items.size(); i++) {
                Item item = (Item) items.get(i);
                Fields.check(i, item.getNumber(), item.getStamp(), item.getAmount(), item.getCode(), item.getName(), item.getNote());
            }
        }
    }

    @Override
    public Peer.Codec codec(Way way) throws JAXBException {
        return way.isJms() || !way.form().equals("normal") ? null : new Alone();
    }

    /** Its binding, JAXB over the parser and the writer that it finds, within an envelope that is written and read by hand. */
    private static final class Alone implements Peer.Codec {
        private final Marshaller marshaller;
        private final Unmarshaller unmarshaller;

        Alone() throws JAXBException {
            JAXBContext context = JAXBContext.newInstance(ItemsResponse.class);
            marshaller = context.createMarshaller();
            marshaller.setProperty(Marshaller.JAXB_FRAGMENT, true);
            unmarshaller = context.createUnmarshaller();
        }

        @Override
        public Object make(int count) {
            ItemsResponse answer = new ItemsResponse();
            answer.getResult().addAll(Peer.make(count, CxfPeer::item));
            return answer;
        }

        @Override
        public byte[] write(Object items) throws Exception {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
            XMLStreamWriter w = StaxUtils.createXMLStreamWriter(bytes, "UTF-8");
            w.writeStartElement("soap", "Envelope", ENVELOPE);
            w.writeNamespace("soap", ENVELOPE);
            w.writeStartElement("soap", "Body", ENVELOPE);
            marshaller.marshal(items, w);
            w.writeEndElement();
            w.writeEndElement();
            w.close();
            return bytes.toByteArray();
        }

        @Override
        public Object read(byte[] bytes) throws Exception {
            XMLStreamReader r = StaxUtils.createXMLStreamReader(new ByteArrayInputStream(bytes), "UTF-8");
            r.nextTag();
            r.nextTag();
            r.nextTag();
            Object read = unmarshaller.unmarshal(r);
            r.close();
            return read;
        }
    }
}
