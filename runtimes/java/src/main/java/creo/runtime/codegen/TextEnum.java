package creo.runtime.codegen;

import creo.runtime.internal.text.TextName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What text wires know of an enum. For generated code. */
public final class TextEnum {
    private static final int LARGEST_TABLE = 4_096;

    /** The declared name. */
    final String name;
    /** The constants' texts and numbers, in declared order. */
    private final byte[][] texts;
    /** The declared names of the constants, for wires that use them. */
    private byte[][] names;
    private final int[] numbers;
    public final boolean extensible;
    /** Whether a text needs escapes or cannot be an item of a list. */
    public final boolean special;
    /** The index of a number, where numbers are small. */
    private final int[] byNumber;
    private final Map<Integer, Integer> byLargeNumber = new HashMap<>();
    /** Open addressing by hash of the text. */
    private final int[] byText;
    private int[] byName;

    private TextEnum(String name, String[] texts, int[] numbers, boolean extensible) {
        this.name = name;
        this.numbers = numbers;
        this.extensible = extensible;
        this.special = Arrays.stream(texts).anyMatch(t -> t.isEmpty() || t.chars().anyMatch(c -> c <= ' ' || c == '&' || c == '<' || c == '>' || c == '"'
            || c == '|' || c == '\\' || c == '~'));
        this.texts = new byte[texts.length][];
        int size = Integer.highestOneBit(Math.max(4, 4 * texts.length));
        this.byText = new int[size];
        this.names = this.texts;
        this.byName = byText;
        int most = Arrays.stream(numbers).max().orElse(0);
        this.byNumber = most < LARGEST_TABLE ? new int[most + 1] : null;
        for (int i = 0; i < texts.length; i++) {
            this.texts[i] = texts[i].getBytes(StandardCharsets.UTF_8);
            enter(byText, this.texts[i], i);
            if (byNumber != null) {
                byNumber[numbers[i]] = i + 1;
            } else {
                byLargeNumber.put(numbers[i], i + 1);
            }
        }
    }

    private static void enter(int[] table, byte[] text, int index) {
        int size = table.length;
        int slot = TextName.hash(text, 0, text.length) & size - 1;
        while (table[slot] != 0) {
            slot = slot + 1 & size - 1;
        }
        table[slot] = index + 1;
    }

    /** Sets the declared names of the constants, where they differ from the texts. */
    public TextEnum names(String... declared) {
        names = new byte[declared.length][];
        byName = new int[byText.length];
        for (int i = 0; i < declared.length; i++) {
            names[i] = declared[i].getBytes(StandardCharsets.UTF_8);
            enter(byName, names[i], i);
        }
        return this;
    }

    /** An enum: the text and the number of each constant. */
    public static TextEnum of(String name, String[] texts, int[] numbers) {
        return new TextEnum(name, texts, numbers, false);
    }

    /** An extensible enum. */
    public static TextEnum extensible(String name, String[] texts, int[] numbers) {
        return new TextEnum(name, texts, numbers, true);
    }

    /** The text of a number, or null if unknown. */
    public byte[] text(int number) {
        int index = index(number);
        return index == 0 ? null : texts[index - 1];
    }

    /** The declared name of a number, or null if unknown. */
    public byte[] declared(int number) {
        int index = index(number);
        return index == 0 ? null : names[index - 1];
    }

    private int index(int number) {
        int index;
        if (byNumber != null) {
            index = number >= 0 && number < byNumber.length ? byNumber[number] : 0;
        } else {
            index = byLargeNumber.getOrDefault(number, 0);
        }
        return index;
    }

    boolean knows(int number) {
        return text(number) != null;
    }

    /** The number of a text, or -1. */
    public int number(byte[] b, int from, int to) {
        return number(byText, texts, b, from, to);
    }

    /** The number of a declared name, or -1. */
    public int numberOfDeclared(byte[] b, int from, int to) {
        return number(byName, names, b, from, to);
    }

    private int number(int[] table, byte[][] words, byte[] b, int from, int to) {
        int size = table.length;
        for (int slot = TextName.hash(b, from, to) & size - 1; table[slot] != 0; slot = slot + 1 & size - 1) {
            int i = table[slot] - 1;
            if (Arrays.equals(words[i], 0, words[i].length, b, from, to)) {
                return numbers[i];
            }
        }
        return -1;
    }

    /** The constants, for messages. */
    public String expected() {
        return expected(texts);
    }

    public String expectedNames() {
        return expected(names);
    }

    private static String expected(byte[][] words) {
        StringBuilder text = new StringBuilder();
        for (byte[] t : words) {
            text.append(text.length() == 0 ? "" : ", ").append(new String(t, StandardCharsets.UTF_8));
            if (text.length() > 400) {
                return text.append(", ...").toString();
            }
        }
        return text.toString();
    }
}
