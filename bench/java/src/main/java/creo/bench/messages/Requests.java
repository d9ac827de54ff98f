package creo.bench.messages;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the envelope of each message to a file, for clients that send prepared bytes. */
public final class Requests {
    private Requests() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Files.createDirectories(folder);
        for (String message : List.of("short", "simple", "medium", "complex", "jpeg")) {
            Files.write(folder.resolve(message + ".xml"), TextPeers.create("creo", message).serialize());
        }
    }
}
