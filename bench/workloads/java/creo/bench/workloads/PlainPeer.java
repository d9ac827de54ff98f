package creo.bench.workloads;

import com.alibaba.fastjson2.JSON;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.fasterxml.jackson.module.blackbird.BlackbirdModule;
import java.util.List;
import org.apache.fory.Fory;
import org.apache.fory.config.Language;

/** The peers that take any class. */
abstract class PlainPeer implements Peer {
    private final Object plain;

    PlainPeer(Object plain) {
        this.plain = plain;
    }

    @Override
    public Object build() {
        return Plain.copy(plain);
    }

    @Override
    public long read(Object message) {
        return Plain.read(message);
    }

    /** Apache Fory in its fastest documented setting: Java only, registered classes, generated serializers, no reference tracking. */
    static final class ForyPeer extends PlainPeer {
        private final Fory fory = Fory.builder()
            .withLanguage(Language.JAVA)
            .withRefTracking(false)
            .withCompatible(false)
            .withCodegen(true)
            .requireClassRegistration(true)
            .withNumberCompressed(false)
            .withStringCompressed(false)
            .withMaxGraphMemoryBytes(Long.MAX_VALUE)
            .build();

        ForyPeer(Object plain) {
            super(plain);
            for (Class<?> type : List.of(Plain.Item.class, Plain.Order.class, Plain.Orders.class, Plain.Reading.class, Plain.Telemetry.class, Plain.Node.class, Plain.Document.class)) {
                fory.register(type);
            }
        }

        @Override
        public byte[] encode(Object message) {
            return fory.serialize(message);
        }

        @Override
        public Object decode(byte[] bytes) {
            return fory.deserialize(bytes);
        }
    }

    /** Jackson with Blackbird, its faster access to fields. */
    static final class JacksonPeer extends PlainPeer {
        private final ObjectWriter writer;
        private final ObjectReader reader;

        JacksonPeer(Object plain) {
            super(plain);
            ObjectMapper mapper = JsonMapper.builder()
                .addModules(new JavaTimeModule(), new BlackbirdModule())
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .serializationInclusion(JsonInclude.Include.NON_NULL)
                .build();
            writer = mapper.writerFor(plain.getClass());
            reader = mapper.readerFor(plain.getClass());
        }

        @Override
        public byte[] encode(Object message) throws Exception {
            return writer.writeValueAsBytes(message);
        }

        @Override
        public Object decode(byte[] bytes) throws Exception {
            return reader.readValue(bytes);
        }
    }

    static final class Fastjson2Peer extends PlainPeer {
        private final Class<?> type;

        Fastjson2Peer(Object plain) {
            super(plain);
            type = plain.getClass();
        }

        @Override
        public byte[] encode(Object message) {
            return JSON.toJSONBytes(message);
        }

        @Override
        public Object decode(byte[] bytes) {
            return JSON.parseObject(bytes, type);
        }
    }
}
