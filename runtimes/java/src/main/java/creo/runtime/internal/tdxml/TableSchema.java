package creo.runtime.internal.tdxml;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextType;
import creo.runtime.codegen.TextUnion;
import creo.runtime.internal.buffer.Failures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The data schema of a table (TDX-40 to TDX-43): written from descriptors and compared with a peer's. */
public final class TableSchema {
    /** A definition to be written: its type, and the number of the first field of that type. */
    private record Definition(TextCodec<?> type, int number) {}

    /** A default, which is ignored, or a token. */
    private static final Pattern TOKEN = Pattern.compile("\\(\\s*(?:\"[^\"]*\"|'[^']*'|\u201c[^\u201d]*\u201d|\u2018[^\u2019]*\u2019)\\s*\\)|(::=|[\\[\\](){}]|[^\\s,\\[\\](){}:]+|:)");

    /** Names that must be quoted (TDX-41). */
    private static final Set<String> WORDS = Set.of("ATTRIBUTE", "Boolean", "CHOICE", "COMMENT", "DateTime", "Decimal", "Enumerated", "INDENTED", "INSTRUCTION",
        "Integer", "MIXED", "OF", "OPTIONAL", "OctetString", "Real", "SEQUENCE", "SET", "TEXT", "UTF8String");

    private final Map<TextCodec<?>, Definition> known = new LinkedHashMap<>();
    private final List<Definition> order = new ArrayList<>();
    private Map<TextCodec<?>, String> names = Map.of();

    private TableSchema() {}

    /** The word of a type, or null for a type with a definition. */
    private static String word(TextType type) {
        return switch (type) {
            case STRING -> "UTF8String";
            case BOOLEAN -> "Boolean";
            case INTEGER -> "Integer";
            case REAL -> "Real";
            case DECIMAL -> "Decimal";
            case DATE_TIME -> "DateTime";
            case ENUM -> "Enumerated";
            case BYTES -> "OctetString";
            case RECORD, UNION -> null;
        };
    }

    /** The schema of a standalone value. */
    public static String of(TextCodec<?> root) {
        Object known = root.table;
        if (known == null) {
            known = make(root);
            root.table = known;
        }
        return (String) known;
    }

    private static String make(TextCodec<?> root) {
        TableSchema schema = new TableSchema();
        if (root.shape() == null) {
            return quoted(root.name) + " [0] ::= " + word(root.root.kind) + "\n";
        }
        schema.need(root, 0);
        schema.gather(0);
        return schema.lines(0);
    }

    /** The schema of a message, with the name of its method. */
    public static String of(String name, TextRecord message) {
        TableSchema schema = new TableSchema();
        schema.needs(message);
        schema.gather(0);
        schema.name();
        return quoted(name) + " [0] ::= " + schema.sequence(message) + "\n" + schema.lines(0);
    }

    private void need(TextCodec<?> type, int number) {
        if (!known.containsKey(type)) {
            Definition definition = new Definition(type, number);
            known.put(type, definition);
            order.add(definition);
        }
    }

    /** Collects the types of the definitions, in order of use. */
    private void gather(int from) {
        for (int i = from; i < order.size(); i++) {
            Object shape = order.get(i).type().shape();
            if (shape instanceof TextRecord record) {
                needs(record);
            } else if (shape instanceof TextUnion union) {
                union.resolve();
                for (TextField member : union.members) {
                    needs(member, member.number);
                }
            }
        }
    }

    private void needs(TextRecord record) {
        record.resolve();
        for (TextField field : ordered(record)) {
            needs(field, field.number);
        }
    }

    private void needs(TextField field, int number) {
        if (field.held != null) {
            need(field.held, number);
        } else if (field.item != null) {
            needs(field.item, number);
        } else if (field.entry != null) {
            needs(field.entry.fields[1], number);
        }
    }

    /** The fields in the order of writing: attributes first. */
    private static List<TextField> ordered(TextRecord record) {
        List<TextField> all = new ArrayList<>();
        for (int i : record.attributes) {
            all.add(record.fields[i]);
        }
        for (TextField field : record.fields) {
            if (field.place != TextField.ATTRIBUTE) {
                all.add(field);
            }
        }
        return all;
    }

    /** Gives types their simple names, unless two have the same one. */
    private void name() {
        Map<String, Integer> counts = new HashMap<>();
        known.keySet().forEach(type -> counts.merge(type.name, 1, Integer::sum));
        names = known.keySet().stream().collect(Collectors.toMap(type -> type, type -> counts.get(type.name) > 1 ? type.fullName : quoted(type.name)));
    }

