package creo.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files that decide what is generated: descriptions, WSDLs, and what these import. Rather too many than too few. */
final class Inputs {
    private static final Pattern IMPORT = Pattern.compile("\\bimport\\s*\"([^\"\\\\\\n]+\\.creo)\"");

    private Inputs() {}

    /**
     * @param descriptions with what they import, and so on
     * @param wsdls with all WSDLs and schemas in their folders
     * @param included files and folders that WSDLs may import
     */
    static SortedSet<Path> of(Collection<Path> descriptions, Collection<Path> wsdls, Collection<Path> included) throws IOException {
        SortedSet<Path> all = new TreeSet<>(wsdls);
        Deque<Path> open = new ArrayDeque<>(descriptions);
        while (!open.isEmpty()) {
            Path next = open.pop();
            if (Files.isRegularFile(next) && all.add(next)) {
                open.addAll(imports(next));
            }
        }
        for (Path wsdl : wsdls) {
            addSchemas(wsdl.getParent(), all);
        }
        for (Path each : included) {
            if (Files.isDirectory(each)) {
                addSchemas(each, all);
            } else if (Files.isRegularFile(each)) {
                all.add(each);
            }
        }
        return all;
    }

    private static List<Path> imports(Path description) throws IOException {
        Matcher found = IMPORT.matcher(GenerateMojo.text(description));
        return found.results().map(each -> resolved(description, each.group(1))).filter(each -> each != null).toList();
    }

    private static Path resolved(Path description, String name) {
        try {
            return description.resolveSibling(name).normalize();
        } catch (InvalidPathException e) {
            // creo says what is wrong with it.
            return null;
        }
    }

    private static void addSchemas(Path folder, SortedSet<Path> to) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(file -> file.toString().endsWith(".wsdl") || file.toString().endsWith(".xsd")).filter(Files::isRegularFile).forEach(to::add);
        }
    }
}
