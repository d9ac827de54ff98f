package main

import (
	"time"

	"peer/values"
)

// The bytes of a lone surrogate as UTF-8 would have them: what a string of Go can hold, and no String is.
const high, low = "\xed\xa0\x80", "\xed\xb0\x80"

func pointer[T any](value T) *T { return &value }

func optional(set func(*values.Optionals)) values.Optionals {
	var v values.Optionals
	set(&v)
	return v
}

func tree(name string, entries ...func(*values.Tree)) values.Tree {
	t := values.Tree{Name: name}
	for _, entry := range entries {
		entry(&t)
	}
	return t
}

func entry(key string, value values.Tree) func(*values.Tree) {
	return func(t *values.Tree) { t.Named.Set(key, value) }
}

func deep() values.Tree {
	t := tree("")
	for i := 0; i < 100; i++ {
		t = values.Tree{Next: pointer(t)}
	}
	return t
}

// wrongValues holds the values of malformed/writer that the generated types can hold, by the id of the case. The others are numbers
// out of range, decimals of too many digits, nanoseconds that make a second, and null where Go has none.
func wrongValues() map[string]any {
	label := func(text string) values.Label { return values.Label{Text: text} }
	instant := func(t time.Time) values.Optionals {
		return optional(func(v *values.Optionals) { v.Instant = pointer(t) })
	}
	return map[string]any{
		"text-high":             label(high),
		"text-low":              label(low),
		"text-swapped":          label("a" + low + high + "b"),
		"text-high-then-letter": label(high + "a"),
		"text-optional":         optional(func(v *values.Optionals) { v.Text = pointer(low) }),
		"text-item":             values.Small{Texts: []string{"a", high}},
		"text-in-struct":        values.Small{Labels: []values.Label{label(""), label(high)}},
		"key":                   tree("", entry(high, tree(""))),
		"entry":                 tree("", entry("a", tree(high))),
		"member":                values.ShapeLabel{Value: high},
		"region":                values.Growing{Name: high},
		"instant-early":         instant(time.Unix(-62135596801, 0)),
		"instant-late":          instant(time.Unix(253402300800, 0)),
		"constant":              optional(func(v *values.Optionals) { v.Colour = pointer(values.Colour(1)) }),
		"constant-negative":     values.Level(-1),
		"no-member":             values.Shape(nil),
		"null-struct":           values.Sum{Left: values.ExpressionNumber{Value: 1}},
		"depth":                 deep(),
	}
}
