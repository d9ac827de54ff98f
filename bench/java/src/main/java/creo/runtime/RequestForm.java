package creo.runtime;

import java.util.List;

/** Requests in byte arrays, without a transport: what the clients write and the service reads, and no more; for the benchmarks only. */
public enum RequestForm {
    SOAP {
        @Override
        <A> byte[] write(ServiceMethod<A, ?> method, A arguments, boolean packaged) {
            XmlWriter w = XmlWriter.borrow(Limits.DEFAULT);
            try {
                List<byte[]> parts = packaged ? w.collectParts() : null;
                SoapWriter.write(w, SoapVersion.V11, method.text().request, arguments);
                return parts == null || parts.isEmpty() ? w.toBytes() : Mtom.write(w, parts, SoapVersion.V11, "").bytes();
            } finally {
                w.giveBack();
            }
        }

        @Override
        public <A> A read(ServiceMethod<A, ?> method, byte[] bytes) {
            SoapReader r = SoapReader.borrowSoap(Limits.DEFAULT);
            try {
                r.open(bytes, 0, bytes.length, null);
                r.openEnvelope();
                if (!r.isBody(method.text().request.bodyName())) {
                    throw CreoException.malformed("another message: " + r.shownBody());
                }
                return r.readMessage(method.text().request);
            } finally {
                r.giveBack();
            }
        }
    },

    /** A table of records within SOAP. */
    SOAP_RECORD {
        @Override
        <A> byte[] write(ServiceMethod<A, ?> method, A arguments, boolean packaged) {
            return writeTable(method, arguments, TableOptions.RECORD, packaged);
        }

        @Override
        public <A> A read(ServiceMethod<A, ?> method, byte[] bytes) {
            return readTable(method, bytes);
        }
    },

    /** The paper's table within SOAP. */
    SOAP_AGGREGATED {
        @Override
        <A> byte[] write(ServiceMethod<A, ?> method, A arguments, boolean packaged) {
            return writeTable(method, arguments, TableOptions.AGGREGATED, packaged);
        }

        @Override
        public <A> A read(ServiceMethod<A, ?> method, byte[] bytes) {
            return readTable(method, bytes);
        }
    },

    /** A table of records alone. */
    TDXML {
        @Override
        <A> byte[] write(ServiceMethod<A, ?> method, A arguments, boolean packaged) {
            TableWriter w = TableWriter.borrow(Limits.DEFAULT);
            try {
                List<byte[]> parts = packaged ? w.collectParts() : null;
                w.message(method.text().request, arguments, method.name(), TableOptions.RECORD, null);
                return parts == null || parts.isEmpty() ? w.toBytes() : Mtom.write(w, parts, TableErrors.MEDIA_TYPE).bytes();
            } finally {
                w.giveBack();
            }
        }

        @Override
        public <A> A read(ServiceMethod<A, ?> method, byte[] bytes) {
            XmlReader r = XmlReader.borrow(Limits.DEFAULT);
            try {
                r.open(bytes, 0, bytes.length, null);
                A arguments = TableDocument.readAlone(r).message(method.text().request, method.name(), null);
                r.endDocument();
                return arguments;
            } finally {
                r.giveBack();
            }
        }
    },

    JSON {
        @Override
        <A> byte[] write(ServiceMethod<A, ?> method, A arguments, boolean packaged) {
            TextMessage<A> message = method.text().request;
            JsonWriter w = JsonWriter.borrow(Limits.DEFAULT);
            try {
                w.beginRecord(message.root(), message.record);
                message.all().write(w, arguments);
                w.endRecord(message.root(), message.record);
                w.end();
                return w.toBytes();
            } finally {
                w.giveBack();
            }
        }

        @Override
        public <A> A read(ServiceMethod<A, ?> method, byte[] bytes) {
            TextMessage<A> message = method.text().request;
            JsonReader r = JsonReader.borrow(Limits.DEFAULT);
            try {
                r.open(bytes, 0, bytes.length);
                r.beginRoot(message.root());
                A arguments = message.decoder.read(r);
                r.endDocument();
                return arguments;
            } finally {
                r.giveBack();
            }
        }
    },

    BINARY {
        @Override
        <A> byte[] write(ServiceMethod<A, ?> method, A arguments, boolean packaged) {
            Writer w = new Writer();
            method.arguments().encode(w, arguments);
            return w.toBytes();
        }

        @Override
        public <A> A read(ServiceMethod<A, ?> method, byte[] bytes) {
            Reader r = new Reader(bytes);
            A arguments = method.arguments().decode(r);
            r.finish();
            return arguments;
        }
    };

    public <A> byte[] write(ServiceMethod<A, ?> method, A arguments) {
        return write(method, arguments, false);
    }

    /** As a package, whose parts hold the byte strings. JSON and the binary wire have none. */
    public <A> byte[] writePackage(ServiceMethod<A, ?> method, A arguments) {
        return write(method, arguments, true);
    }

    abstract <A> byte[] write(ServiceMethod<A, ?> method, A arguments, boolean packaged);

    public abstract <A> A read(ServiceMethod<A, ?> method, byte[] bytes);

    private static <A> byte[] writeTable(ServiceMethod<A, ?> method, A arguments, TableOptions options, boolean packaged) {
        TableWriter w = TableWriter.borrow(Limits.DEFAULT);
        try {
            List<byte[]> parts = packaged ? w.collectParts() : null;
            SoapWriter.table(w, SoapVersion.V11, () -> w.message(method.text().request, arguments, method.name(), options, method.name()));
            return parts == null || parts.isEmpty() ? w.toBytes() : Mtom.write(w, parts, SoapVersion.V11, "").bytes();
        } finally {
            w.giveBack();
        }
    }

    private static <A> A readTable(ServiceMethod<A, ?> method, byte[] bytes) {
        SoapReader r = SoapReader.borrowSoap(Limits.DEFAULT);
        try {
            r.open(bytes, 0, bytes.length, null);
            r.openEnvelope();
            return r.readTable(r.openTable(), method.text().request, method.name());
        } finally {
            r.giveBack();
        }
    }
}
