package creo.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The lists of what creo has generated into a folder. Descriptions that are generated together have one list; when a description is added or
 * removed they have another, and creo leaves what the old one names alone.
 */
final class Manifests {
    private static final String PREFIX = ".creo-manifest-";
    private static final int MAX_LABEL = 100;
    private static final Pattern ENTRY = Pattern.compile("([0-9a-f]{64})  (.+)");

    private Manifests() {}

    /** The name of the list of descriptions that are generated together; null where creo shortens it. */
    static String name(Collection<Path> descriptions) {
        TreeSet<String> stems = new TreeSet<>();
        descriptions.forEach(each -> stems.add(each.getFileName().toString().replaceFirst("\\.creo$", "").replaceAll("[^A-Za-z0-9._-]", "_")));
        String label = String.join("+", stems);
        return label.length() > MAX_LABEL ? null : PREFIX + label;
    }

    /** Removes the output of other sets of descriptions: files that are unchanged since, and that do not belong to this set. */
    static void removeOthers(Path folder, Collection<Path> descriptions) throws IOException {
        String own = name(descriptions);
        if (own == null || !Files.isRegularFile(folder.resolve(own))) {
            return;
        }
        Map<String, String> kept = entries(folder.resolve(own));
        List<Path> others;
        try (Stream<Path> files = Files.list(folder)) {
            others = files.filter(file -> file.getFileName().toString().startsWith(PREFIX) && !file.getFileName().toString().equals(own)).toList();
        }
        for (Path other : others) {
            for (Map.Entry<String, String> entry : entries(other).entrySet()) {
                Path file = folder.resolve(entry.getKey()).normalize();
                if (!kept.containsKey(entry.getKey()) && file.startsWith(folder) && Files.isRegularFile(file) && State.hash(file).equals(entry.getValue())) {
                    Files.delete(file);
                }
            }
            Files.delete(other);
        }
    }

    private static Map<String, String> entries(Path manifest) throws IOException {
        Map<String, String> entries = new LinkedHashMap<>();
        for (String line : GenerateMojo.text(manifest).split("\n")) {
            Matcher entry = ENTRY.matcher(line);
            if (entry.matches()) {
                entries.put(entry.group(2), entry.group(1));
            }
        }
        return entries;
    }
}
