package creo.bench.messaging;

import java.nio.charset.StandardCharsets;

/** The values of an item, by its number: the same in every run and for every peer. Texts are words, as those of applications are: they compress, but not to nothing. */
final class Fields {
    /** Bytes of an item's payload: an int, a long, a double, and texts of 10, 30 and 40 characters. */
    static final int PAYLOAD = 100;

    private static final int CODE = 10;
    private static final int NAME = 30;
    private static final int NOTE = 40;
    private static final byte[][] WORDS = words(
        "account", "address", "against", "airport", "balance", "between", "board", "branch", "bridge", "broker", "building", "cargo", "carrier", "cement", "central", "charge",
        "city", "claim", "clerk", "client", "coffee", "copper", "corner", "credit", "deposit", "dozen", "engine", "export", "factory", "freight", "garden", "harbour",
        "import", "insured", "invoice", "island", "journal", "kernel", "ledger", "letter", "market", "meter", "north", "office", "order", "packet", "paper", "parcel",
        "payment", "pending", "pepper", "quarter", "receipt", "river", "sailing", "sector", "signed", "silver", "station", "street", "timber", "transfer", "valley", "weight");
    private static final byte[] DIGITS = "0123456789ABCDEFGHJKLMNPQRSTUVWX".getBytes(StandardCharsets.ISO_8859_1);

    private Fields() {}

    static long stamp(int number) {
        return 1_700_000_000_000L + (mix(number) >>> 24);
    }

    static double amount(int number) {
        return (mix(number) >>> 40) / 100.0;
    }

    static String code(int number) {
        byte[] text = new byte[CODE];
        long bits = mix(number + 0x1_0000_0000L);
        for (int i = 0; i < CODE; i++) {
            text[i] = DIGITS[(int) (bits & 31)];
            bits >>>= 5;
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    static String name(int number) {
        return text(mix(number + 0x2_0000_0000L), NAME);
    }

    static String note(int number) {
        return text(mix(number + 0x3_0000_0000L), NOTE);
    }

    private static String text(long seed, int length) {
        byte[] text = new byte[length];
        long bits = seed;
        for (int at = 0; at < length; bits = Long.rotateRight(bits, 6)) {
            byte[] word = WORDS[(int) (bits & 63)];
            int taken = Math.min(word.length, length - at);
            System.arraycopy(word, 0, text, at, taken);
            at += taken;
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** SplitMix64. */
    private static long mix(long number) {
        long z = (number + 1) * 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    private static byte[][] words(String... words) {
        byte[][] bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = (words[i] + " ").getBytes(StandardCharsets.ISO_8859_1);
        }
        return bytes;
    }

    /** Fails unless these are the values of the item of that number. */
    static void check(int expected, int number, long stamp, double amount, String code, String name, String note) {
        if (number != expected || stamp != stamp(expected) || amount != amount(expected) || !code.equals(code(expected)) || !name.equals(name(expected))
            || !note.equals(note(expected))) {
            throw new AssertionError("item " + expected + " arrived as " + number + ", " + stamp + ", " + amount + ", " + code + ", " + name + ", " + note);
        }
    }
}
