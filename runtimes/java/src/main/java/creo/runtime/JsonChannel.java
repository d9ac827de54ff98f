package creo.runtime;

import creo.runtime.internal.http.HttpChannel;
import creo.runtime.internal.http.json.JsonCalls;

/** Channels of JSON over HTTP. */
public final class JsonChannel {
    private JsonChannel() {}

    /** Opens a channel of JSON over HTTP, or HTTPS, to the service at a URL such as {@code http://host:8080/DataService}. */
    public static Channel open(String url, ClientOptions options) {
        return HttpChannel.open(url, options, new JsonCalls(options));
    }
}
