package creo.runtime;

import creo.runtime.codegen.Codec;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TextMessage;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.json.JsonReader;
import creo.runtime.internal.json.JsonWriter;
import creo.runtime.internal.soap.SoapReader;
import creo.runtime.internal.soap.SoapWriter;
import creo.runtime.internal.soap.tdxml.TableEnvelopes;
import creo.runtime.internal.tdxml.TableDocument;
import creo.runtime.internal.tdxml.TableWriter;
import creo.runtime.internal.text.SoapVersion;
import creo.runtime.internal.xml.XmlReader;
import creo.runtime.internal.xml.XmlWriter;
import java.util.function.Supplier;

/** Messages as bytes on each wire, without a transport: what clients and services write and read, and no more. */
public enum Forms {
    BINARY("binary") {
        /** Kept from message to message, as a connection keeps its own, and text writers are. */
        private final Writer kept = new Writer();

        @Override
        public <A> byte[] write(Message<A> message, A value) {
            kept.reset();
            message.codec.encode(kept, value);
            return kept.toBytes();
        }

        @Override
        public <A> A read(Message<A> message, byte[] bytes) {
            Reader r = new Reader(bytes);
            A value = message.codec.decode(r);
            r.finish();
            return value;
        }
    },

    SOAP("soap") {
        @Override
        public <A> byte[] write(Message<A> message, A value) {
            XmlWriter w = XmlWriter.borrow(Limits.DEFAULT);
            try {
                SoapWriter.write(w, SoapVersion.V11, null, message.text(), value, false);
                return w.toBytes();
            } finally {
                w.giveBack();
            }
        }

        @Override
        public <A> A read(Message<A> message, byte[] bytes) {
            SoapReader r = SoapReader.borrowSoap(Limits.DEFAULT, null);
            try {
                r.open(bytes, 0, bytes.length, null);
                r.openEnvelope();
                if (!r.isBody(message.text().bodyName())) {
                    throw CreoException.malformed("another message: " + r.shownBody());
                }
                return r.readMessage(message.text());
            } finally {
                r.giveBack();
            }
        }
    },

    TABLE_RECORD("tdxml-record") {
        @Override
        public <A> byte[] write(Message<A> message, A value) {
            return writeTable(message, value, TableOptions.RECORD);
        }

        @Override
        public <A> A read(Message<A> message, byte[] bytes) {
            return readTable(message, bytes);
        }
    },

    TABLE_AGGREGATED("tdxml-aggregated") {
        @Override
        public <A> byte[] write(Message<A> message, A value) {
            return writeTable(message, value, TableOptions.AGGREGATED);
        }

        @Override
        public <A> A read(Message<A> message, byte[] bytes) {
            return readTable(message, bytes);
        }
    },

    TABLE_RECORD_IN_SOAP("tdxml-record-in-soap") {
        @Override
        public <A> byte[] write(Message<A> message, A value) {
            return writeInSoap(message, value, TableOptions.RECORD);
        }

        @Override
        public <A> A read(Message<A> message, byte[] bytes) {
            return readInSoap(message, bytes);
        }
    },

    TABLE_AGGREGATED_IN_SOAP("tdxml-aggregated-in-soap") {
        @Override
        public <A> byte[] write(Message<A> message, A value) {
            return writeInSoap(message, value, TableOptions.AGGREGATED);
        }

        @Override
        public <A> A read(Message<A> message, byte[] bytes) {
            return readInSoap(message, bytes);
        }
    },

    JSON("json") {
        @Override
        public <A> byte[] write(Message<A> message, A value) {
            TextMessage<A> text = message.text();
            JsonWriter w = JsonWriter.borrow(Limits.DEFAULT);
            try {
                if (message.of == null) {
                    text.all().write(w, value);
                } else {
                    w.beginRecord(text.root(), text.record);
                    text.all().write(w, value);
                    w.endRecord(text.root(), text.record);
                }
                w.end();
                return w.toBytes();
            } finally {
                w.giveBack();
            }
        }

        @Override
        public <A> A read(Message<A> message, byte[] bytes) {
            TextMessage<A> text = message.text();
            JsonReader r = JsonReader.borrow(Limits.DEFAULT);
            try {
                r.open(bytes, 0, bytes.length);
                if (message.of == null) {
                    r.expectResult();
                } else {
                    r.beginRoot(text.root());
                }
                A value = text.decoder.read(r);
                r.endDocument();
                return value;
            } finally {
                r.giveBack();
            }
        }
    };

    /**
     * One of the two messages of a method.
     *
     * @param name the method's name
     * @param of the method's name where tables within SOAP say it: in requests (TDX-3); null in responses
     */
    public record Message<A>(Codec<A> codec, Supplier<TextMessage<A>> texts, String name, String of) {
        static <A> Message<A> request(ServiceMethod<A, ?> method) {
            return new Message<>(method.arguments(), () -> TextMethods.of(method).request, method.name(), method.name());
        }

        static <R> Message<R> response(ServiceMethod<?, R> method) {
            return new Message<>(method.result(), () -> TextMethods.of(method).response, method.name(), null);
        }

        TextMessage<A> text() {
            return texts.get();
        }
    }

    /** The wire's name. */
    public final String wire;

    Forms(String wire) {
        this.wire = wire;
    }

    public abstract <A> byte[] write(Message<A> message, A value);

    public abstract <A> A read(Message<A> message, byte[] bytes);

    private static <A> byte[] writeTable(Message<A> message, A value, TableOptions options) {
        TableWriter w = TableWriter.borrow(Limits.DEFAULT);
        try {
            w.message(message.text(), value, message.name, options, null);
            return w.toBytes();
        } finally {
            w.giveBack();
        }
    }

    private static <A> A readTable(Message<A> message, byte[] bytes) {
        XmlReader r = XmlReader.borrow(Limits.DEFAULT);
        try {
            r.open(bytes, 0, bytes.length, null);
            A value = TableDocument.readAlone(r).message(message.text(), message.name, null);
            r.endDocument();
            return value;
        } finally {
            r.giveBack();
        }
    }

    private static <A> byte[] writeInSoap(Message<A> message, A value, TableOptions options) {
        TableWriter w = TableWriter.borrow(Limits.DEFAULT);
        try {
            SoapWriter.document(w, SoapVersion.V11, null, () -> w.message(message.text(), value, message.name, options, message.of));
            return w.toBytes();
        } finally {
            w.giveBack();
        }
    }

    private static <A> A readInSoap(Message<A> message, byte[] bytes) {
        SoapReader r = SoapReader.borrowSoap(Limits.DEFAULT, TableEnvelopes.TABLES);
        try {
            r.open(bytes, 0, bytes.length, null);
            r.openEnvelope();
            return r.readDocument(r.openDocument(), message.text(), message.name);
        } finally {
            r.giveBack();
        }
    }
}
