// The conformance peer of the Go generator: it answers the lines of conformance/README.md with generated code.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"peer/values"
)

// question is a line of the harness.
type question struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	Bytes     string `json:"bytes"`
	MaxMemory int64  `json:"maxMemory"`
}

// answer is a line to the harness.
type answer struct {
	ID      string          `json:"id"`
	Value   json.RawMessage `json:"value,omitempty"`
	Bytes   *string         `json:"bytes,omitempty"`
	Cannot  bool            `json:"cannot,omitempty"`
	Error   string          `json:"error,omitempty"`
	Path    string          `json:"place,omitempty"`
	Offset  *int            `json:"offset,omitempty"`
	Message string          `json:"message,omitempty"`
	Limit   string          `json:"limit,omitempty"`
	Allowed string          `json:"allowed,omitempty"`
}

func (a *answer) fail(err error) {
	var e *values.CreoError
	if !errors.As(err, &e) {
		a.Error, a.Message = "internal", err.Error()
		return
	}
	a.Error, a.Path, a.Message = e.Code, e.Path, e.Message
	if e.Offset >= 0 {
		a.Offset = &e.Offset
	}
	if e.Limit != "" {
		a.Limit, a.Allowed = e.Limit, fmt.Sprint(e.Allowed)
	}
}

func (a *answer) written(body []byte) {
	digits := hex.EncodeToString(body)
	a.Bytes = &digits
}

// valueType is a generated type; types.go, which the test writes, lists all by their full names.
type valueType struct {
	decode func(body []byte, limits values.CreoLimits) (any, error)
	encode func(value any, limits values.CreoLimits) ([]byte, error)
}

func typeOf[T any](decode func([]byte, values.CreoLimits) (T, error), encode func(T, values.CreoLimits) ([]byte, error)) valueType {
	return valueType{
		decode: func(body []byte, limits values.CreoLimits) (any, error) { return decode(body, limits) },
		encode: func(value any, limits values.CreoLimits) ([]byte, error) {
			typed, _ := value.(T) // a union without a member is the zero value
			return encode(typed, limits)
		},
	}
}

// codec decodes a body, and encodes the value again.
func codec(t valueType, q question, a *answer) {
	body, err := hex.DecodeString(q.Bytes)
	if err != nil {
		a.fail(err)
		return
	}
	value, err := t.decode(body, values.CreoLimits{MaxMemory: q.MaxMemory})
	if err != nil {
		a.fail(err)
		return
	}
	again, err := t.encode(value, values.CreoLimits{})
	if err != nil {
		a.fail(err)
		return
	}
	a.Value = toJSON(value)
	a.written(again)
}

// writer encodes a value that is no value of its type.
func writer(t valueType, q question, a *answer) {
	wrong, ok := wrongValues()[q.ID]
	if !ok {
		a.Cannot = true
		return
	}
	body, err := t.encode(wrong, values.CreoLimits{})
	if err != nil {
		a.fail(err)
		return
	}
	a.written(body)
}

func run() error {
	modes := map[string]func(valueType, question, *answer){"codec": codec, "writer": writer}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	mode := modes[os.Args[len(os.Args)-1]]
	for {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return nil
		}
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		a := answer{ID: q.ID}
		t, ok := types[q.Type]
		switch {
		case mode == nil:
			a.fail(fmt.Errorf("this peer has no mode %s", os.Args[len(os.Args)-1]))
		case !ok:
			a.fail(fmt.Errorf("there is no type %s", q.Type))
		default:
			mode(t, q, &a)
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
