package creo.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Feeds the parsers of HTTP mutated messages for some seconds: {@code HttpFuzz SECONDS [SEED]}. Whatever comes, a parser ends in nothing but an {@link creo.runtime.internal.http.HttpFault HttpFault},
 * consumes no byte that is not there, makes progress, and says the same however the bytes are split. Inputs with a new outcome join the corpus.
 */
final class HttpFuzz {
    private static final int MAX_INPUT = 600;
    private static final int MAX_CORPUS = 5_000;
    private static final String[] METHODS = {"POST", "HEAD", "CONNECT"};

    private final Random random;
    private final List<byte[]> requests = new ArrayList<>();
    private final List<byte[]> responses = new ArrayList<>();
    private final Set<String> outcomes = new HashSet<>();

    private HttpFuzz(long seed) {
        random = new Random(seed);
        HttpRequestParserTest.inputs().stream().filter(input -> input.length <= MAX_INPUT).forEach(requests::add);
        HttpResponseParserTest.inputs().stream().filter(input -> input.length <= MAX_INPUT).forEach(responses::add);
    }

    public static void main(String[] args) {
        if (args.length == 0) {
            System.err.println("usage: HttpFuzz SECONDS [SEED]");
            System.exit(2);
        }
        long seed = args.length > 1 ? Long.parseLong(args[1]) : new Random().nextLong();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[0]));
        System.out.println("seed " + seed);
        HttpFuzz fuzz = new HttpFuzz(seed);
        long runs = 0;
        for (; System.nanoTime() - end < 0; runs++) {
            fuzz.run();
        }
        System.out.println(runs + " inputs, " + fuzz.outcomes.size() + " outcomes: whole and split inputs agree");
    }

    private void run() {
        boolean request = random.nextInt(3) > 0;
        List<byte[]> corpus = request ? requests : responses;
        byte[] input = input(corpus);
        String method = METHODS[random.nextInt(METHODS.length)];
        String trace;
        try {
            trace = HttpFeeds.checkSplits(random, () -> request ? new HttpFeeds.Requests() : new HttpFeeds.Responses(method), input);
        } catch (RuntimeException | AssertionError e) {
            System.err.println((request ? "a request: " : "a response to " + method + ": ") + Arrays.toString(input));
            throw e;
        }
        if (outcomes.size() < MAX_CORPUS && outcomes.add(trace.replaceAll("[a-zA-Z0-9%]{3,}", "x")) && input.length <= MAX_INPUT) {
            corpus.add(input);
        }
    }

    private byte[] input(List<byte[]> corpus) {
        byte[] one = corpus.get(random.nextInt(corpus.size()));
        switch (random.nextInt(8)) {
            case 0 -> {
                byte[] noise = new byte[random.nextInt(64)];
                random.nextBytes(noise);
                return noise;
            }
            case 1, 2 -> {
                byte[] other = corpus.get(random.nextInt(corpus.size()));
                int cut = random.nextInt(one.length + 1);
                byte[] both = Arrays.copyOf(one, cut + other.length);
                System.arraycopy(other, 0, both, cut, other.length);
                return HttpFeeds.mutated(random, both);
            }
            default -> {
                return HttpFeeds.mutated(random, one);
            }
        }
    }
}
