package creo.runtime.codegen;

import creo.runtime.internal.host.CallStreams;
import creo.runtime.internal.host.ServedStreams;

/** What an endpoint serves its methods with streams with: {@link creo.runtime.Endpoint.Builder#streams}. */
@SuppressWarnings("exports") // Parameters of internal types are for the runtime only.
public final class HostStreams {
    public static final ServedStreams.Maker SERVED = CallStreams.MAKER;

    private HostStreams() {}
}
