package creo.wss;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;

/** The module of C as a program, {@code runtimes/c/tests/wss/peer.c}, that works on one message after the other. */
final class CModule implements AutoCloseable {
    private static final Path RUNTIME = Path.of("..", "c");

    /** What became of a message: the bytes, or the code of an error with its text. */
    record Outcome(byte[] bytes, String error) {
        byte[] get() {
            if (error != null) {
                throw new AssertionError(error);
            }
            return bytes;
        }

        /** The error, without its code. */
        String reason() {
            if (error == null) {
                throw new AssertionError("the message was accepted");
            }
            return error.substring(error.indexOf(' ') + 1);
        }
    }

    final Path folder;
    private final Process process;
    private final OutputStream in;
    private final BufferedReader out;

    private CModule(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
        this.in = process.getOutputStream();
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts it; without libxml2 and libcrypto, says that the test did not run. */
    static CModule start() throws Exception {
        Path program = make("peer");
        Path folder = Files.createTempDirectory("creo-wss-c");
        KeyStore store = Certificates.store();
        for (String alias : Collections.list(store.aliases())) {
            X509Certificate certificate = Certificates.of(alias);
            pem(folder.resolve(alias + ".crt.pem"), "CERTIFICATE", certificate.getEncoded());
            Key key = Certificates.key(alias);
            pem(folder.resolve(alias + ".key.pem"), "PRIVATE KEY", key.getEncoded());
        }
        return new CModule(folder, new ProcessBuilder(program.toString(), folder.toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /** A program of the tests of C, made if its sources changed. */
    static Path make(String name) throws Exception {
        assumeTrue(run(List.of("pkg-config", "--exists", "libxml-2.0", "libcrypto >= 3")).isEmpty(), "not run: pkg-config does not find libxml2 and libcrypto 3");
        String said = run(List.of("make", "--no-print-directory", "-C", RUNTIME.toString(), "build/wss/" + name));
        if (!said.isEmpty()) {
            throw new IOException(said);
        }
        return RUNTIME.resolve("build/wss").resolve(name).toAbsolutePath();
    }

    /** Runs a command; returns what it wrote if it failed, and else nothing. */
    private static String run(List<String> command) throws Exception {
        Process made = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return made.waitFor() == 0 ? "" : command + ": " + said;
    }

    private static void pem(Path path, String kind, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.writeString(path, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    Outcome send(String options, byte[] envelope) throws IOException {
        return ask("send", options, envelope);
    }

    Outcome receive(String options, byte[] message) throws IOException {
        return ask("receive", options, message);
    }

    private synchronized Outcome ask(String command, String options, byte[] bytes) throws IOException {
        in.write((command + " " + options + " " + Base64.getEncoder().encodeToString(bytes) + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the program of C has ended");
        }
        return line.startsWith("ok ") ? new Outcome(Base64.getDecoder().decode(line.substring(3)), null) : new Outcome(null, line.substring("error ".length()));
    }

    /** Ends it; with a sanitizer, that tells of what was not released. */
    @Override
    public void close() throws IOException {
        in.close();
        try {
            int status = process.waitFor();
            if (status != 0) {
                throw new AssertionError("the program of C ended with " + status);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        } finally {
            List<Path> files = new ArrayList<>();
            try (var all = Files.list(folder)) {
                all.forEach(files::add);
            }
            for (Path file : files) {
                Files.delete(file);
            }
            Files.delete(folder);
        }
    }
}
