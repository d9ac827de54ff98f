package creo.runtime.codegen;

import creo.runtime.internal.soap.tdxml.TableEnvelopes;

/** SOAP as spoken by servers, with envelopes that may contain tables (TDX-50). */
public final class TdxmlSoapWire {
    /** For generated code. */
    public static final SoapWire WIRE = new SoapWire(TableEnvelopes.TABLES);

    private TdxmlSoapWire() {}
}
