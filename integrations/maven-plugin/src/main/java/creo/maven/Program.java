package creo.maven;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The program {@code creo}. */
final class Program {
    /** The exit code that says that a description has mistakes. */
    static final int FINDINGS = 100;

    private final Path executable;
    private final Path folder;

    /** @param folder in which it runs */
    Program(Path executable, Path folder) {
        this.executable = executable;
        this.folder = folder;
    }

    /**
     * Runs it, and hands over each line of its output.
     *
     * @return its exit code
     */
    int run(List<String> arguments, Consumer<String> lines) throws IOException {
        List<String> command = new ArrayList<>(List.of(executable.toString(), "--error-format", "json"));
        command.addAll(arguments);
        return start(command, lines);
    }

    /** What it says of its version. */
    String version() throws IOException {
        StringBuilder text = new StringBuilder();
        start(List.of(executable.toString(), "--version"), line -> text.append(line).append('\n'));
        return text.toString().strip();
    }

    private int start(List<String> command, Consumer<String> lines) throws IOException {
        Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    lines.accept(line);
                }
            }
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroy();
        }
    }
}
