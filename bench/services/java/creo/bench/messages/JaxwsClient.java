package creo.bench.messages;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.soap.SOAPBinding;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import javax.xml.datatype.XMLGregorianCalendar;
import javax.xml.namespace.QName;

/** The client of the JAX-WS implementation on the class path, controlled by its input like {@code CreoClient}. */
public final class JaxwsClient {
    private final String address;
    private final Consumer<Echo> prepare;
    private final Service service = Service.create(new QName(Plain.NAMESPACE, "Messages"));
    private final QName port = new QName(Plain.NAMESPACE, "Messages");
    /** One for each caller: whether they may be shared, JAX-WS leaves open. */
    private final List<Echo> clients = new ArrayList<>();

    private JaxwsClient(String address, Consumer<Echo> prepare) {
        this.address = address;
        this.prepare = prepare;
        service.addPort(port, SOAPBinding.SOAP11HTTP_BINDING, address);
    }

    public static void main(String[] args) throws Exception {
        run(args[0], proxy -> {});
    }

    /** Answers the lines of the input by calls of proxies that are prepared first. */
    static void run(String address, Consumer<Echo> prepare) throws Exception {
        JaxwsClient client = new JaxwsClient(address, prepare);
        Load load = new Load();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Map<String, List<Callable<Object>>> callers = new HashMap<>();
        System.out.println("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            List<Callable<Object>> known = callers.computeIfAbsent(words[0], name -> new ArrayList<>());
            int count = Integer.parseInt(words[1]);
            while (known.size() < count) {
                known.add(client.caller(known.size(), words[0]));
            }
            System.out.println(load.run(known.subList(0, count), Double.parseDouble(words[2])));
        }
        System.exit(0);
    }

    /** A call of the message, checked once. */
    private Callable<Object> caller(int index, String message) throws Exception {
        while (clients.size() <= index) {
            Echo proxy = service.getPort(port, Echo.class);
            ((BindingProvider) proxy).getRequestContext().put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, address);
            prepare.accept(proxy);
            clients.add(proxy);
        }
        Echo echo = clients.get(index);
        Object value = Jaxb.message(Jaxb.wrapped(message));
        Callable<Object> call = switch (message) {
            case "short" -> () -> echo.echoShort((Jaxb.Short) value);
            case "simple" -> () -> echo.echoSimple((Jaxb.Simple) value);
            case "medium" -> () -> echo.echoMedium((Jaxb.Medium) value);
            case "complex" -> () -> echo.echoComplex((Jaxb.Complex) value);
            default -> () -> echo.echoSimpleJpeg((Jaxb.SimpleJpeg) value);
        };
        String sent = text(value);
        String answer = text(call.call());
        if (!answer.equals(sent.replace("REQUEST", "RESPONSE"))) {
            throw new AssertionError("got " + answer + ", sent " + sent);
        }
        return call;
    }

    /** All that a value holds, with instants as such: however they were written. */
    private static String text(Object value) throws IllegalAccessException {
        if (value instanceof XMLGregorianCalendar calendar) {
            return calendar.toGregorianCalendar().toInstant().toString();
        }
        if (value instanceof byte[] bytes) {
            return Arrays.toString(bytes);
        }
        StringBuilder text = new StringBuilder();
        if (value instanceof List<?> list) {
            for (Object item : list) {
                text.append(text(item)).append(',');
            }
        } else if (value != null && value.getClass().getEnclosingClass() == Jaxb.class) {
            for (Field field : value.getClass().getFields()) {
                text.append(field.getName()).append('=').append(text(field.get(value))).append(';');
            }
        } else {
            text.append(value);
        }
        return text.toString();
    }
}
