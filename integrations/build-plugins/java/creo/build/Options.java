package creo.build;

import java.util.ArrayList;
import java.util.List;

/** Options of {@code creo generate}, from the settings of a build. */
public final class Options {
    private final List<String> words = new ArrayList<>();

    /** Adds an option, unless its value is null or blank: what a build does not set is left to the program. Spaces in a value, as in a list, do not count. */
    public Options add(String name, String value) {
        String text = value == null ? "" : value.replaceAll("\\s", "");
        if (!text.isEmpty()) {
            words.add(name);
            words.add(text);
        }
        return this;
    }

    /** The arguments. */
    public List<String> words() {
        return new ArrayList<>(words);
    }
}
