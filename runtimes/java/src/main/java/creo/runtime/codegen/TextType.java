package creo.runtime.codegen;

/** The kind of a field's single value, for text wires that write it: in schemas of tables (TDX-42). For generated code. */
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
