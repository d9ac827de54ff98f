package creo.runtime;

/** Requests as bytes on each wire, without a transport: what clients write and services read, and no more. */
public enum Forms {
    BINARY("binary") {
        @Override
        public <A> byte[] write(ServiceMethod<A, ?> method, A arguments) {
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
    },

    SOAP("soap") {
        @Override
        public <A> byte[] write(ServiceMethod<A, ?> method, A arguments) {
            XmlWriter w = XmlWriter.borrow(Limits.DEFAULT);
            try {
                SoapWriter.write(w, SoapVersion.V11, method.text().request, arguments);
                return w.toBytes();
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

    TABLE_RECORD("tdxml-record") {
        @Override
        public <A> byte[] write(ServiceMethod<A, ?> method, A arguments) {
            return writeTable(method, arguments, TableOptions.RECORD);
        }

        @Override
        public <A> A read(ServiceMethod<A, ?> method, byte[] bytes) {
            return readTable(method, bytes);
        }
    },

    TABLE_AGGREGATED("tdxml-aggregated") {
        @Override
        public <A> byte[] write(ServiceMethod<A, ?> method, A arguments) {
            return writeTable(method, arguments, TableOptions.AGGREGATED);
        }

        @Override
        public <A> A read(ServiceMethod<A, ?> method, byte[] bytes) {
            return readTable(method, bytes);
        }
    },

    TABLE_RECORD_IN_SOAP("tdxml-record-in-soap") {
        @Override
        public <A> byte[] write(ServiceMethod<A, ?> method, A arguments) {
            return writeInSoap(method, arguments, TableOptions.RECORD);
        }

        @Override
        public <A> A read(ServiceMethod<A, ?> method, byte[] bytes) {
            return readInSoap(method, bytes);
        }
    },

    TABLE_AGGREGATED_IN_SOAP("tdxml-aggregated-in-soap") {
        @Override
        public <A> byte[] write(ServiceMethod<A, ?> method, A arguments) {
            return writeInSoap(method, arguments, TableOptions.AGGREGATED);
        }

        @Override
        public <A> A read(ServiceMethod<A, ?> method, byte[] bytes) {
            return readInSoap(method, bytes);
        }
    },

    JSON("json") {
        @Override
        public <A> byte[] write(ServiceMethod<A, ?> method, A arguments) {
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
    };

    /** The wire's name. */
    public final String wire;

    Forms(String wire) {
        this.wire = wire;
    }

    public abstract <A> byte[] write(ServiceMethod<A, ?> method, A arguments);

    public abstract <A> A read(ServiceMethod<A, ?> method, byte[] bytes);

    private static <A> byte[] writeTable(ServiceMethod<A, ?> method, A arguments, TableOptions options) {
        TableWriter w = TableWriter.borrow(Limits.DEFAULT);
        try {
            w.message(method.text().request, arguments, method.name(), options, null);
            return w.toBytes();
        } finally {
            w.giveBack();
        }
    }

    private static <A> A readTable(ServiceMethod<A, ?> method, byte[] bytes) {
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

    private static <A> byte[] writeInSoap(ServiceMethod<A, ?> method, A arguments, TableOptions options) {
        TableWriter w = TableWriter.borrow(Limits.DEFAULT);
        try {
            SoapWriter.table(w, SoapVersion.V11, () -> w.message(method.text().request, arguments, method.name(), options, method.name()));
            return w.toBytes();
        } finally {
            w.giveBack();
        }
    }

    private static <A> A readInSoap(ServiceMethod<A, ?> method, byte[] bytes) {
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
