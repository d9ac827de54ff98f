package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import creo.runtime.codegen.Lists;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ListsTest {
    @Test
    void whatCannotChangeIsNotCopied() {
        List<String> given = List.of("a", "b");
        assertSame(given, Lists.copyOf(given, "f"));
        List<String> read = Lists.frozen(new Object[] {"a"}, 1);
        assertSame(read, Lists.copyOf(read, "f"));
        assertSame(read, Lists.copyOfNullable(read, "f"));
        Map<String, Integer> map = Lists.frozen(new LinkedHashMap<>(Map.of("a", 1)));
        assertSame(map, Lists.copyOf(map, "f"));
        assertSame(map, Lists.copyOfNullable(map, "f"));
    }

    @Test
    void whatCanChangeIsCopied() {
        List<String> list = new ArrayList<>(List.of("a"));
        List<String> copy = Lists.copyOf(list, "f");
        list.set(0, "b");
        assertEquals(List.of("a"), copy);
        List<List<String>> outer = List.of(list);
        List<List<String>> deep = Lists.copyOf(outer, "f", item -> Lists.copyOf(item, "f[]"));
        list.clear();
        assertEquals(List.of(List.of("b")), deep);
        assertSame(deep, Lists.copyOf(deep, "f", item -> Lists.copyOf(item, "f[]")));
    }

    @Test
    void whatMayHoldNullIsNotTakenWhereNothingMayBeMissing() {
        List<String> holes = Lists.frozenNullable(new Object[] {"a", null}, 2);
        assertSame(holes, Lists.copyOfNullable(holes, "f"));
        assertEquals("f[1]", assertThrows(NullPointerException.class, () -> Lists.copyOf(holes, "f")).getMessage());
        List<String> full = Lists.frozenNullable(new Object[] {"a"}, 1);
        assertNotSame(full, Lists.copyOf(full, "f"));
        LinkedHashMap<String, String> entries = new LinkedHashMap<>();
        entries.put("a", "b");
        entries.put("c", null);
        Map<String, String> map = Lists.frozenNullable(entries);
        assertSame(map, Lists.copyOfNullable(map, "f"));
        assertEquals("f{1}.value", assertThrows(NullPointerException.class, () -> Lists.copyOf(map, "f")).getMessage());
        entries.clear();
        entries.put(null, "b");
        assertEquals("f{0}.key", assertThrows(NullPointerException.class, () -> Lists.copyOfNullable(new LinkedHashMap<>(entries), "f")).getMessage());
    }

    @Test
    void nullIsNamed() {
        assertEquals("f", assertThrows(NullPointerException.class, () -> Lists.copyOf((List<String>) null, "f")).getMessage());
        assertEquals("f", assertThrows(NullPointerException.class, () -> Lists.copyOf((Map<String, String>) null, "f")).getMessage());
        assertEquals("f[0]", assertThrows(NullPointerException.class, () -> Lists.copyOf(Arrays.asList((String) null), "f")).getMessage());
    }

    @Test
    void aMapKeepsItsOrderAndCannotBeChanged() {
        Map<Integer, String> map = new LinkedHashMap<>();
        for (int i = 9; i > 0; i--) {
            map.put(i, "x");
        }
        Map<Integer, String> copy = Lists.copyOf(map, "f");
        assertEquals(map.keySet().toString(), copy.keySet().toString());
        assertThrows(UnsupportedOperationException.class, () -> copy.put(1, "y"));
        assertThrows(UnsupportedOperationException.class, () -> copy.entrySet().iterator().next().setValue("y"));
        assertThrows(UnsupportedOperationException.class, () -> copy.values().clear());
        assertEquals(map, copy);
        assertEquals(map.hashCode(), copy.hashCode());
    }
}
