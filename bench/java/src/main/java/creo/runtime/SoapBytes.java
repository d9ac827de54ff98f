package creo.runtime;

/** The soap wire without a transport: envelopes in byte arrays. What the service and the client do, and no more; for the benchmark only. */
public final class SoapBytes {
    private SoapBytes() {}

    public static <A> byte[] write(TextMethod<A, ?> method, A arguments) {
        XmlWriter w = XmlWriter.borrow(Limits.DEFAULT);
        try {
            SoapWriter.write(w, SoapVersion.V11, method.request, arguments);
            return w.toBytes();
        } finally {
            w.giveBack();
        }
    }

    public static <A> A read(TextMethod<A, ?> method, byte[] bytes) {
        SoapReader r = SoapReader.borrowSoap(Limits.DEFAULT);
        try {
            r.open(bytes, 0, bytes.length, null);
            r.openEnvelope();
            if (!r.isBody(method.request.bodyName())) {
                throw CreoException.malformed("another message: " + r.shownBody());
            }
            return r.readMessage(method.request);
        } finally {
            r.giveBack();
        }
    }
}
