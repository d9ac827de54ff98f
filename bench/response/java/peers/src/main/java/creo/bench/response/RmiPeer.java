package creo.bench.response;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.Base64;

/** Java RMI. The stub itself is the address: no registry is needed. */
public final class RmiPeer implements Peer {
    /** Kept, or it would be collected. */
    private Service service;

    /** The called interface. */
    public interface Puts extends Remote {
        int numbers(Plain.Block[] blocks) throws RemoteException;

        int strings(String[] items) throws RemoteException;

        int bytes(byte[] data) throws RemoteException;
    }

    private static final class Service implements Puts {
        @Override
        public int numbers(Plain.Block[] blocks) {
            return Plain.received(Kind.NUMBERS, blocks);
        }

        @Override
        public int strings(String[] items) {
            return Plain.received(Kind.STRINGS, items);
        }

        @Override
        public int bytes(byte[] data) {
            return Plain.received(Kind.BYTES, data);
        }
    }

    @Override
    public String serve() throws Exception {
        service = new Service();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(UnicastRemoteObject.exportObject(service, 0));
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    @Override
    public Client connect(String address) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(address)))) {
            return new Sender((Puts) in.readObject());
        }
    }

    private record Sender(Puts puts) implements Client {
        @Override
        public Object prepare(Kind kind, int count) {
            return Plain.arrays(kind, count);
        }

        @Override
        public int call(Kind kind, Object request) throws RemoteException {
            return switch (kind) {
                case NUMBERS -> puts.numbers((Plain.Block[]) request);
                case STRINGS -> puts.strings((String[]) request);
                case BYTES -> puts.bytes((byte[]) request);
            };
        }
    }
}
