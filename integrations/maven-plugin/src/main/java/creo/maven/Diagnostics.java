package creo.maven;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import org.apache.maven.plugin.logging.Log;

/** Shows what creo says in the form of Maven's own compiler, {@code file:[line,column] message}, by which editors find the place. */
final class Diagnostics {
    private final Log log;
    private int errors;
    private int warnings;
    private String lastError;

    Diagnostics(Log log) {
        this.log = log;
    }

    /** Takes a line of the program's output: a diagnostic as JSON, or a line for people. */
    void line(String line) {
        JsonObject object = object(line);
        if (object == null) {
            if (!line.isBlank()) {
                log.info("creo: " + line);
            }
            return;
        }
        String text = text(object);
        if (text(object, "severity").equals("warning")) {
            warnings++;
            log.warn(text);
        } else {
            errors++;
            lastError = text;
            log.error(text);
        }
    }

    private static JsonObject object(String line) {
        if (!line.startsWith("{")) {
            return null;
        }
        try {
            JsonElement element = JsonParser.parseString(line);
            return element.isJsonObject() && element.getAsJsonObject().has("message") ? element.getAsJsonObject() : null;
        } catch (JsonParseException e) {
            return null;
        }
    }

    private static String text(JsonObject object) {
        StringBuilder text = new StringBuilder();
        if (object.has("file") && object.has("line")) {
            text.append(text(object, "file")).append(":[").append(text(object, "line")).append(',').append(text(object, "column")).append("] ");
        }
        text.append(text(object, "message"));
        if (object.has("code")) {
            text.append(" (").append(text(object, "code")).append(')');
        }
        if (object.has("help")) {
            text.append("; ").append(text(object, "help"));
        }
        return text.toString();
    }

    private static String text(JsonObject object, String name) {
        JsonElement element = object.get(name);
        return element != null && element.isJsonPrimitive() ? element.getAsString() : "";
    }

    /** The last error, or null. */
    String lastError() {
        return lastError;
    }

    /** How many there were, in words. */
    String counted() {
        String found = errors + (errors == 1 ? " error" : " errors");
        return warnings == 0 ? found : found + " and " + warnings + (warnings == 1 ? " warning" : " warnings");
    }
}
