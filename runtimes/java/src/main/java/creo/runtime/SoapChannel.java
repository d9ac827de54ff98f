package creo.runtime;

import creo.runtime.internal.http.HttpChannel;
import creo.runtime.internal.soap.SoapCalls;

/** Channels of SOAP over HTTP. */
public final class SoapChannel {
    private SoapChannel() {}

    /**
     * Opens a channel of SOAP over HTTP, or HTTPS, to the service at a URL such as {@code http://host:8080/DataService}. HTTPS uses the options' TLS
     * context, or that of the JDK.
     */
    public static Channel open(String url, ClientOptions options) {
        if (options.tables() != null) {
            throw new IllegalArgumentException("tables in SOAP are written by TdxmlSoapChannel");
        }
        return HttpChannel.open(url, options, new SoapCalls(options, null, url));
    }
}
