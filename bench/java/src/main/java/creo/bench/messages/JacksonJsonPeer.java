package creo.bench.messages;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import creo.bench.Case;
import java.util.Map;

/**
 * Jackson databind with JSON: mapper, reader and writer are reused. The message is in an object of the method's parameters, as on Creo's json wire.
 */
final class JacksonJsonPeer implements Case {
    private final ObjectWriter writer;
    private final ObjectReader reader;
    private final Object value;
    private final byte[] bytes;

    JacksonJsonPeer(String message) throws Exception {
        JsonMapper mapper = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .build();
        value = Plain.message(message);
        // The surrounding name costs a map with one entry, and the reader skips to its value.
        writer = mapper.writerFor(mapper.getTypeFactory().constructMapType(Map.class, String.class, value.getClass()));
        reader = mapper.readerFor(value.getClass()).at("/message");
        bytes = serialize();
    }

    @Override
    public byte[] serialize() throws Exception {
        return writer.writeValueAsBytes(Map.of("message", value));
    }

    @Override
    public Object deserialize() throws Exception {
        return reader.readValue(bytes);
    }

    @Override
    public Object plain(Object decoded) {
        return decoded;
    }
}
