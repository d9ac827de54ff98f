package creo.wss;

import creo.runtime.ClientSecurity;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.ServiceSecurity;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.wss4j.common.ext.WSSecurityException;

/** WSS4J at one end of a call. */
final class PeerSecurity implements ClientSecurity, ServiceSecurity {
    private final Peer.Form form;
    /** What each message must have, as {@link Peer#check} names it. */
    private final List<String> parts;
    /** The messages that came, as they were sent. */
    final List<String> received = new CopyOnWriteArrayList<>();

    PeerSecurity(Peer.Form form, String... parts) {
        this.form = form;
        this.parts = List.of(parts);
    }

    @Override
    public byte[] send(byte[] message) {
        try {
            return Peer.secure(message, form);
        } catch (WSSecurityException e) {
            throw new CreoException(ErrorCode.INTERNAL, "WSS4J", e);
        }
    }

    @Override
    public byte[] receive(byte[] message, int length, String charset) {
        String text = new String(message, 0, length, StandardCharsets.UTF_8);
        received.add(text);
        try {
            Peer.Found found = Peer.check(text.getBytes(StandardCharsets.UTF_8));
            if (!found.parts().containsAll(parts)) {
                throw new CreoException(ErrorCode.UNAUTHENTICATED, "WSS4J found " + found.parts());
            }
            byte[] bytes = found.text().getBytes(StandardCharsets.UTF_8);
            Envelope envelope = Envelope.parse(bytes, bytes.length, "utf-8");
            envelope.header.removeChild(envelope.security);
            Dom.children(envelope.header).forEach(block -> block.removeAttributeNS(Names.WSU, "Id"));
            return envelope.toBytes();
        } catch (WSSecurityException e) {
            throw new CreoException(ErrorCode.UNAUTHENTICATED, "WSS4J: " + e.getMessage(), e);
        }
    }

    @Override
    public Request accept(byte[] request, int length, String charset) {
        byte[] envelope = receive(request, length, charset);
        return new Request() {
            @Override
            public byte[] envelope() {
                return envelope;
            }

            @Override
            public Principal caller() {
                return () -> "WSS4J";
            }

            @Override
            public byte[] send(byte[] answer) {
                return PeerSecurity.this.send(answer);
            }
        };
    }
}