    private static String quoted(String name) {
        return WORDS.contains(name) ? '"' + name + '"' : name;
    }

    private String lines(int from) {
        name();
        StringBuilder text = new StringBuilder();
        for (Definition each : order.subList(from, order.size())) {
            text.append(names.get(each.type())).append(" [").append(each.number()).append("] ::= ");
            Object shape = each.type().shape();
            if (shape instanceof TextUnion union) {
                text.append("CHOICE ").append(members(List.of(union.members)));
            } else {
                text.append(sequence((TextRecord) shape));
            }
            text.append('\n');
        }
        return text.toString();
    }

    private String sequence(TextRecord record) {
        if (record.fields.length == 1) {
            TextField only = record.fields[0];
            if (only.item != null && !only.wrapped && only.item.held != null && only.item.held.name.equals(only.name)) {
                return "SET OF " + names.get(only.item.held);
            }
        }
        return "SEQUENCE OF " + members(ordered(record));
    }

    private String members(List<TextField> fields) {
        return fields.stream().map(this::member).collect(Collectors.joining(", ", "{", "}"));
    }

    private String member(TextField field) {
        String where = switch (field.place) {
            case TextField.ATTRIBUTE -> " (" + field.number + ") [ATTRIBUTE] ";
            case TextField.TEXT -> " TEXT ";
            default -> " [" + field.number + "] ";
        };
        return (field.name == null ? "result" : quoted(field.name)) + where + type(field) + (field.optional ? " OPTIONAL" : "");
    }

    private String type(TextField field) {
        if (field.held != null) {
            return names.get(field.held);
        }
        if (field.entry != null) {
            TextField value = field.entry.fields[1];
            return "SEQUENCE OF {entry [0] SET OF SEQUENCE OF {key [0] " + type(field.entry.fields[0]) + ", value [1] " + type(value)
                + (value.optional ? " OPTIONAL" : "") + "}}";
        }
        if (field.isList()) {
            return word(TextType.STRING);
        }
        if (field.item != null) {
            return field.wrapped ? "SEQUENCE OF {item [0] SET OF " + type(field.item) + "}" : "SET OF " + type(field.item);
        }
        return word(field.kind);
    }

    /** Fails unless a peer's schema equals ours (TDX-43). */
    public static void check(String theirs, String ours) {
        List<List<String>> there = definitions(theirs);
        List<List<String>> here = definitions(ours);
        for (int i = 0; i < Math.max(there.size(), here.size()); i++) {
            List<String> one = i < there.size() ? there.get(i) : null;
            List<String> other = i < here.size() ? here.get(i) : null;
            if (other == null || !isSame(one, other)) {
                String shown = one == null ? "ends before the definition of " + other.get(0) : "says \"" + CreoException.shown(String.join(" ", one)) + "\"";
                throw Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH,
                    "the schema of the table " + shown + (one == null || other == null ? "" : ", where here is \"" + String.join(" ", other) + "\""));
            }
        }
    }

    /** Whether a peer's definition equals ours; its number may be absent. */
    private static boolean isSame(List<String> theirs, List<String> ours) {
        boolean numberless = theirs != null && theirs.size() > 1 && theirs.get(1).equals("::=") && theirs.get(0).equals(ours.get(0));
        return numberless ? theirs.subList(1, theirs.size()).equals(ours.subList(4, ours.size())) : ours.equals(theirs);
    }

    /** The tokens of each definition, without defaults. */
    private static List<List<String>> definitions(String schema) {
        List<String> tokens = tokens(schema);
        List<List<String>> all = new ArrayList<>();
        int from = 0;
        for (int i = 1; i < tokens.size(); i++) {
            if (tokens.get(i).equals("::=")) {
                boolean numbered = tokens.get(i - 1).equals("]") && i >= 4;
                int name = numbered ? i - 4 : i - 1;
                if (name > from) {
                    all.add(tokens.subList(from, name));
                }
                from = Math.max(from, name);
            }
        }
        if (from < tokens.size()) {
            all.add(tokens.subList(from, tokens.size()));
        }
        return all;
    }

    private static List<String> tokens(String schema) {
        Matcher next = TOKEN.matcher(schema);
        List<String> tokens = new ArrayList<>();
        while (next.find()) {
            int n = tokens.size();
            if ("{".equals(next.group(1)) && n > 1 && tokens.get(n - 1).equals("OF") && tokens.get(n - 2).equals("SEQUENCE")) {
                // The word may be omitted there.
                tokens.remove(n - 1);
            }
            if (next.group(1) != null) {
                tokens.add(next.group(1));
            }
        }
        return tokens;
    }
}
