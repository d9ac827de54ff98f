package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The runtime is a ladder of parts: {@code emit.txt} says which file belongs to which part and which parts a part needs, and no file names a class of another. */
class LayersTest {
    private static final Path LIST = Path.of("emit.txt");
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Pattern PART = Pattern.compile("\\[([a-z+]+)(?:: ([a-z+]+(?:, [a-z+]+)*))?]");
    private static final Pattern FILE = Pattern.compile("src/main/java/(\\S+)\\.java -> \\1\\.java");
    /** Comments, strings and characters; the rest of a source is code. */
    private static final Pattern NO_CODE = Pattern.compile("/\\*.*?\\*/|//[^\n]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'", Pattern.DOTALL);
    private static final Pattern PACKAGE = Pattern.compile("^package ([a-z.]+);", Pattern.MULTILINE);
    private static final Pattern WITHIN = Pattern.compile("\\b(creo\\.runtime(?:\\.[a-z]+)*)\\.[A-Z]");
    private static final Pattern NAME = Pattern.compile("(?<![\\w.])[A-Z]\\w*");

    /**
     * The list.
     *
     * @param needs the parts that each part may name, itself among them
     * @param partOf the part of each class
     */
    private record Ladder(Map<String, Set<String>> needs, Map<String, String> partOf) {
        static Ladder of(List<String> lines) {
            Ladder ladder = new Ladder(new LinkedHashMap<>(), new TreeMap<>());
            String part = null;
            for (String line : lines) {
                Matcher head = PART.matcher(line);
                Matcher file = FILE.matcher(line);
                if (head.matches()) {
                    part = head.group(1);
                    ladder.add(part, head.group(2) == null ? List.of() : List.of(head.group(2).split(", ")));
                } else if (file.matches()) {
                    String name = file.group(1).substring(file.group(1).lastIndexOf('/') + 1);
                    assertTrue(part != null && ladder.partOf.put(name, part) == null, line);
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    throw new AssertionError("not understood: " + line);
                }
            }
            return ladder;
        }

        /** A part needs parts before it, and what these need. */
        private void add(String part, List<String> below) {
            Set<String> all = new LinkedHashSet<>(Set.of(part));
            for (String each : below) {
                if (!needs.containsKey(each)) {
                    throw new IllegalArgumentException(part + " needs " + each + ", which is not before it");
                }
                all.addAll(needs.get(each));
            }
            assertTrue(needs.put(part, all) == null, part + " is there twice");
        }

        boolean allows(String from, String to) {
            return needs.get(partOf.get(from)).contains(partOf.get(to));
        }
    }

    private static String listed(String name) {
        return "src/main/java/creo/runtime/" + name + ".java -> creo/runtime/" + name + ".java";
    }

    private static List<String> lines() throws IOException {
        return Files.readAllLines(LIST);
    }

    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java") && !f.endsWith("module-info.java")).toList()) {
                String name = file.getFileName().toString();
                sources.put(name.substring(0, name.length() - 5), Files.readString(file));
            }
        }
        return sources;
    }

    /** The classes of the runtime that a source names in its code. */
    private static Set<String> named(String source, Set<String> classes) {
        Set<String> named = new TreeSet<>();
        Matcher m = NAME.matcher(NO_CODE.matcher(source).replaceAll(" "));
        while (m.find()) {
            if (classes.contains(m.group())) {
                named.add(m.group());
            }
        }
        return named;
    }

    /** Each use of a class of a part that is not below. */
    private static List<String> arrowsUpward(Ladder ladder, Map<String, String> sources) {
        List<String> found = new ArrayList<>();
        sources.forEach((name, source) -> {
            for (String other : named(source, sources.keySet())) {
                if (!ladder.allows(name, other)) {
                    found.add(ladder.partOf.get(name) + "/" + name + " -> " + ladder.partOf.get(other) + "/" + other);
                }
            }
        });
        return found;
    }

    @Test
    void eachFileBelongsToOnePart() throws IOException {
        assertEquals(sources().keySet(), Ladder.of(lines()).partOf.keySet());
    }

    @Test
    void noPartKnowsOneThatItDoesNotNeed() throws IOException {
        assertEquals(List.of(), arrowsUpward(Ladder.of(lines()), sources()));
    }

    /** The packages that each package names classes of. */
    private static Map<String, Set<String>> arrowsOfPackages() throws IOException {
        Map<String, Set<String>> arrows = new TreeMap<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java") && !f.endsWith("module-info.java")).toList()) {
                String source = Files.readString(file);
                Matcher own = PACKAGE.matcher(source);
                assertTrue(own.find(), file.toString());
                assertEquals(own.group(1).replace('.', '/'), SOURCES.relativize(file.getParent()).toString());
                Matcher in = WITHIN.matcher(NO_CODE.matcher(source).replaceAll(" "));
                while (in.find()) {
                    if (!in.group(1).equals(own.group(1))) {
                        arrows.computeIfAbsent(own.group(1), name -> new TreeSet<>()).add(in.group(1));
                    }
                }
            }
        }
        return arrows;
    }

    /** The packages that no order puts after all that they name. */
    private static List<String> circles(Map<String, Set<String>> arrows) {
        Map<String, Set<String>> left = new TreeMap<>(arrows);
        boolean fewer = true;
        while (fewer) {
            fewer = left.entrySet().removeIf(e -> e.getValue().stream().noneMatch(left::containsKey));
        }
        return List.copyOf(left.keySet());
    }

    /** What users and generated code see hands its work to packages within, which know it in turn: the ladder of files covers these. */
    @Test
    void packagesWithinAreALadder() throws IOException {
        Map<String, Set<String>> arrows = arrowsOfPackages();
        assertTrue(arrows.containsKey("creo.runtime.internal.host"), arrows.toString());
        arrows.keySet().removeIf(name -> !name.startsWith("creo.runtime.internal."));
        assertEquals(List.of(), circles(arrows));
    }

    @Test
    void aCircleOfPackagesIsFound() {
        assertEquals(List.of("a", "b"), circles(Map.of("a", Set.of("b", "c"), "b", Set.of("a"), "c", Set.of("d"))));
    }

    @Test
    void partsThatManyNeedAreKeptApart() throws IOException {
        Ladder ladder = Ladder.of(lines());
        for (String part : List.of("tcp", "http", "host")) {
            for (String wire : List.of("json", "xml", "tdxml", "soap")) {
                assertFalse(ladder.needs.get(part).contains(wire), part + " needs " + wire);
            }
        }
        assertFalse(ladder.needs.get("tcp").contains("text"));
        assertFalse(ladder.needs.get("soap").contains("tdxml"));
    }

    @Test
    void anArrowUpwardIsFound() throws IOException {
        List<String> moved = new ArrayList<>(lines());
        String writer = listed("internal/json/JsonWriter");
        assertTrue(moved.remove(writer));
        moved.add(moved.indexOf(listed("internal/buffer/Utf8")), writer);
        List<String> found = arrowsUpward(Ladder.of(moved), sources());
        assertTrue(found.contains("buffer/JsonWriter -> text/TextOutput"), found.toString());

        Map<String, String> sources = sources();
        sources.computeIfPresent("Limits", (name, source) -> source.replaceFirst("private ", "private static final Class<?> PLANTED = Xml.class;\n    private "));
        assertEquals(List.of("base/Limits -> xml/Xml"), arrowsUpward(Ladder.of(lines()), sources));
    }

    @Test
    void aPartThatNeedsALaterOneIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Ladder.of(List.of("[buffer: base]", "[base]")));
    }
}
