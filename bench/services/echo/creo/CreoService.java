import bench.echo.Echo;
import bench.echo.EchoEndpoint;
import creo.bench.echo.Running;
import creo.runtime.Server;

/** The service on Creo's server, at its defaults. Prints its addresses over HTTP and over TCP. */
public final class CreoService implements Echo {
    public static void main(String[] args) throws Exception {
        try (Server server = Server.builder().bind("127.0.0.1", 0).http("127.0.0.1", 0).add(EchoEndpoint.of(new CreoService())).start()) {
            Running.untilInputEnds("http://127.0.0.1:" + server.httpPort() + "/Echo", "127.0.0.1:" + server.port());
        }
    }

    @Override
    public String echo(String s) {
        return s;
    }
}
