package creo.runtime.codegen;

import creo.runtime.Limits;
import creo.runtime.internal.call.MethodStreams;

/** How the items of the only stream of a method are written and read as lines of text: {@link ServiceMethod#lines}. */
@SuppressWarnings("exports") // What it extends is for the runtime only.
public interface LineItems extends MethodStreams.Lines {
    /** A codec whose bytes are lines, within these limits. */
    Items<?> items(Limits limits);
}
