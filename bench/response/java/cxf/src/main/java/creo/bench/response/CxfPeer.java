package creo.bench.response;

import creo.bench.gen.cxf.Block;
import creo.bench.gen.cxf.Response;
import jakarta.jws.WebService;
import jakarta.xml.ws.Endpoint;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.apache.cxf.frontend.ClientProxy;
import org.apache.cxf.jaxws.JaxWsProxyFactoryBean;
import org.apache.cxf.staxutils.StaxUtils;
import org.apache.cxf.transport.http.HTTPConduit;

/** SOAP by Apache CXF: classes by its compiler from Creo's WSDL, its Jetty as server, its client; coarse data is base64, as in the paper. */
public final class CxfPeer implements Peer {
    static {
        // Its guards against large documents would refuse the larger requests.
        System.setProperty(StaxUtils.MAX_CHILD_ELEMENTS, Integer.toString(Integer.MAX_VALUE));
        System.setProperty(StaxUtils.MAX_XML_CHARACTERS, Long.toString(Long.MAX_VALUE));
        System.setProperty(StaxUtils.MAX_TEXT_LENGTH, Integer.toString(Integer.MAX_VALUE));
        System.setProperty(StaxUtils.MAX_ELEMENT_COUNT, Long.toString(Long.MAX_VALUE));
    }

    /** The service. */
    @WebService(serviceName = "Response", targetNamespace = "urn:creo:bench.response", endpointInterface = "creo.bench.gen.cxf.Response")
    public static final class Service implements Response {
        @Override
        public int putNumbers(List<Block> blocks) {
            return Received.numbers(blocks.size(), i -> blocks.get(i).getD(), i -> blocks.get(i).getS());
        }

        @Override
        public int putStrings(List<String> items) {
            return Received.strings(items.size(), items::get);
        }

        @Override
        public int putBytes(byte[] data) {
            return Received.bytes(data);
        }
    }

    @Override
    public String serve() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        String url = "http://127.0.0.1:" + port + "/Response";
        Endpoint.publish(url, new Service());
        return url;
    }

    @Override
    public Client connect(String address) {
        JaxWsProxyFactoryBean factory = new JaxWsProxyFactoryBean();
        factory.setServiceClass(Response.class);
        factory.setAddress(address);
        Response port = (Response) factory.create();
        ((HTTPConduit) ClientProxy.getClient(port).getConduit()).getClient().setReceiveTimeout(0);
        return new Sender(port);
    }

    private record Sender(Response port) implements Client {
        @Override
        public Object prepare(Kind kind, int count) {
            return switch (kind) {
                case NUMBERS -> Data.list(count, Sender::block);
                case STRINGS -> Data.strings(count);
                case BYTES -> Data.bytes(count);
            };
        }

        private static Block block(int i) {
            Block block = new Block();
            block.setD(Data.d(i));
            block.setS(Data.s(i));
            return block;
        }

        @Override
        @SuppressWarnings("unchecked")
        public int call(Kind kind, Object request) {
            return switch (kind) {
                case NUMBERS -> port.putNumbers((List<Block>) request);
                case STRINGS -> port.putStrings((List<String>) request);
                case BYTES -> port.putBytes((byte[]) request);
            };
        }
    }
}
