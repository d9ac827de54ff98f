import creo.runtime.Server;
import org.example.lab.LabEndpoint;
import org.example.lab.Sample;

/** Serves the laboratory of the tests, prints its port, and ends when its input does. */
class LabService {
    /** As many values as the name has characters; late for the name `late`. */
    static Sample find(String name) {
        if (name.equals("late")) {
            try {
                Thread.sleep(5_000);
            } catch (InterruptedException overdue) {
                Thread.currentThread().interrupt();
            }
        }
        double[] values = new double[name.length()];
        java.util.Arrays.setAll(values, index -> index);
        return new Sample(name, values);
    }

    public static void main(String[] args) throws Exception {
        Server server = Server.builder().bind("127.0.0.1", 0).add(LabEndpoint.of(LabService::find)).start();
        System.out.println(server.port());
        while (System.in.read() >= 0) {
        }
        server.close();
    }
}
