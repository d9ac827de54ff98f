package creo.gradle;

import groovy.json.JsonException;
import groovy.json.JsonSlurper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gradle.api.GradleException;
import org.gradle.api.logging.Logger;

/** The program {@code creo}. */
final class Program {
    /** The exit code that says that a description has mistakes. */
    private static final int FINDINGS = 100;
    private static final Pattern VERSION = Pattern.compile("creo (\\d{1,9})\\.(\\d{1,9})\\.(\\d{1,9})\\b.*", Pattern.DOTALL);

    private final String name;
    private final File directory;
    private final Logger log;

    Program(String name, File directory, Logger log) {
        this.name = name == null || name.trim().isEmpty() ? "creo" : name;
        this.directory = directory;
        this.log = log;
    }

    /** What it says of its version, or why it says nothing. */
    String version() {
        StringBuilder said = new StringBuilder();
        try {
            start(Arrays.asList(name, "--version"), line -> said.append(line).append('\n'));
        } catch (IOException e) {
            return "does not run: " + e.getMessage();
        }
        return said.toString().trim();
    }

    /** Fails unless its version is that of the plugin, or later. */
    void check(String wanted) {
        String said = version();
        if (!isNewEnough(said, wanted)) {
            String line = said.split("\n", 2)[0];
            throw new GradleException("the program " + name + " " + (line.startsWith("does not run") ? line : "says of its version: " + line)
                + "; creo " + wanted + " or later is wanted: install it, or say where it is by creo { executable = '/path/to/creo' }");
        }
    }

    private static boolean isNewEnough(String said, String wanted) {
        Matcher found = VERSION.matcher(said);
        Matcher least = VERSION.matcher("creo " + wanted);
        if (!found.matches()) {
            return false;
        }
        for (int i = 1; least.matches() && i <= 3; i++) {
            int difference = Integer.compare(Integer.parseInt(found.group(i)), Integer.parseInt(least.group(i)));
            if (difference != 0) {
                return difference > 0;
            }
        }
        return true;
    }

    /** Runs it, and shows what it says. */
    void run(List<String> arguments) {
        List<String> command = new ArrayList<>(Arrays.asList(name, "--error-format", "json"));
        command.addAll(arguments);
        int code;
        try {
            code = start(command, this::show);
        } catch (IOException e) {
            throw new GradleException("creo could not be run: " + e.getMessage(), e);
        }
        if (code == FINDINGS) {
            throw new GradleException("creo found mistakes, see above; what was generated before has stayed as it was");
        }
        if (code != 0) {
            throw new GradleException("creo ended with " + code + ", see above");
        }
    }

    /** A diagnostic in the form of compilers, {@code file:line:column: error: message [code]}, by which editors find the place. */
    private void show(String line) {
        Object parsed = null;
        try {
            parsed = line.startsWith("{") ? new JsonSlurper().parseText(line) : null;
        } catch (JsonException e) {
            log.debug("creo: no JSON", e);
        }
        if (!(parsed instanceof Map) || ((Map<?, ?>) parsed).get("message") == null) {
            log.lifecycle("creo: {}", line);
            return;
        }
        Map<?, ?> said = (Map<?, ?>) parsed;
        String place = said.get("line") == null ? "creo" : said.get("file") + ":" + said.get("line") + ":" + said.get("column");
        String text = place + ": " + said.get("severity") + ": " + said.get("message")
            + (said.get("code") == null ? "" : " [" + said.get("code") + "]")
            + (said.get("help") == null ? "" : " (" + said.get("help") + ")");
        if ("warning".equals(said.get("severity"))) {
            log.warn(text);
        } else {
            log.error(text);
        }
    }

    private int start(List<String> command, Consumer<String> lines) throws IOException {
        Process process = new ProcessBuilder(command).directory(directory).redirectErrorStream(true).start();
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
