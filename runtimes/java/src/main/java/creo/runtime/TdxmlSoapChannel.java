package creo.runtime;

import creo.runtime.internal.http.HttpChannel;
import creo.runtime.internal.soap.SoapCalls;
import creo.runtime.internal.soap.tdxml.TableEnvelopes;

/** Channels of SOAP over HTTP whose envelopes contain tables. */
public final class TdxmlSoapChannel {
    private TdxmlSoapChannel() {}

    /** Opens a channel of tables in SOAP over HTTP, or HTTPS, in the form of {@link ClientOptions#withTables}. */
    public static Channel open(String url, ClientOptions options) {
        ClientOptions tables = options.tables() == null ? options.withTables(TableOptions.RECORD) : options;
        return HttpChannel.open(url, tables, new SoapCalls(tables, TableEnvelopes.TABLES, url));
    }
}
