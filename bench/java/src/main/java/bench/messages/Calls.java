package bench.messages;

import creo.runtime.SoapBytes;

/** Requests of the generated interface as bytes; stands in the generated package, whose text methods are its own. */
public final class Calls {
    private Calls() {}

    public static byte[] write(Object message) {
        if (message instanceof Short m) {
            return SoapBytes.write(MessagesTexts.ECHO_SHORT, new MessagesMethods.EchoShort(m));
        }
        if (message instanceof Simple m) {
            return SoapBytes.write(MessagesTexts.ECHO_SIMPLE, new MessagesMethods.EchoSimple(m));
        }
        if (message instanceof Medium m) {
            return SoapBytes.write(MessagesTexts.ECHO_MEDIUM, new MessagesMethods.EchoMedium(m));
        }
        if (message instanceof Complex m) {
            return SoapBytes.write(MessagesTexts.ECHO_COMPLEX, new MessagesMethods.EchoComplex(m));
        }
        return SoapBytes.write(MessagesTexts.ECHO_SIMPLE_JPEG, new MessagesMethods.EchoSimpleJpeg((SimpleJpeg) message));
    }

    public static Object read(Object like, byte[] bytes) {
        if (like instanceof Short) {
            return SoapBytes.read(MessagesTexts.ECHO_SHORT, bytes).message();
        }
        if (like instanceof Simple) {
            return SoapBytes.read(MessagesTexts.ECHO_SIMPLE, bytes).message();
        }
        if (like instanceof Medium) {
            return SoapBytes.read(MessagesTexts.ECHO_MEDIUM, bytes).message();
        }
        if (like instanceof Complex) {
            return SoapBytes.read(MessagesTexts.ECHO_COMPLEX, bytes).message();
        }
        return SoapBytes.read(MessagesTexts.ECHO_SIMPLE_JPEG, bytes).message();
    }
}
