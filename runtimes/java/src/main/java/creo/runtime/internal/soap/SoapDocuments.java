package creo.runtime.internal.soap;

import creo.runtime.ClientOptions;
import creo.runtime.Limits;
import creo.runtime.codegen.TextMessage;
import creo.runtime.internal.text.SoapVersion;
import creo.runtime.internal.text.TextOutput;
import creo.runtime.internal.xml.XmlValues;
import java.util.List;

/** Documents of another wire that the body of an envelope may contain instead of an XML message (TDX-50). */
public abstract class SoapDocuments {
    /** Whether a document begins at the reader's position exactly as writers begin it; reads nothing. */
    public abstract boolean beginsPlainly(SoapReader r);

    /** Opens the document whose element begins at the reader's position, or for which {@link #beginsPlainly} was true. */
    public abstract Document open(SoapReader r);

    /** The form of a client's requests that are documents; null if they are not. */
    public abstract Form form(ClientOptions options);

    /** A document being read. */
    public abstract static class Document {
        /** The method name in the document; null if it has none. */
        public abstract String method();

        /** Fails if the document names another method. */
        public abstract void checkMethod(String name);

        public abstract <T> T message(TextMessage<T> message, String method, XmlValues.Parts parts);

        /** The form of the answer. */
        public abstract Form form();
    }

    /** Writes documents. */
    public abstract static class Form {
        /**
         * Writes an envelope with a document.
         *
         * @param of the method name to write, or null
         * @param blocks of the header, or null
         * @param packaged whether byte strings become MIME parts
         * @param written receives the result
         */
        public abstract <T, R> R write(TextMessage<T> message, T value, String method, String of, SoapVersion version, byte[] blocks, boolean packaged, Limits limits,
                Written<R> written);
    }

    /** Receives an encoded envelope, with its parts or null. */
    public interface Written<R> {
        R with(TextOutput w, List<byte[]> parts);
    }
}
