package creo.build;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The program {@code creo}, as plugins of build tools run it. */
public final class Program {
    /** The exit code that says that a description has mistakes. */
    public static final int FINDINGS = 100;

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)\\b.*", Pattern.DOTALL);
    private static final String NAME = "creo ";

    private final String executable;
    private final File folder;

    /**
     * @param executable its path, or its name on the PATH
     * @param folder in which it runs
     */
    public Program(String executable, File folder) {
        this.executable = executable;
        this.folder = folder;
    }

    /**
     * Runs it, and hands over each line of its output: a diagnostic as JSON, or a line for people.
     *
     * @return its exit code
     */
    public int run(List<String> arguments, Consumer<String> lines) throws IOException {
        List<String> command = new ArrayList<>(Arrays.asList(executable, "--error-format", "json"));
        command.addAll(arguments);
        return start(command, lines);
    }

    /** What it says of its version. */
    public String version() throws IOException {
        StringBuilder text = new StringBuilder();
        start(Arrays.asList(executable, "--version"), line -> text.append(line).append('\n'));
        return text.toString().trim();
    }

    /** Whether what a program says of its version is {@code creo} of the wanted version, or of a later one. */
    public static boolean isNewEnough(String said, String wanted) {
        Matcher found = VERSION.matcher(said.startsWith(NAME) ? said.substring(NAME.length()) : "");
        Matcher least = VERSION.matcher(wanted);
        if (!found.matches() || !least.matches()) {
            return false;
        }
        for (int i = 1; i <= 3; i++) {
            int difference = Integer.compare(number(found.group(i)), number(least.group(i)));
            if (difference != 0) {
                return difference > 0;
            }
        }
        return true;
    }

    private static int number(String digits) {
        return digits.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }

    private int start(List<String> command, Consumer<String> lines) throws IOException {
        Process process = new ProcessBuilder(command).directory(folder).redirectErrorStream(true).start();
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
