package org.example.app;

import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.JsonChannel;
import creo.runtime.SoapChannel;
import creo.runtime.TableOptions;
import creo.runtime.TcpChannel;
import creo.runtime.TdxmlChannel;
import creo.runtime.TdxmlSoapChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.example.co2.Data;
import org.example.co2.DataServiceClient;
import org.example.co2.MetaData;
import org.example.co2.NotFound;
import org.example.co2.Query;
import org.example.co2.Sample;

/** Stores the weekly CO2 series of Mauna Loa and retrieves it: {@code Client BINDING HOST:PORT CSV [REPEATS]}. */
public final class Client {
    private static final String NAME = "CO2 at Mauna Loa, from Java";

    public static void main(String[] args) throws Exception {
        try (Channel channel = open(args[0], args[1])) {
            run(new DataServiceClient(channel), args);
        }
    }

    /** Makes all calls with a client. */
    static void run(DataServiceClient service, String[] args) throws Exception {
        Data series = read(Path.of(args[2]));
        service.storeData(List.of(series));
        Data back = service.retrieveData(NAME);
        check(back.equals(series), "the series came back different");
        System.out.printf(Locale.ROOT, "stored and retrieved %d weeks%n", back.samples().size());

        // Records have all their fields in the constructor; optional ones are null where there is nothing.
        Instant from = Instant.parse("1990-01-01T00:00:00Z");
        Instant until = Instant.parse("2000-01-01T00:00:00Z");
        List<Sample> high = service.find(new Query(NAME, from, until, 365.0));
        List<Sample> expected = series.samples().stream()
            .filter(s -> !s.week().isBefore(from) && s.week().isBefore(until) && s.ppm() >= 365.0)
            .toList();
        check(high.equals(expected), "find gave other weeks than expected");
        System.out.printf(Locale.ROOT, "found %d weeks of the nineties with 365 ppm and more%n", high.size());

        try {
            service.retrieveData("CO2 on Mars");
            check(false, "nobody measured CO2 on Mars");
        } catch (NotFound e) {
            check(e.known().contains(NAME), "the service does not name what it has");
            System.out.printf("not found, as declared: %s%n", e.description());
        }
        measure(service, series, args.length > 3 ? Integer.parseInt(args[3]) : 0);
    }

    /** The calls are the same over every binding. */
    private static Channel open(String binding, String place) {
        String host = place.substring(0, place.lastIndexOf(':'));
        int port = Integer.parseInt(place.substring(host.length() + 1));
        String url = "http://" + place + "/DataService";
        ClientOptions options = ClientOptions.DEFAULT;
        return switch (binding) {
            case "binary+tcp" -> TcpChannel.open(host, port, options);
            case "tdxml+tcp" -> TdxmlChannel.tcp(host, port, options);
            case "soap+http" -> SoapChannel.open(url, options);
            case "tdxml+http" -> TdxmlSoapChannel.open(url, options.withTables(TableOptions.RECORD));
            case "json+http" -> JsonChannel.open(url, options);
            default -> throw new IllegalArgumentException("no such binding: " + binding);
        };
    }

    /** The series of the CSV: a date and a number a line; a week without a measurement has no number. */
    private static Data read(Path csv) throws IOException {
        List<Sample> samples = new ArrayList<>();
        for (String line : Files.readAllLines(csv)) {
            String[] parts = line.split(",");
            if (parts.length == 2 && !parts[0].equals("date")) {
                LocalDate week = LocalDate.parse(parts[0], DateTimeFormatter.BASIC_ISO_DATE);
                samples.add(new Sample(week.atStartOfDay(ZoneOffset.UTC).toInstant(), Double.parseDouble(parts[1])));
            }
        }
        return new Data(new MetaData(NAME, "Keeling and Whorf 2004", Instant.parse("2014-03-15T00:00:00Z")), samples);
    }

    private static void check(boolean holds, String problem) {
        if (!holds) {
            throw new AssertionError(problem);
        }
    }

    /** Repeats both calls and prints the median time of one, in the second half, when everything is warm. */
    private static void measure(DataServiceClient service, Data series, int repeats) throws Exception {
        double[] store = new double[repeats];
        double[] retrieve = new double[repeats];
        for (int i = 0; i < repeats; i++) {
            long start = System.nanoTime();
            service.storeData(List.of(series));
            long stored = System.nanoTime();
            service.retrieveData(NAME);
            store[i] = (stored - start) / 1e3;
            retrieve[i] = (System.nanoTime() - stored) / 1e3;
        }
        System.out.printf(Locale.ROOT, "{\"calls\": %d, \"storeMicroseconds\": %.1f, \"retrieveMicroseconds\": %.1f}%n",
            2 * repeats + 4, median(store), median(retrieve));
    }

    private static double median(double[] samples) {
        double[] warm = Arrays.copyOfRange(samples, samples.length / 2, samples.length);
        Arrays.sort(warm);
        return warm.length == 0 ? 0 : warm[warm.length / 2];
    }
}
