package creo.runtime.internal.http.tdxml;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.TableOptions;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.tdxml.TableDocument;
import creo.runtime.internal.tdxml.TableWriter;
import creo.runtime.internal.xml.XmlReader;
import java.util.Arrays;

/** Bodies that are table documents (TDX-52). */
public final class TableBodies extends CallBodies {
    static final int NUMBER = 1;

    private final TableOptions options;

    public TableBodies(TableOptions options) {
        super(NUMBER, "tdxml");
        this.options = options;
    }

    /** Writes the content of a table. */
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
    public <A> void writeArguments(Writer w, ServiceMethod<A, ?> method, A arguments) {
        write(w, table -> table.message(TextMethods.of(method).request, arguments, method.name(), options, null));
    }

    @Override
    public <R> void writeResult(Writer w, ServiceMethod<?, R> method, R result) {
        write(w, table -> table.message(TextMethods.of(method).response, result, method.name(), options, null));
    }

    @Override
    public void writeException(Writer w, ServiceMethod<?, ?> method, int index, Exception e) {
        write(w, table -> TableErrors.exception(table, TextMethods.of(method).exceptions.get(index), e, options));
    }

    /** Reads the content of a document. */
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

    /** Points an XML reader at the whole body. */
    private static void readAll(Reader r, Reader.Source source, XmlReader xml) {
        byte[] all = xml.b.length > 1 << 16 ? new byte[4_096] : xml.b;
        int n = 0;
        while (r.remaining() > 0 || source.fill(r, 1)) {
            int k = r.remaining();
            if (all.length - PaddedBytes.PADDING - n < k) {
                all = Arrays.copyOf(all, (int) Math.min(Integer.MAX_VALUE - 16L, Math.max(2L * all.length, (long) n + k + PaddedBytes.PADDING)));
            }
            int from = r.advance(k);
            System.arraycopy(r.buffer(), from, all, n, k);
            n += k;
        }
        xml.openBody(new PaddedBytes(all, n, r.memory()), null);
    }

    @Override
    public <A> Request<A> readArguments(Reader r, Reader.Source source, Limits limits, ServiceMethod<A, ?> method) {
        return read(r, source, limits, document -> {
            document.checkOf(method.name());
            A arguments = document.message(TextMethods.of(method).request, method.name(), null);
            return new Request<>(arguments, new TableBodies(document.options()));
        });
    }

    @Override
    public <R> R readResult(Reader r, Reader.Source source, Limits limits, ServiceMethod<?, R> method) {
        return read(r, source, limits, document -> {
            document.checkOf(method.name());
            return document.message(TextMethods.of(method).response, method.name(), null);
        });
    }

    @Override
    public Exception readException(Reader r, Reader.Source source, Limits limits, ServiceMethod<?, ?> method) {
        return read(r, source, limits, document -> TableErrors.read(document, TextMethods.of(method)));
    }
}
