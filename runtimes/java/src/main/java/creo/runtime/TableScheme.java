package creo.runtime;

/** How the rows of a table represent a value ({@code spec/wires/tdxml.md}). */
public enum TableScheme {
    /** A struct is one row, whose columns are its scalar fields. */
    RECORD,
    /** A row for each text, as in the paper. */
    AGGREGATED
}
