import creo.runtime.Server;
import java.util.Arrays;
import org.example.lab.Lab2Endpoint;
import org.example.lab.Sample;

/** The service of twin.creo, whose package is that of lab.creo. It ends with its standard input. */
final class Twin {
    public static void main(String[] args) throws Exception {
        Server server = Server.builder()
                .bind("127.0.0.1", 0)
                .add(Lab2Endpoint.of(sample -> new Sample(Arrays.stream(sample.values()).map(value -> 2 * value).toArray())))
                .start();
        System.out.println(server.port());
        while (System.in.read() >= 0) {}
        server.close();
    }
}
