package creo.conformance;

/** The conformance peer of Java: {@code codec}, {@code client HOST PORT VECTORS}, {@code service} and others. */
public final class Peer {
    private Peer() {}

    public static void main(String[] arguments) throws Exception {
        String mode = arguments.length == 0 ? "" : arguments[0];
        switch (mode) {
            case "tdxml-update" -> UpdatePeer.run();
            case "writer" -> WriterPeer.run();
            case "probe" -> ProbePeer.run();
            case "retries" -> RetriesPeer.run();
            case "streams" -> StreamsPeer.run();
            case "client" -> ClientPeer.run(arguments[1], Integer.parseInt(arguments[2]), arguments[3]);
            case "client-soap" -> HttpPeer.soap(arguments[1], arguments[2]);
            case "client-soap-tls" -> HttpPeer.tls(arguments[1], arguments[2], arguments[3], arguments[4]);
            case "client-json" -> HttpPeer.json(arguments[1], arguments[2]);
            case "client-tables" -> HttpPeer.tables(arguments[1], arguments[2]);
            case "client-tdxml" -> HttpPeer.tdxml(arguments[1], arguments[2]);
            case "client-tdxml-tcp" -> ClientPeer.tables(arguments[1], Integer.parseInt(arguments[2]), arguments[3]);
            case "tls" -> TlsPeer.run(arguments[1], Integer.parseInt(arguments[2]), arguments[3], arguments[4], Integer.parseInt(arguments[5]));
            case "service" -> ServicePeer.run(arguments.length > 1 ? arguments[1] : null);
            default -> {
                if (CodecPeer.wire(mode) != null) {
                    CodecPeer.run(CodecPeer.wire(mode));
                    return;
                }
                System.err.println("arguments: codec | soap | json | tdxml | tdxml-aggregated | tdxml-schema | tdxml-update | writer | probe | retries | streams | client HOST PORT VECTORS"
                    + " | client-tdxml-tcp HOST PORT VECTORS | client-soap URL VECTORS | client-json URL VECTORS | client-tables URL VECTORS | client-tdxml URL VECTORS"
                    + " | client-soap-tls URL VECTORS CERTIFICATES PLAIN_URL | tls HOST PORT VECTORS CERTIFICATES PLAIN_PORT | service [KEYS]");
                System.exit(2);
            }
        }
    }
}
