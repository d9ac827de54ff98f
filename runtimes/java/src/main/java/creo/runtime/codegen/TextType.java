package creo.runtime.codegen;

/** What a single value of a field is, for text wires that say it: in schemas of tables (TDX-42). For generated code. */
public enum TextType {
    STRING,
    BOOLEAN,
    INTEGER,
    REAL,
    DECIMAL,
    DATE_TIME,
    ENUM,
    BYTES,
    RECORD,
    UNION
}
