package creo.conformance;

/** The conformance peer of Java: {@code codec}, {@code client HOST PORT VECTORS} or {@code service}. */
public final class Peer {
    private Peer() {}

    public static void main(String[] arguments) throws Exception {
        String mode = arguments.length == 0 ? "" : arguments[0];
        switch (mode) {
            case "codec" -> CodecPeer.run();
            case "client" -> ClientPeer.run(arguments[1], Integer.parseInt(arguments[2]), arguments[3]);
            case "service" -> ServicePeer.run();
            default -> {
                System.err.println("arguments: codec | client HOST PORT VECTORS | service");
                System.exit(2);
            }
        }
    }
}
