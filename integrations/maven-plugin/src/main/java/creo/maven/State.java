package creo.maven;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** What was generated of what: as long as it is the same as at the last run, nothing has to run. */
final class State {
    private final String text;

    private State(String text) {
        this.text = text;
    }

    /** The state as it is now: options, the content of inputs, and which files of the output there are. */
    static State of(Collection<String> options, Collection<Path> inputs, Path output) throws IOException {
        StringBuilder text = new StringBuilder();
        options.forEach(each -> text.append("option ").append(each).append('\n'));
        for (Path input : inputs) {
            text.append("in ").append(hash(input)).append(' ').append(input).append('\n');
        }
        if (Files.isDirectory(output)) {
            List<Path> files;
            try (Stream<Path> all = Files.walk(output)) {
                files = all.filter(Files::isRegularFile).sorted().toList();
            }
            for (Path file : files) {
                text.append("out ").append(Files.size(file)).append(' ').append(Files.getLastModifiedTime(file)).append(' ').append(file).append('\n');
            }
        }
        return new State(text.toString());
    }

    /** The SHA-256 of a file's bytes. */
    static String hash(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-256", e);
        }
    }

    /** Whether it was this at the end of the last run. */
    boolean isStored(Path file) throws IOException {
        return Files.isRegularFile(file) && Arrays.equals(Files.readAllBytes(file), text.getBytes(StandardCharsets.UTF_8));
    }

    void store(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    }
}
