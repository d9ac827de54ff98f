package creo.runtime.codegen;

import creo.runtime.CreoException;
import creo.runtime.internal.buffer.Failures;

/**
 * The fields of a fixed-size block, in order; finds the field at which the bytes ran out. For generated code. It is used only when decoding fails,
 * since a successful block is checked once.
 */
public final class Layout {
    private final String[] names;
    private final int[] sizes;
    private final Layout[] inner;

    private Layout(String[] names, int[] sizes, Layout[] inner) {
        this.names = names;
        this.sizes = sizes;
        this.inner = inner;
    }

    /** A layout of the given fields: each is a name, followed by its size ({@link Integer}) or {@link Layout}. */
    public static Layout of(Object... fields) {
        int n = fields.length / 2;
        Layout layout = new Layout(new String[n], new int[n], new Layout[n]);
        for (int i = 0; i < n; i++) {
            layout.names[i] = (String) fields[2 * i];
            if (fields[2 * i + 1] instanceof Layout l) {
                layout.inner[i] = l;
                layout.sizes[i] = l.size();
            } else {
                layout.sizes[i] = (Integer) fields[2 * i + 1];
            }
        }
        return layout;
    }

    int size() {
        int size = 0;
        for (int s : sizes) {
            size += s;
        }
        return size;
    }

    /** Adds to the error the field in which the block ends after {@code have} bytes, and that field's offset. */
    CreoException locate(CreoException e, long start, int have) {
        int i = 0;
        while (i < names.length - 1 && have >= sizes[i]) {
            start += sizes[i];
            have -= sizes[i];
            i++;
        }
        if (inner[i] != null) {
            inner[i].locate(e, start, have);
        } else {
            Failures.at(e, start);
        }
        return e.in(names[i]);
    }
}
