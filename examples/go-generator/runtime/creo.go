package creo

// The runtime core of generated code: errors, limits, and the values that Go lacks. It is emitted next to the generated files, in the
// same package. Names that callers use begin with Creo.

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"
)

// CreoLimits holds the limits of one message (spec/limits.md). A limit that is 0 has its default.
type CreoLimits struct {
	// MaxMessageSize is the largest body in bytes (LIM-1), 128 MiB by default.
	MaxMessageSize int64
	// MaxMemory is the memory of a decoded message in nominal bytes (LIM-18), four times MaxMessageSize by default.
	MaxMemory int64
	// MaxDepth bounds nested values of recursive types (LIM-4), 100 by default.
	MaxDepth int64
	// MaxEmptyItems bounds the array items without bytes (LIM-5), 65,536 by default.
	MaxEmptyItems int64
}

func (l CreoLimits) orDefaults() CreoLimits {
	set := func(limit *int64, value int64) {
		if *limit == 0 {
			*limit = value
		}
	}
	set(&l.MaxMessageSize, 128<<20)
	set(&l.MaxMemory, 4*min(l.MaxMessageSize, math.MaxInt64/4))
	set(&l.MaxDepth, 100)
	set(&l.MaxEmptyItems, 65536)
	return l
}

// CreoError says why a body cannot be decoded or a value cannot be encoded.
type CreoError struct {
	// Code is one of malformed, invalid-value, too-large.
	Code    string
	Message string
	// Path is the place in the value, such as $.data[3].metadata.
	Path string
	// Offset is the position in the body; -1 when a value is encoded.
	Offset int
	// Limit names the limit that was exceeded, and Allowed is its value, if Code is too-large.
	Limit   string
	Allowed int64
}

func (e *CreoError) Error() string {
	offset := ""
	if e.Offset >= 0 {
		offset = fmt.Sprintf(", byte %d", e.Offset)
	}
	return fmt.Sprintf("%s: %s (at %s%s)", e.Code, e.Message, e.Path, offset)
}

func tooLarge(offset int, limit string, allowed int64) *CreoError {
	return &CreoError{Code: "too-large", Message: fmt.Sprintf("the message exceeds %s (%d)", limit, allowed), Offset: offset, Limit: limit, Allowed: allowed}
}

// maxPath is where a path is cut (BIN-15).
const maxPath = 250

func (e *CreoError) atRoot() *CreoError {
	e.Path = "$" + e.Path
	if len(e.Path) > maxPath {
		e.Path = e.Path[:maxPath]
	}
	return e
}

// in adds a step to the path of an error, from the value outwards.
func in(e *CreoError, step string) *CreoError {
	e.Path = step + e.Path
	return e
}

func inItem(e *CreoError, index int) *CreoError { return in(e, fmt.Sprintf("[%d]", index)) }

func inEntry(e *CreoError, index int, part string) *CreoError {
	return in(e, fmt.Sprintf("{%d}%s", index, part))
}

// CreoMap is a map that keeps the order of its entries. The zero value is empty. Copies share their entries.
type CreoMap[K comparable, V any] struct {
	keys   []K
	values []V
	index  map[K]int
}

// Len returns the number of entries.
func (m *CreoMap[K, V]) Len() int {
	return len(m.keys)
}

// Get returns the value of a key, and whether there is one.
func (m *CreoMap[K, V]) Get(key K) (value V, ok bool) {
	if i, ok := m.index[key]; ok {
		return m.values[i], true
	}
	return value, false
}

// Set replaces the value of a key, or adds an entry at the end.
func (m *CreoMap[K, V]) Set(key K, value V) {
	if i, ok := m.index[key]; ok {
		m.values[i] = value
		return
	}
	if m.index == nil {
		m.index = map[K]int{}
	}
	m.index[key] = len(m.keys)
	m.keys = append(m.keys, key)
	m.values = append(m.values, value)
}

// All calls yield for each entry, in order: for key, value := range m.All.
func (m *CreoMap[K, V]) All(yield func(K, V) bool) {
	for i, key := range m.keys {
		if !yield(key, m.values[i]) {
			return
		}
	}
}

// CreoDecimal is a decimal number with its scale. The zero value is 0.
type CreoDecimal struct{ text string }

var decimalForm = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

const maxDigits = 1000

// CreoParseDecimal reads the canonical form (BIN-12), such as -1.50.
func CreoParseDecimal(text string) (CreoDecimal, error) {
	if problem := decimalProblem(text); problem != "" {
		return CreoDecimal{}, &CreoError{Code: "invalid-value", Message: problem, Path: "$", Offset: -1}
	}
	return CreoDecimal{text}, nil
}

func (d CreoDecimal) String() string {
	if d.text == "" {
		return "0"
	}
	return d.text
}

func decimalProblem(text string) string {
	switch {
	case len(strings.Trim(text, "-"))-strings.Count(text, ".") > maxDigits:
		return "a decimal of more than 1,000 digits"
	case !decimalForm.MatchString(text):
		return "not a decimal in canonical form"
	case text[0] == '-' && strings.Trim(text, "-0.") == "":
		return "a decimal that is a negative zero"
	}
	return ""
}

// instant is a time by its parts on the wire.
func instant(seconds int64, nanoseconds int64) time.Time {
	return time.Unix(seconds, nanoseconds).UTC()
}

// numberText is the text of a constant that the description does not have.
func numberText[T ~int32](v T) string {
	return fmt.Sprint(int32(v))
}
