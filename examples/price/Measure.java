import creo.runtime.Server;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.example.price.Columns;
import org.example.price.Price;
import org.example.price.Prices;
import org.example.price.PricesClient;
import org.example.price.PricesEndpoint;
import org.example.price.Unknown;

/** Asks for 200 prices one at a time, and all at once, of a service on this machine. Prints the median times. */
class Measure implements Prices {
    private static final int SYMBOLS = 200;
    private static final int RUNS = 60;

    @Override
    public Price price(String symbol) throws Unknown {
        if (!symbol.startsWith("S")) {
            throw new Unknown(symbol);
        }
        double middle = 100 + symbol.hashCode() % 50;
        return new Price(symbol, middle - 0.05, middle + 0.05);
    }

    @Override
    public Columns prices(List<String> symbols) throws Unknown {
        Columns columns = new Columns(new double[symbols.size()], new double[symbols.size()]);
        for (int i = 0; i < symbols.size(); i++) {
            Price price = price(symbols.get(i));
            columns.bid()[i] = price.bid();
            columns.ask()[i] = price.ask();
        }
        return columns;
    }

    public static void main(String[] args) throws Exception {
        List<String> symbols = new ArrayList<>();
        for (int i = 0; i < SYMBOLS; i++) {
            symbols.add(String.format(Locale.ROOT, "S%05d", i));
        }
        try (Server server = Server.builder().bind("127.0.0.1", 0).add(PricesEndpoint.of(new Measure())).start();
            PricesClient client = new PricesClient("127.0.0.1", server.port())) {
            double[] chatty = new double[RUNS];
            double[] batched = new double[RUNS];
            for (int run = 0; run < RUNS; run++) {
                long begin = System.nanoTime();
                List<Price> one = new ArrayList<>();
                for (String symbol : symbols) {
                    one.add(client.price(symbol));
                }
                long middle = System.nanoTime();
                Columns all = client.prices(symbols);
                chatty[run] = (middle - begin) / 1e3;
                batched[run] = (System.nanoTime() - middle) / 1e3;
                for (int i = 0; i < SYMBOLS; i++) {
                    if (one.get(i).bid() != all.bid()[i] || one.get(i).ask() != all.ask()[i]) {
                        throw new AssertionError("other prices for " + symbols.get(i));
                    }
                }
            }
            System.out.printf(Locale.ROOT, "200 calls of price: %.0f us%n1 call of prices: %.0f us%n", median(chatty), median(batched));
        }
    }

    /** Of the second half, when everything is warm. */
    private static double median(double[] times) {
        double[] warm = Arrays.copyOfRange(times, times.length / 2, times.length);
        Arrays.sort(warm);
        return warm[warm.length / 2];
    }
}
