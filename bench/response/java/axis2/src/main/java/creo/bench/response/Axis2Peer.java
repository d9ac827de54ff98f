package creo.bench.response;

import creo.bench.gen.axis2.ResponseMessageReceiverInOut;
import creo.bench.gen.axis2.ResponseSkeletonInterface;
import creo.bench.gen.axis2.ResponseStub;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Iterator;
import javax.activation.DataHandler;
import javax.activation.DataSource;
import org.apache.axis2.context.ConfigurationContext;
import org.apache.axis2.context.ConfigurationContextFactory;
import org.apache.axis2.description.AxisOperation;
import org.apache.axis2.description.AxisService;
import org.apache.axis2.description.Parameter;
import org.apache.axis2.description.WSDL11ToAxisServiceBuilder;
import org.apache.axis2.transport.http.SimpleHTTPServer;
import response.bench.creo.Block;
import response.bench.creo.PutBytes;
import response.bench.creo.PutBytesResponse;
import response.bench.creo.PutNumbers;
import response.bench.creo.PutNumbersResponse;
import response.bench.creo.PutStrings;
import response.bench.creo.PutStringsResponse;

/** SOAP by Apache Axis2: classes by its compiler (ADB) from Creo's WSDL, its own HTTP server, its stub; coarse data is base64, as in the paper. */
public final class Axis2Peer implements Peer {
    /** The service. */
    public static final class Service implements ResponseSkeletonInterface {
        @Override
        public PutNumbersResponse putNumbers(PutNumbers request) {
            Block[] blocks = request.getBlocks();
            PutNumbersResponse response = new PutNumbersResponse();
            response.setResult(Received.numbers(blocks.length, i -> blocks[i].getD(), i -> blocks[i].getS()));
            return response;
        }

        @Override
        public PutStringsResponse putStrings(PutStrings request) {
            String[] items = request.getItems();
            PutStringsResponse response = new PutStringsResponse();
            response.setResult(Received.strings(items.length, i -> items[i]));
            return response;
        }

        @Override
        public PutBytesResponse putBytes(PutBytes request) {
            ByteArrayOutputStream data = new ByteArrayOutputStream();
            try {
                request.getData().writeTo(data);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            PutBytesResponse response = new PutBytesResponse();
            response.setResult(Received.bytes(data.toByteArray()));
            return response;
        }
    }

    @Override
    public String serve() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        ConfigurationContext context = ConfigurationContextFactory.createConfigurationContextFromFileSystem(null, null);
        AxisService service;
        try (InputStream wsdl = new FileInputStream(System.getProperty("bench.wsdl"))) {
            service = new WSDL11ToAxisServiceBuilder(wsdl).populateService();
        }
        service.addParameter(new Parameter("ServiceClass", Service.class.getName()));
        service.setClassLoader(Service.class.getClassLoader());
        for (Iterator<AxisOperation> operations = service.getOperations(); operations.hasNext();) {
            operations.next().setMessageReceiver(new ResponseMessageReceiverInOut());
        }
        context.getAxisConfiguration().addService(service);
        new SimpleHTTPServer(context, port).start();
        return "http://127.0.0.1:" + port + "/axis2/services/" + service.getName();
    }

    @Override
    public Client connect(String address) throws Exception {
        ResponseStub stub = new ResponseStub(address);
        stub._getServiceClient().getOptions().setTimeOutInMilliSeconds(600_000);
        return new Sender(stub);
    }

    /** Bytes as its generated code takes them. */
    private record Octets(byte[] bytes) implements DataSource {
        @Override
        public InputStream getInputStream() {
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public OutputStream getOutputStream() {
            throw new UnsupportedOperationException("it is read only");
        }

        @Override
        public String getContentType() {
            return "application/octet-stream";
        }

        @Override
        public String getName() {
            return "data";
        }
    }

    private record Sender(ResponseStub stub) implements Client {
        @Override
        public Object prepare(Kind kind, int count) {
            switch (kind) {
                case NUMBERS -> {
                    PutNumbers request = new PutNumbers();
                    request.setBlocks(Data.list(count, Sender::block).toArray(new Block[0]));
                    return request;
                }
                case STRINGS -> {
                    PutStrings request = new PutStrings();
                    request.setItems(Data.strings(count).toArray(new String[0]));
                    return request;
                }
                default -> {
                    PutBytes request = new PutBytes();
                    request.setData(new DataHandler(new Octets(Data.bytes(count))));
                    return request;
                }
            }
        }

        private static Block block(int i) {
            Block block = new Block();
            block.setD(Data.d(i));
            block.setS(Data.s(i));
            return block;
        }

        @Override
        public int call(Kind kind, Object request) throws Exception {
            return switch (kind) {
                case NUMBERS -> stub.putNumbers((PutNumbers) request).getResult();
                case STRINGS -> stub.putStrings((PutStrings) request).getResult();
                case BYTES -> stub.putBytes((PutBytes) request).getResult();
            };
        }
    }
}
