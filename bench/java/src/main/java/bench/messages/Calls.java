package bench.messages;

import creo.runtime.RequestForm;
import creo.runtime.codegen.ServiceMethod;

/** Requests of the generated interface as bytes; in the generated package, for access to its package-private methods. */
public final class Calls {
    /** The use of a request. */
    private interface Use<R> {
        <A> R of(ServiceMethod<A, ?> method, A arguments);
    }

    private Calls() {}

    public static byte[] write(RequestForm form, Object message) {
        return use(message, new Use<>() {
            @Override
            public <A> byte[] of(ServiceMethod<A, ?> method, A arguments) {
                return form.write(method, arguments);
            }
        });
    }

    public static byte[] writePackage(RequestForm form, Object message) {
        return use(message, new Use<>() {
            @Override
            public <A> byte[] of(ServiceMethod<A, ?> method, A arguments) {
                return form.writePackage(method, arguments);
            }
        });
    }

    private static <R> R use(Object message, Use<R> use) {
        if (message instanceof Short m) {
            return use.of(MessagesMethods.ECHO_SHORT, new MessagesMethods.EchoShort(m));
        }
        if (message instanceof Simple m) {
            return use.of(MessagesMethods.ECHO_SIMPLE, new MessagesMethods.EchoSimple(m));
        }
        if (message instanceof Medium m) {
            return use.of(MessagesMethods.ECHO_MEDIUM, new MessagesMethods.EchoMedium(m));
        }
        if (message instanceof Complex m) {
            return use.of(MessagesMethods.ECHO_COMPLEX, new MessagesMethods.EchoComplex(m));
        }
        return use.of(MessagesMethods.ECHO_SIMPLE_JPEG, new MessagesMethods.EchoSimpleJpeg((SimpleJpeg) message));
    }

    public static Object read(RequestForm form, Object like, byte[] bytes) {
        if (like instanceof Short) {
            return form.read(MessagesMethods.ECHO_SHORT, bytes).message();
        }
        if (like instanceof Simple) {
            return form.read(MessagesMethods.ECHO_SIMPLE, bytes).message();
        }
        if (like instanceof Medium) {
            return form.read(MessagesMethods.ECHO_MEDIUM, bytes).message();
        }
        if (like instanceof Complex) {
            return form.read(MessagesMethods.ECHO_COMPLEX, bytes).message();
        }
        return form.read(MessagesMethods.ECHO_SIMPLE_JPEG, bytes).message();
    }
}
