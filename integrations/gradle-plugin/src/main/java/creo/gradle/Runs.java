package creo.gradle;

import creo.build.Program;
import groovy.json.JsonException;
import groovy.json.JsonSlurper;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.gradle.api.GradleException;
import org.gradle.api.logging.Logger;

/** Runs the program {@code creo}, and shows what it says as Gradle does. */
final class Runs {
    private final String name;
    private final Program program;
    private final Logger log;

    Runs(String name, File directory, Logger log) {
        this.name = name == null || name.trim().isEmpty() ? "creo" : name;
        this.program = new Program(this.name, directory);
        this.log = log;
    }

    /** What the program says of its version, or why it says nothing. */
    String version() {
        try {
            return program.version();
        } catch (IOException e) {
            return "does not run: " + e.getMessage();
        }
    }

    /** Fails unless the program's version is that of the plugin, or later. */
    void check(String wanted) {
        String said = version();
        if (!Program.isNewEnough(said, wanted)) {
            String line = said.split("\n", 2)[0];
            throw new GradleException("the program " + name + " " + (line.startsWith("does not run") ? line : "says of its version: " + line)
                + "; creo " + wanted + " or later is wanted: install it, or say where it is by creo { executable = '/path/to/creo' }");
        }
    }

    /** Runs the program, and shows what it says. */
    void run(List<String> arguments) {
        int code;
        try {
            code = program.run(arguments, this::show);
        } catch (IOException e) {
            throw new GradleException("creo could not be run: " + e.getMessage(), e);
        }
        if (code == Program.FINDINGS) {
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
}
