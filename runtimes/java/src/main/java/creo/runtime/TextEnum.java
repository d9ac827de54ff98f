package creo.runtime;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What text wires know of an enum. For generated code. */
public final class TextEnum {
    private static final int LARGEST_TABLE = 4_096;

    /** As declared. */
    final String name;
    /** The constants' texts and numbers, in declared order. */
    private final byte[][] texts;
    private final int[] numbers;
    final boolean extensible;
    /** Whether a text needs escapes, or cannot be in a list. */
    final boolean special;
    /** The index of a number, where numbers are small. */
    private final int[] byNumber;
    private final Map<Integer, Integer> byLargeNumber = new HashMap<>();
    /** Open addressing by hash of the text. */
    private final int[] byText;

    private TextEnum(String name, String[] texts, int[] numbers, boolean extensible) {
        this.name = name;
        this.numbers = numbers;
        this.extensible = extensible;
        this.special = Arrays.stream(texts).anyMatch(t -> t.isEmpty() || t.chars().anyMatch(c -> c <= ' ' || c == '&' || c == '<' || c == '>' || c == '"'));
        this.texts = new byte[texts.length][];
        int size = Integer.highestOneBit(Math.max(4, 4 * texts.length));
        this.byText = new int[size];
        int most = Arrays.stream(numbers).max().orElse(0);
        this.byNumber = most < LARGEST_TABLE ? new int[most + 1] : null;
        for (int i = 0; i < texts.length; i++) {
            this.texts[i] = texts[i].getBytes(StandardCharsets.UTF_8);
            int slot = XmlName.hash(this.texts[i], 0, this.texts[i].length) & size - 1;
            while (byText[slot] != 0) {
                slot = slot + 1 & size - 1;
            }
            byText[slot] = i + 1;
            if (byNumber != null) {
                byNumber[numbers[i]] = i + 1;
            } else {
                byLargeNumber.put(numbers[i], i + 1);
            }
        }
    }

    /** An enum: the text and the number of each constant. */
    public static TextEnum of(String name, String[] texts, int[] numbers) {
        return new TextEnum(name, texts, numbers, false);
    }

    /** An enum that may grow. */
    public static TextEnum extensible(String name, String[] texts, int[] numbers) {
        return new TextEnum(name, texts, numbers, true);
    }

    /** The text of a number, or null if it is not known. */
    byte[] text(int number) {
        int index;
        if (byNumber != null) {
            index = number >= 0 && number < byNumber.length ? byNumber[number] : 0;
        } else {
            index = byLargeNumber.getOrDefault(number, 0);
        }
        return index == 0 ? null : texts[index - 1];
    }

    boolean knows(int number) {
        return text(number) != null;
    }

    /** The number of a text, or -1. */
    int number(byte[] b, int from, int to) {
        int size = byText.length;
        for (int slot = XmlName.hash(b, from, to) & size - 1; byText[slot] != 0; slot = slot + 1 & size - 1) {
            int i = byText[slot] - 1;
            if (Arrays.equals(texts[i], 0, texts[i].length, b, from, to)) {
                return numbers[i];
            }
        }
        return -1;
    }

    /** The constants, for messages. */
    String expected() {
        StringBuilder text = new StringBuilder();
        for (byte[] t : texts) {
            text.append(text.length() == 0 ? "" : ", ").append(new String(t, StandardCharsets.UTF_8));
            if (text.length() > 400) {
                return text.append(", ...").toString();
            }
        }
        return text.toString();
    }
}
