package creo.conformance;

import conformance.matrix.AnswerAsyncClient;
import conformance.matrix.AnswerClient;
import conformance.matrix.CarelessAsyncClient;
import conformance.matrix.CarelessClient;
import conformance.matrix.EchoAsyncClient;
import conformance.matrix.EchoClient;
import conformance.matrix.LooseText;
import conformance.matrix.MarkedText;
import conformance.matrix.PartedText;
import conformance.matrix.Stopped;
import conformance.matrix.TroubleAsyncClient;
import conformance.matrix.TroubleClient;
import conformance.values.NotFound;
import conformance.values.Refused;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.JsonChannel;
import creo.runtime.Limits;
import creo.runtime.SoapChannel;
import creo.runtime.TableOptions;
import creo.runtime.TcpChannel;
import creo.runtime.TdxmlChannel;
import creo.runtime.TdxmlSoapChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/** Makes single calls, and says how each ended: for the cases of {@code malformed/tcp-client} and {@code malformed/http-client}. */
final class ProbePeer {
    /** More than a connection takes whose other side does not read. */
    private static final String LONG = "x".repeat(8_000_000);

    private Channel channel;
    private Shown shown;
    private StreamProbe streams;

    static void run() throws IOException {
        ProbePeer probe = new ProbePeer();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(probe.answer(Json.object(line)));
            System.out.flush();
        }
        if (probe.channel != null) {
            probe.channel.close();
        }
    }

    private String answer(Map<String, Object> question) {
        if ("shown".equals(question.get("method"))) {
            return shown.take();
        }
        streams = null;
        String outcome = outcome(question);
        return "{" + outcome + (streams == null ? "" : member("items", streams.items())) + "}";
    }

    /** The members of an outcome. */
    private String outcome(Map<String, Object> question) {
        try {
            return "\"value\": " + Json.quote(call(question));
        } catch (NotFound e) {
            return "\"exception\": \"not-found\"";
        } catch (Refused e) {
            return "\"exception\": \"refused\"";
        } catch (Stopped e) {
            return "\"exception\": \"stopped\"";
        } catch (CreoException e) {
            return "\"error\": " + Json.quote(e.code().word()) + ", \"fromPeer\": " + e.fromPeer()
                + member("place", e.place()) + (e.offset() < 0 ? "" : ", \"offset\": " + e.offset())
                + member("limit", e.details().get("limit")) + member("allowed", e.details().get("allowed")) + member("message", e.getMessage()) + ", \"details\": " + details(e);
        } catch (Throwable e) {
            // A defect of this language: it is the harness that says so.
            return "\"defect\": " + Json.quote(e.toString());
        }
    }

    private static String details(CreoException e) {
        return e.details().entrySet().stream().map(d -> Json.quote(d.getKey()) + ": " + Json.quote(d.getValue())).collect(Collectors.joining(", ", "{", "}"));
    }

    private static String member(String name, String text) {
        return text == null ? "" : ", \"" + name + "\": " + Json.quote(text);
    }

    private String call(Map<String, Object> question) throws Throwable {
        if (question.get("fresh").equals("true")) {
            if (channel != null) {
                channel.close();
            }
            Object size = question.get("maxMessageSize");
            Limits limits = size == null ? Limits.DEFAULT : Limits.DEFAULT.withMaxMessageSize(Long.parseLong((String) size));
            Object time = question.get("connectTimeout");
            limits = time == null ? limits : limits.withConnectTimeout(Duration.ofMillis(Long.parseLong((String) time)));
            ClientOptions options = ClientOptions.DEFAULT.withLimits(limits);
            Object max = question.get("shown");
            shown = max == null ? null : new Shown(Integer.parseInt((String) max));
            options = sessionOptions(question, options);
            channel = open(question, shown == null ? options : shown.in(options));
        }
        CallOptions options = CallOptions.NONE.withDeadline(Duration.ofMillis(Long.parseLong((String) question.get("deadline"))));
        String method = (String) question.get("method");
        if (StreamProbe.METHODS.contains(method)) {
            streams = new StreamProbe(channel, options);
            return streams.call(method, question.get("async").equals("true"));
        }
        if (!question.get("async").equals("true")) {
            return blocking(method, options);
        }
        try {
            return async(method, options);
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    /** Without a wire: binary over TCP; {@code tdxml-tcp}: tables over TCP. Over HTTP a channel is that of one interface. */
    private static Channel open(Map<String, Object> question, ClientOptions options) {
        int port = Integer.parseInt((String) question.get("port"));
        String wire = (String) question.get("wire");
        if (wire == null) {
            return TcpChannel.open("127.0.0.1", port, options);
        }
        if (wire.equals("tdxml-tcp")) {
            return TdxmlChannel.tcp("127.0.0.1", port, options);
        }
        String method = (String) question.get("method");
        String url = "http://127.0.0.1:" + port + "/" + switch (method) {
            case "add" -> "Echo";
            case "answer" -> "Answer";
            case "ask", "mark", "part" -> "Careless";
            case "ticks", "stopping", "sum", "first" -> "Streams";
            default -> "Trouble";
        };
        return switch (wire) {
            case "json" -> JsonChannel.open(url, options);
            case "tdxml" -> TdxmlChannel.open(url, options);
            case "tables" -> TdxmlSoapChannel.open(url, options.withTables(TableOptions.RECORD));
            default -> SoapChannel.open(url, soapOptions(question, options));
        };
    }

    private static ClientOptions sessionOptions(Map<String, Object> question, ClientOptions options) {
        ClientOptions told = "true".equals(question.get("cookies")) ? options.withCookies() : options;
        if (question.get("redirects") instanceof String redirects) {
            told = told.withRedirects(Integer.parseInt(redirects));
        }
        if (question.get("basic") instanceof String basic) {
            int colon = basic.indexOf(':');
            told = told.withBasicAuthentication(basic.substring(0, colon), basic.substring(colon + 1));
        }
        if (question.get("digest") instanceof String digest) {
            int colon = digest.indexOf(':');
            told = told.withDigestAuthentication(digest.substring(0, colon), digest.substring(colon + 1));
        }
        return question.get("bearer") instanceof String bearer ? told.withBearerToken(bearer) : told;
    }

    private static ClientOptions soapOptions(Map<String, Object> question, ClientOptions options) {
        ClientOptions told = "true".equals(question.get("lenient")) ? options.withLenient() : options;
        Object names = question.get("understood");
        return names == null ? told : told.withUnderstood(names.toString().split(" "));
    }

    @SuppressWarnings("deprecation") // One of the methods is.
    private String blocking(String method, CallOptions options) throws NotFound, Refused {
        TroubleClient trouble = new TroubleClient(channel).with(options);
        switch (method) {
            case "add" -> {
                return Long.toString(new EchoClient(channel).with(options).add(1, 2));
            }
            case "answer" -> {
                return Integer.toString(new AnswerClient(channel).with(options).answer());
            }
            case "fail" -> {
                return trouble.fail("fine");
            }
            case "long" -> {
                return trouble.fail(LONG);
            }
            case "bytes" -> {
                return HexFormat.of().formatHex(trouble.bytes(4));
            }
            case "blocks" -> {
                return Integer.toString(trouble.blocks(2).size());
            }
            case "ask" -> {
                return new String(LooseText.toJson(new CarelessClient(channel).with(options).ask()), StandardCharsets.UTF_8);
            }
            case "mark" -> {
                return new String(MarkedText.toJson(new CarelessClient(channel).with(options).mark()), StandardCharsets.UTF_8);
            }
            case "part" -> {
                return new String(PartedText.toJson(new CarelessClient(channel).with(options).part()), StandardCharsets.UTF_8);
            }
            case "old" -> trouble.old();
            case "note" -> trouble.note("fine");
            default -> throw new IllegalArgumentException("no method " + method);
        }
        return "";
    }

    @SuppressWarnings("deprecation") // One of the methods is.
    private String async(String method, CallOptions options) throws ExecutionException, InterruptedException {
        TroubleAsyncClient trouble = new TroubleAsyncClient(channel).with(options);
        switch (method) {
            case "add" -> {
                return Long.toString(new EchoAsyncClient(channel).with(options).add(1, 2).get());
            }
            case "answer" -> {
                return Integer.toString(new AnswerAsyncClient(channel).with(options).answer().get());
            }
            case "fail" -> {
                return trouble.fail("fine").get();
            }
            case "long" -> {
                return trouble.fail(LONG).get();
            }
            case "bytes" -> {
                return HexFormat.of().formatHex(trouble.bytes(4).get());
            }
            case "blocks" -> {
                return Integer.toString(trouble.blocks(2).get().size());
            }
            case "ask" -> {
                return new String(LooseText.toJson(new CarelessAsyncClient(channel).with(options).ask().get()), StandardCharsets.UTF_8);
            }
            case "mark" -> {
                return new String(MarkedText.toJson(new CarelessAsyncClient(channel).with(options).mark().get()), StandardCharsets.UTF_8);
            }
            case "part" -> {
                return new String(PartedText.toJson(new CarelessAsyncClient(channel).with(options).part().get()), StandardCharsets.UTF_8);
            }
            case "old" -> trouble.old().get();
            case "note" -> trouble.note("fine").get();
            default -> throw new IllegalArgumentException("no method " + method);
        }
        return "";
    }
}
