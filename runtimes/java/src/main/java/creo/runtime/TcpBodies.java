package creo.runtime;

import java.util.Arrays;

/** The bodies of calls over TCP, by the wire of the connection. */
abstract class TcpBodies {
    /** The binary wire (BIN-14). */
    static final TcpBodies BINARY = new Binary();

    /**
     * The arguments of a request.
     *
     * @param answers how it is answered
     */
    record Request<A>(A arguments, TcpBodies answers) {}

    /** Those of a wire, or null if there is no such wire. */
    static TcpBodies of(int wire) {
        return wire == Wire.BINARY.number ? BINARY : wire == Wire.TDXML.number ? new Tables(TableOptions.RECORD) : null;
    }

    /** Those that a client writes. */
    static TcpBodies of(ClientOptions options) {
        return options.wire() == Wire.BINARY ? BINARY : new Tables(options.tables() == null ? TableOptions.RECORD : options.tables());
    }

    abstract <A> void writeArguments(Writer w, ServiceMethod<A, ?> method, A arguments);

    abstract <R> void writeResult(Writer w, ServiceMethod<?, R> method, R result);

    /** Writes an exception, which is the method's declared one of the index. */
    abstract void writeException(Writer w, ServiceMethod<?, ?> method, int index, Exception e);

    /** Reads a body to its end, which {@code source} brings. */
    abstract <A> Request<A> readArguments(Reader r, Reader.Source source, Limits limits, ServiceMethod<A, ?> method);

    abstract <R> R readResult(Reader r, Reader.Source source, Limits limits, ServiceMethod<?, R> method);

    /** Reads an exception that a method declares; an error if it does not. */
    abstract Exception readException(Reader r, Reader.Source source, Limits limits, ServiceMethod<?, ?> method);

    private static final class Binary extends TcpBodies {
        @Override
        <A> void writeArguments(Writer w, ServiceMethod<A, ?> method, A arguments) {
            method.arguments().encode(w, arguments);
        }

        @Override
        <R> void writeResult(Writer w, ServiceMethod<?, R> method, R result) {
            method.result().encode(w, result);
        }

        @Override
        void writeException(Writer w, ServiceMethod<?, ?> method, int index, Exception e) {
            w.writeCount(index);
            method.exceptions().get(index).encode(w, e);
        }

        @Override
        <A> Request<A> readArguments(Reader r, Reader.Source source, Limits limits, ServiceMethod<A, ?> method) {
            A arguments = method.arguments().decode(r);
            r.finish();
            return new Request<>(arguments, this);
        }

        @Override
        <R> R readResult(Reader r, Reader.Source source, Limits limits, ServiceMethod<?, R> method) {
            R result = method.result().decode(r);
            r.finish();
            return result;
        }

        @Override
        Exception readException(Reader r, Reader.Source source, Limits limits, ServiceMethod<?, ?> method) {
            int index = r.readCount();
            if (index >= method.exceptions().size()) {
                throw r.unknownNumber(index, "the list of what " + method + " throws");
            }
            Exception e = method.exceptions().get(index).codec().decode(r);
            r.finish();
            return e;
        }
    }

    /** Documents of tables (TDX-52). */
    private static final class Tables extends TcpBodies {
        private final TableOptions options;

        Tables(TableOptions options) {
            this.options = options;
        }

        /** What is written to a table. */
        private interface Content {
            void write(TableWriter w);
        }

        private static void write(Writer w, Content content) {
            TableWriter table = TableWriter.borrow(Limits.DEFAULT);
            byte[] document;
            try {
                content.write(table);
                document = table.toBytes();
            } catch (CreoException e) {
                throw table.locate(e);
            } finally {
                table.giveBack();
            }
            w.writeRaw(document);
        }

        @Override
        <A> void writeArguments(Writer w, ServiceMethod<A, ?> method, A arguments) {
            write(w, table -> table.message(method.text().request, arguments, method.name(), options, null));
        }

        @Override
        <R> void writeResult(Writer w, ServiceMethod<?, R> method, R result) {
            write(w, table -> table.message(method.text().response, result, method.name(), options, null));
        }

        @Override
        void writeException(Writer w, ServiceMethod<?, ?> method, int index, Exception e) {
            write(w, table -> TableErrors.exception(table, method.text().exceptions.get(index), e, options));
        }

        /** What is read of a document. */
        private interface Contained<T> {
            T read(TableDocument document);
        }

        private static <T> T read(Reader r, Reader.Source source, Limits limits, Contained<T> contained) {
            XmlReader xml = XmlReader.borrow(limits);
            try {
                readAll(r, source, xml);
                TableDocument document = TableDocument.readAlone(xml);
                T value = contained.read(document);
                xml.endDocument();
                return value;
            } catch (CreoException e) {
                throw xml.locate(e);
            } finally {
                xml.giveBack();
            }
        }

        /** Lets a reader of XML stand on the whole body. */
        private static void readAll(Reader r, Reader.Source source, XmlReader xml) {
            byte[] all = xml.b.length > 1 << 16 ? new byte[4_096] : xml.b;
            int n = 0;
            while (r.remaining() > 0 || source.fill(r, 1)) {
                int k = r.remaining();
                if (all.length - TextInput.PADDING - n < k) {
                    all = Arrays.copyOf(all, (int) Math.min(Integer.MAX_VALUE - 16L, Math.max(2L * all.length, (long) n + k + TextInput.PADDING)));
                }
                int from = r.advance(k);
                System.arraycopy(r.buffer(), from, all, n, k);
                n += k;
            }
            xml.openBody(new Gzip.Body(all, n, r.memory()), null);
        }

        @Override
        <A> Request<A> readArguments(Reader r, Reader.Source source, Limits limits, ServiceMethod<A, ?> method) {
            return read(r, source, limits, document -> {
                document.checkOf(method.name());
                A arguments = document.message(method.text().request, method.name(), null);
                return new Request<>(arguments, new Tables(document.options()));
            });
        }

        @Override
        <R> R readResult(Reader r, Reader.Source source, Limits limits, ServiceMethod<?, R> method) {
            return read(r, source, limits, document -> {
                document.checkOf(method.name());
                return document.message(method.text().response, method.name(), null);
            });
        }

        @Override
        Exception readException(Reader r, Reader.Source source, Limits limits, ServiceMethod<?, ?> method) {
            return read(r, source, limits, document -> TableErrors.read(document, method.text()));
        }
    }
}
