package creo.runtime;

import java.util.Objects;

/**
 * How tables are written. Readers accept every form.
 *
 * @param scheme how rows represent the value
 * @param schema whether names and types are written before the rows
 */
public record TableOptions(TableScheme scheme, boolean schema) {
    /** The record scheme, without schema. */
    public static final TableOptions RECORD = new TableOptions(TableScheme.RECORD, false);
    /** The aggregated scheme, without schema. */
    public static final TableOptions AGGREGATED = new TableOptions(TableScheme.AGGREGATED, false);

    public TableOptions {
        Objects.requireNonNull(scheme, "scheme");
    }

    /** The same, with a schema. */
    public TableOptions withSchema() {
        return new TableOptions(scheme, true);
    }
}
