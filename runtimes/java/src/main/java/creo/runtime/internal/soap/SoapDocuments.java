package creo.runtime.internal.soap;

import creo.runtime.ClientOptions;
import creo.runtime.Limits;
import creo.runtime.codegen.TextMessage;
import creo.runtime.internal.text.SoapVersion;
import creo.runtime.internal.text.TextOutput;
import creo.runtime.internal.xml.XmlValues;
import java.util.List;

/** Documents of another wire that the body of an envelope may hold instead of a message as XML (TDX-50). */
public abstract class SoapDocuments {
    /** Whether a document begins where the reader is, as writers begin it; nothing of it is read then. */
    public abstract boolean beginsPlainly(SoapReader r);

    /** Comes to the document whose element begins where the reader is, or of which {@link #beginsPlainly} was true. */
    public abstract Document open(SoapReader r);

    /** How a client writes its requests as documents; null if it does not. */
    public abstract Form form(ClientOptions options);

    /** A document that is being read. */
    public abstract static class Document {
        /** The name of the method that it says it is of; null if it does not. */
        public abstract String method();

        /** Fails if it says that it is of another method. */
        public abstract void checkMethod(String name);

        public abstract <T> T message(TextMessage<T> message, String method, XmlValues.Parts parts);

        /** How the answer is written. */
        public abstract Form form();
    }

    /** How documents are written. */
    public abstract static class Form {
        /**
         * Writes an envelope with a document.
         *
         * @param of the method that it says it is of, or null
         * @param blocks the header, or null
         * @param packaged whether byte strings become parts of a package
         * @param written what is done with what was written
         */
        public abstract <T, R> R write(TextMessage<T> message, T value, String method, String of, SoapVersion version, byte[] blocks, boolean packaged, Limits limits,
                Written<R> written);
    }

    /** Takes an envelope that was written, and its parts or null. */
    public interface Written<R> {
        R with(TextOutput w, List<byte[]> parts);
    }
}
