package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"peer/values"
)

// maxSafe is the largest whole number that JSON holds exactly (VAL-2).
const maxSafe = 1<<53 - 1

// toJSON writes a generated value as spec/values.md says. Names come from the tags of generated fields.
func toJSON(value any) json.RawMessage {
	var out bytes.Buffer
	write(&out, reflect.ValueOf(value))
	return out.Bytes()
}

func write(out *bytes.Buffer, v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			out.WriteString("null")
		} else {
			write(out, v.Elem())
		}
		return
	}
	switch value := v.Interface().(type) {
	case time.Time:
		text(out, instant(value))
		return
	case values.CreoDecimal:
		text(out, value.String())
		return
	case []byte:
		text(out, base64.StdEncoding.EncodeToString(value))
		return
	case fmt.Stringer: // an enum
		if number, err := strconv.Atoi(value.String()); err == nil {
			fmt.Fprint(out, number)
		} else {
			text(out, value.String())
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		fmt.Fprint(out, v.Bool())
	case reflect.Int8, reflect.Int16, reflect.Int32:
		fmt.Fprint(out, v.Int())
	case reflect.Int64:
		if n := v.Int(); n > maxSafe || n < -maxSafe {
			text(out, strconv.FormatInt(n, 10))
		} else {
			fmt.Fprint(out, n)
		}
	case reflect.Uint16:
		if unit := rune(v.Uint()); unit >= 0xd800 && unit < 0xe000 {
			fmt.Fprint(out, unit)
		} else {
			text(out, string(unit))
		}
	case reflect.Float32, reflect.Float64:
		number(out, v.Float(), v.Type().Bits())
	case reflect.String:
		text(out, v.String())
	case reflect.Slice:
		list(out, "[]", v.Len(), func(i int) { write(out, v.Index(i)) })
	case reflect.Interface:
		write(out, v.Elem())
	case reflect.Struct:
		object(out, v)
	default:
		panic(fmt.Sprintf("no generated value has the type %s", v.Type()))
	}
}

func object(out *bytes.Buffer, v reflect.Value) {
	if all := reflect.New(v.Type()).MethodByName("All"); all.IsValid() {
		entries(out, v)
		return
	}
	if v.NumField() == 2 && v.Type().Field(0).Name == "Index" && v.Type().Field(0).Tag == "" {
		unknown := base64.StdEncoding.EncodeToString(v.Field(1).Bytes())
		fmt.Fprintf(out, `{"#%d":"%s"}`, v.Field(0).Int(), unknown)
		return
	}
	list(out, "{}", v.NumField(), func(i int) {
		text(out, v.Type().Field(i).Tag.Get("creo"))
		out.WriteByte(':')
		write(out, v.Field(i))
	})
}

// entries writes a CreoMap (VAL-12).
func entries(out *bytes.Buffer, v reflect.Value) {
	m := reflect.New(v.Type())
	m.Elem().Set(v)
	out.WriteByte('{')
	separator := ""
	for key, value := range m.MethodByName("All").Seq2() {
		out.WriteString(separator)
		separator = ","
		var name bytes.Buffer
		write(&name, key)
		if name.Bytes()[0] == '"' {
			out.Write(name.Bytes())
		} else {
			text(out, name.String())
		}
		out.WriteByte(':')
		write(out, value)
	}
	out.WriteByte('}')
}

func list(out *bytes.Buffer, brackets string, count int, item func(int)) {
	out.WriteByte(brackets[0])
	for i := 0; i < count; i++ {
		if i > 0 {
			out.WriteByte(',')
		}
		item(i)
	}
	out.WriteByte(brackets[1])
}

func text(out *bytes.Buffer, value string) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	out.Truncate(out.Len() - 1) // the line feed of Encode
}

// number writes a floating-point number (VAL-3).
func number(out *bytes.Buffer, value float64, bits int) {
	switch {
	case math.IsNaN(value):
		text(out, "NaN")
	case math.IsInf(value, 1):
		text(out, "Infinity")
	case math.IsInf(value, -1):
		text(out, "-Infinity")
	default:
		shortest := strconv.FormatFloat(value, 'g', -1, bits)
		if !strings.ContainsAny(shortest, ".e") {
			shortest += ".0"
		}
		out.WriteString(shortest)
	}
}

// instant writes a time with 0, 3, 6 or 9 digits of fraction (VAL-6).
func instant(value time.Time) string {
	digits := fmt.Sprintf("%09d", value.Nanosecond())
	for strings.HasSuffix(digits, "000") {
		digits = digits[:len(digits)-3]
	}
	if digits != "" {
		digits = "." + digits
	}
	return value.UTC().Format("2006-01-02T15:04:05") + digits + "Z"
}
