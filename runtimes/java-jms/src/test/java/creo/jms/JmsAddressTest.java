package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses (JMS-1). */
class JmsAddressTest {
    @Test
    void theShortest() {
        JmsAddress a = JmsAddress.parse("jms:queue:data");
        assertEquals("data", a.name());
        assertFalse(a.isTopic());
        assertTrue(a.isPersistent());
        assertEquals(4, a.priority());
        assertEquals(0, a.timeToLive());
        assertNull(a.replyToName());
        assertNull(a.targetService());
        assertEquals("jms:queue:data", a.requestUri());
    }

    @Test
    void everyParameter() {
        JmsAddress a = JmsAddress.parse("jms:topic:a%20b%2f%C3%BC?deliveryMode=NON_PERSISTENT&timeToLive=5000&priority=9&replyToName=an%26swers&targetService=org.x.Y&other=%26");
        assertEquals("a b/\u00fc", a.name());
        assertTrue(a.isTopic());
        assertFalse(a.isPersistent());
        assertEquals(9, a.priority());
        assertEquals(5_000, a.timeToLive());
        assertEquals("an&swers", a.replyToName());
        assertEquals("org.x.Y", a.targetService());
        assertEquals("jms:topic:a%20b%2f%C3%BC?deliveryMode=NON_PERSISTENT&timeToLive=5000&priority=9&replyToName=an%26swers", a.requestUri());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "data", "queue:data", "jms:", "jms:queue", "jms:queue:", "jms:queue:?priority=1", "http:queue:data", "jms:jndi:data", "jms:other:data", "jms:queue:a b",
        "jms:queue:a#b", "jms:queue:%", "jms:queue:%4", "jms:queue:%zz", "jms:queue:%ff", "jms:queue:a?b", "jms:queue:a?=b", "jms:queue:a?&", "jms:queue:a?priority=10",
        "jms:queue:a?priority=-1", "jms:queue:a?priority=", "jms:queue:a?priority=1&priority=1", "jms:queue:a?timeToLive=x", "jms:queue:a?timeToLive=99999999999999999999",
        "jms:queue:a?deliveryMode=persistent", "jms:queue:a?replyToName=", "jms:queue:a?targetService=", "jms:queue:a?jndiURL=x", "jms:queue:a?jndi-x=y", "jms:queue:a?JNDIx=y",
        "jms:queue:a\n", "jms:queue:a?x=1&x=2"})
    void wrongOnes(String text) {
        assertEquals(ErrorCode.INVALID_VALUE, assertThrows(CreoException.class, () -> JmsAddress.parse(text)).code(), text);
    }

    @Test
    void tooLong() {
        assertEquals(ErrorCode.INVALID_VALUE, assertThrows(CreoException.class, () -> JmsAddress.parse("jms:queue:" + "x".repeat(5_000))).code());
        assertEquals(ErrorCode.INVALID_VALUE, assertThrows(CreoException.class, () -> JmsAddress.parse(null)).code());
        assertEquals(ErrorCode.INVALID_VALUE, assertThrows(CreoException.class, () -> JmsHost.builder().address("jms:topic:data")).code());
    }
}
