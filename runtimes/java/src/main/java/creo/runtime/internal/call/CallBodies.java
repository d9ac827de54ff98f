package creo.runtime.internal.call;

import creo.runtime.Limits;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;

/** Writes and reads the bodies of calls whose method is known: over TCP, by the wire of the connection. */
public abstract class CallBodies {
    /** The binary wire (BIN-14). */
    public static final CallBodies BINARY = new Binary();

    /** The wire's number in a preamble (TCP-1). */
    public final int number;
    /** The name of the wire. */
    public final String name;

    public CallBodies(int number, String name) {
        this.number = number;
        this.name = name;
    }

    /**
     * The arguments of a request.
     *
     * @param answers the form of the answer
     */
    public record Request<A>(A arguments, CallBodies answers) {}

    public abstract <A> void writeArguments(Writer w, ServiceMethod<A, ?> method, A arguments);

    public abstract <R> void writeResult(Writer w, ServiceMethod<?, R> method, R result);

    /** Writes the method's declared exception at an index. */
    public abstract void writeException(Writer w, ServiceMethod<?, ?> method, int index, Exception e);

    /** Reads a complete body from {@code source}. */
    public abstract <A> Request<A> readArguments(Reader r, Reader.Source source, Limits limits, ServiceMethod<A, ?> method);

    public abstract <R> R readResult(Reader r, Reader.Source source, Limits limits, ServiceMethod<?, R> method);

    /** Reads a declared exception of the method; fails if it has none. */
    public abstract Exception readException(Reader r, Reader.Source source, Limits limits, ServiceMethod<?, ?> method);

    private static final class Binary extends CallBodies {
        Binary() {
            super(0, "binary");
        }

        @Override
        public <A> void writeArguments(Writer w, ServiceMethod<A, ?> method, A arguments) {
            method.arguments().encode(w, arguments);
        }

        @Override
        public <R> void writeResult(Writer w, ServiceMethod<?, R> method, R result) {
            method.result().encode(w, result);
        }

        @Override
        public void writeException(Writer w, ServiceMethod<?, ?> method, int index, Exception e) {
            w.writeCount(index);
            method.exceptions().get(index).encode(w, e);
        }

        @Override
        public <A> Request<A> readArguments(Reader r, Reader.Source source, Limits limits, ServiceMethod<A, ?> method) {
            A arguments = method.arguments().decode(r);
            r.finish();
            return new Request<>(arguments, this);
        }

        @Override
        public <R> R readResult(Reader r, Reader.Source source, Limits limits, ServiceMethod<?, R> method) {
            R result = method.result().decode(r);
            r.finish();
            return result;
        }

        @Override
        public Exception readException(Reader r, Reader.Source source, Limits limits, ServiceMethod<?, ?> method) {
            int index = r.readCount();
            if (index >= method.exceptions().size()) {
                throw r.unknownNumber(index, "the list of what " + method + " throws");
            }
            Exception e = method.exceptions().get(index).codec().decode(r);
            r.finish();
            return e;
        }
    }
}
