package creo.runtime;

import java.util.List;

/** Documents of another wire that the body of an envelope may hold instead of a message as XML (TDX-50). */
abstract class SoapDocuments {
    /** Whether a document begins where the reader is, as writers begin it; nothing of it is read then. */
    abstract boolean beginsPlainly(SoapReader r);

    /** Comes to the document whose element begins where the reader is, or of which {@link #beginsPlainly} was true. */
    abstract Document open(SoapReader r);

    /** How a client writes its requests as documents; null if it does not. */
    abstract Form form(ClientOptions options);

    /** A document that is being read. */
    abstract static class Document {
        /** The name of the method that it says it is of; null if it does not. */
        abstract String method();

        /** Fails if it says that it is of another method. */
        abstract void checkMethod(String name);

        abstract <T> T message(TextMessage<T> message, String method, XmlValues.Parts parts);

        /** How the answer is written. */
        abstract Form form();
    }

    /** How documents are written. */
    abstract static class Form {
        /**
         * Writes an envelope with a document.
         *
         * @param of the method that it says it is of, or null
         * @param packaged whether byte strings become parts of a package
         * @param written what is done with what was written
         */
        abstract <T, R> R write(TextMessage<T> message, T value, String method, String of, SoapVersion version, boolean packaged, Limits limits, Written<R> written);
    }

    /** Takes an envelope that was written, and its parts or null. */
    interface Written<R> {
        R with(TextOutput w, List<byte[]> parts);
    }
}
