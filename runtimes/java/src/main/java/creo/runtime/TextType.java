package creo.runtime;

/** What a single value of a field is, for text wires that say it: in schemas of tables (TDX-42). For generated code. */
public enum TextType {
    STRING("UTF8String"),
    BOOLEAN("Boolean"),
    INTEGER("Integer"),
    REAL("Real"),
    DECIMAL("Decimal"),
    DATE_TIME("DateTime"),
    ENUM("Enumerated"),
    BYTES("OctetString"),
    RECORD(null),
    UNION(null);

    /** The word of a schema, or null for a type that has a definition of its own. */
    final String word;

    TextType(String word) {
        this.word = word;
    }
}
