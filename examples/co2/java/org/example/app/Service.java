package org.example.app;

import creo.runtime.Server;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.example.co2.Data;
import org.example.co2.DataService;
import org.example.co2.DataServiceEndpoint;
import org.example.co2.NotFound;
import org.example.co2.Query;
import org.example.co2.Sample;

/** Keeps series of measurements in memory: implement the interface, start a server. */
public final class Service implements DataService {
    // Calls come from many threads at the same time.
    private final Map<String, Data> series = new ConcurrentHashMap<>();

    /** Serves on the two ports that are given, or on free ones for 0, until its input ends: the binary wire over TCP, and SOAP over HTTP. */
    public static void main(String[] args) throws Exception {
        int tcp = args.length > 0 ? Integer.parseInt(args[0]) : 4711;
        int http = args.length > 1 ? Integer.parseInt(args[1]) : 8080;
        try (Server server = Server.builder().bind("127.0.0.1", tcp).http("127.0.0.1", http).add(DataServiceEndpoint.of(new Service())).start()) {
            System.out.println("serving on tcp://127.0.0.1:" + server.port() + " and http://127.0.0.1:" + server.httpPort() + "/DataService");
            while (System.in.read() >= 0) {
                // Whatever is typed is of no interest, only the end of it: then the server drains and closes.
            }
        }
    }

    @Override
    public void storeData(List<Data> data) {
        for (Data one : data) {
            series.put(one.metadata().description(), one);
        }
    }

    @Override
    public Data retrieveData(String description) throws NotFound {
        Data found = series.get(description);
        if (found == null) {
            throw new NotFound(description, series.keySet().stream().sorted().toList());
        }
        return found;
    }

    @Override
    public List<Sample> find(Query query) throws NotFound {
        return retrieveData(query.description()).samples().stream().filter(sample -> matches(query, sample)).toList();
    }

    private static boolean matches(Query query, Sample sample) {
        Instant week = sample.week();
        return (query.from() == null || !week.isBefore(query.from()))
            && (query.until() == null || week.isBefore(query.until()))
            && sample.ppm() >= query.atLeast();
    }
}
