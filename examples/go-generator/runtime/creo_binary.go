package creo

// The reader and the writer of the binary wire (spec/wires/binary.md).

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"
	"unicode/utf8"
)

// The first and the last second of an instant (BIN-11).
const firstSecond, lastSecond = -62135596800, 253402300799

// constant is an enum.
type constant interface {
	~int32
	// isValid tells whether the number may be in a message (BIN-9, MODEL-12).
	isValid() bool
}

// levels counts the values of recursive types that hold what is read or written (BIN-13).
type levels struct {
	limits CreoLimits
	depth  int64
}

func (l *levels) enter(offset int) *CreoError {
	if l.depth == l.limits.MaxDepth {
		return tooLarge(offset, "maxDepth", l.limits.MaxDepth)
	}
	l.depth++
	return nil
}

func (l *levels) leave() { l.depth-- }

// reader reads a body. Its methods move pos; get functions read at a position that take has checked.
type reader struct {
	body []byte
	pos  int
	// end is that of the enclosing region (BIN-8).
	end int
	levels
	memory     int64
	emptyItems int64
}

func decode[T any](body []byte, limits CreoLimits, read func(*reader, *T) *CreoError) (T, error) {
	r := &reader{body: body, end: len(body), levels: levels{limits: limits.orDefaults()}}
	var value, none T
	e := r.start()
	if e == nil {
		e = read(r, &value)
	}
	if e == nil && r.pos < len(body) {
		e = r.malformed(r.pos, "bytes after the last value")
	}
	if e != nil {
		return none, e.atRoot()
	}
	return value, nil
}

func (r *reader) start() *CreoError {
	if size := int64(len(r.body)); size > r.limits.MaxMessageSize {
		return tooLarge(0, "maxMessageSize", r.limits.MaxMessageSize)
	}
	return r.charge(int64(len(r.body)), 0)
}

func (r *reader) malformed(offset int, message string) *CreoError {
	return &CreoError{Code: "malformed", Message: message, Offset: offset}
}

// charge adds memory to that of the message (LIM-18). Amounts are below 2^62.
func (r *reader) charge(amount int64, offset int) *CreoError {
	if amount > r.limits.MaxMemory-r.memory {
		return tooLarge(offset, "maxMemory", r.limits.MaxMemory)
	}
	r.memory += amount
	return nil
}

// take moves over bytes, and returns where they begin.
func (r *reader) take(size int) (int, *CreoError) {
	if size > r.end-r.pos {
		return 0, r.malformed(r.pos, "the bytes end within a value")
	}
	r.pos += size
	return r.pos - size, nil
}

// count reads a count (BIN-2).
func (r *reader) count() (int64, *CreoError) {
	start, number := r.pos, int64(0)
	for i := 0; i < 5; i++ {
		at, e := r.take(1)
		if e != nil {
			return 0, e
		}
		b := r.body[at]
		number |= int64(b&0x7f) << (7 * i)
		if b < 0x80 {
			if b == 0 && i > 0 {
				return 0, r.malformed(start, "a count that is not in its shortest form")
			}
			if number > math.MaxInt32 {
				break
			}
			return number, nil
		}
	}
	return 0, r.malformed(start, "a count that is too large")
}

// counted reads a count of things that have at least minSize bytes each, and take each bytes of memory (BIN-5, BIN-6, LIM-18).
func (r *reader) counted(minSize, each int64) (int, *CreoError) {
	start := r.pos
	count, e := r.count()
	if e != nil {
		return 0, e
	}
	if count*minSize > int64(r.end-r.pos) {
		return 0, r.malformed(start, "a count of more than the bytes that are left can hold")
	}
	if minSize == 0 {
		if count > r.limits.MaxEmptyItems-r.emptyItems {
			return 0, tooLarge(start, "maxEmptyItems", r.limits.MaxEmptyItems)
		}
		r.emptyItems += count
	}
	return int(count), r.charge(count*each, start)
}

// open begins a region, and returns the end of the enclosing one, which close takes.
func (r *reader) open() (int, *CreoError) {
	at, e := r.take(4)
	if e != nil {
		return 0, e
	}
	size := int64(binary.BigEndian.Uint32(r.body[at:]))
	if size > int64(r.end-r.pos) {
		return 0, r.malformed(at, "a region that is larger than the enclosing one")
	}
	outer := r.end
	r.end = r.pos + int(size)
	return outer, nil
}

func (r *reader) close(outer int) {
	r.pos, r.end = r.end, outer
}

// atEnd tells whether the region ends here: later fields have their defaults (MODEL-11).
func (r *reader) atEnd() bool { return r.pos == r.end }

// filled refuses bytes after the member of a union (BIN-8).
func (r *reader) filled() *CreoError {
	if !r.atEnd() {
		return r.malformed(r.pos, "the member does not fill its region")
	}
	return nil
}

func getBoolean(r *reader, at int, v *bool) *CreoError {
	if r.body[at] > 1 {
		return r.malformed(at, "a boolean that is neither 0 nor 1")
	}
	*v = r.body[at] == 1
	return nil
}

func getByte(r *reader, at int, v *int8) *CreoError {
	*v = int8(r.body[at])
	return nil
}

// get16 is for shorts and chars.
func get16[T ~int16 | ~uint16](r *reader, at int, v *T) *CreoError {
	*v = T(binary.BigEndian.Uint16(r.body[at:]))
	return nil
}

func getInt(r *reader, at int, v *int32) *CreoError {
	*v = int32(binary.BigEndian.Uint32(r.body[at:]))
	return nil
}

func getLong(r *reader, at int, v *int64) *CreoError {
	*v = int64(binary.BigEndian.Uint64(r.body[at:]))
	return nil
}

func getFloat(r *reader, at int, v *float32) *CreoError {
	*v = math.Float32frombits(binary.BigEndian.Uint32(r.body[at:]))
	return nil
}

func getDouble(r *reader, at int, v *float64) *CreoError {
	*v = math.Float64frombits(binary.BigEndian.Uint64(r.body[at:]))
	return nil
}

// getDateTime reads an instant (BIN-11).
func getDateTime(r *reader, at int, v *time.Time) *CreoError {
	seconds, nanoseconds := int64(binary.BigEndian.Uint64(r.body[at:])), binary.BigEndian.Uint32(r.body[at+8:])
	if seconds < firstSecond || seconds > lastSecond || nanoseconds >= 1e9 {
		return r.malformed(at, "an instant that is out of range")
	}
	*v = instant(seconds, int64(nanoseconds))
	return nil
}

func getConstant[T constant](r *reader, at int, v *T) *CreoError {
	if *v = T(r.body[at]); !(*v).isValid() {
		return r.malformed(at, "a number that is no constant of the enum")
	}
	return nil
}

func readConstant[T constant](r *reader, v *T) *CreoError {
	start := r.pos
	number, e := r.count()
	if e != nil {
		return e
	}
	if *v = T(number); !(*v).isValid() {
		return r.malformed(start, "a number that is no constant of the enum")
	}
	return nil
}

// readFixed reads a value of fixed size.
func readFixed[T any](r *reader, v *T, size int, get func(*reader, int, *T) *CreoError) *CreoError {
	at, e := r.take(size)
	if e != nil {
		return e
	}
	return get(r, at, v)
}

// chunk moves over a count of bytes and the bytes, and returns where these begin.
func (r *reader) chunk() (int, *CreoError) {
	size, e := r.counted(1, 0)
	if e != nil {
		return 0, e
	}
	return r.take(size)
}

func readBytes(r *reader, v *[]byte) *CreoError {
	at, e := r.chunk()
	if e == nil {
		*v = append([]byte{}, r.body[at:r.pos]...)
	}
	return e
}

func readString(r *reader, v *string) *CreoError {
	at, e := r.chunk()
	if e != nil {
		return e
	}
	if !utf8.Valid(r.body[at:r.pos]) {
		return r.malformed(at, "a string that is not UTF-8")
	}
	*v = string(r.body[at:r.pos])
	return nil
}

func readDecimal(r *reader, v *CreoDecimal) *CreoError {
	start := r.pos
	if e := readString(r, &v.text); e != nil {
		return e
	}
	if problem := decimalProblem(v.text); problem != "" {
		return r.malformed(start, problem)
	}
	return nil
}

// readFixedArray reads an array whose items have a fixed size: one check of bounds is enough.
func readFixedArray[T any](r *reader, v *[]T, size int, each int64, get func(*reader, int, *T) *CreoError) *CreoError {
	count, e := r.counted(int64(size), each)
	if e != nil {
		return e
	}
	at, e := r.take(count * size)
	if e != nil {
		return e
	}
	items := make([]T, count)
	for i := range items {
		if e := get(r, at+i*size, &items[i]); e != nil {
			return inItem(e, i)
		}
	}
	*v = items
	return nil
}

func readArray[T any](r *reader, v *[]T, minSize, each int64, read func(*reader, *T) *CreoError) *CreoError {
	count, e := r.counted(minSize, each)
	if e != nil {
		return e
	}
	items := make([]T, count)
	for i := range items {
		if e := read(r, &items[i]); e != nil {
			return inItem(e, i)
		}
	}
	*v = items
	return nil
}

func readMap[K comparable, V any](r *reader, v *CreoMap[K, V], minSize, each int64, readKey func(*reader, *K) *CreoError, readValue func(*reader, *V) *CreoError) *CreoError {
	count, e := r.counted(minSize, each)
	if e != nil {
		return e
	}
	for i := 0; i < count; i++ {
		start := r.pos
		var key K
		if e := readKey(r, &key); e != nil {
			return inEntry(e, i, ".key")
		}
		if _, ok := v.index[key]; ok {
			return inEntry(r.malformed(start, "a key that occurs twice"), i, ".key")
		}
		var value V
		if e := readValue(r, &value); e != nil {
			return inEntry(e, i, ".value")
		}
		v.Set(key, value)
	}
	return nil
}

func readOptional[T any](r *reader, v **T, memory int64, read func(*reader, *T) *CreoError) *CreoError {
	at, e := r.take(1)
	if e != nil {
		return e
	}
	var isThere bool
	if e := getBoolean(r, at, &isThere); e != nil || !isThere {
		return e
	}
	if e := r.charge(memory, at); e != nil {
		return e
	}
	*v = new(T)
	return read(r, *v)
}

// unknownMember reads what a newer peer wrote (MODEL-13).
func (r *reader) unknownMember(start int) ([]byte, *CreoError) {
	if e := r.charge(32, start); e != nil {
		return nil, e
	}
	outer, e := r.open()
	if e != nil {
		return nil, e
	}
	data := append([]byte{}, r.body[r.pos:r.end]...)
	r.close(outer)
	return data, nil
}

// writer appends to a body.
type writer struct {
	body []byte
	levels
}

func encode[T any](value *T, limits CreoLimits, write func(*writer, *T) *CreoError) ([]byte, error) {
	w := &writer{levels: levels{limits: limits.orDefaults()}}
	e := write(w, value)
	if e == nil && int64(len(w.body)) > w.limits.MaxMessageSize {
		e = tooLarge(-1, "maxMessageSize", w.limits.MaxMessageSize)
	}
	if e != nil {
		return nil, e.atRoot()
	}
	return w.body, nil
}

func (w *writer) invalid(message string) *CreoError {
	return &CreoError{Code: "invalid-value", Message: message, Offset: -1}
}

// count writes the size of something, which is bounded by the size of a message.
func (w *writer) count(number int) *CreoError {
	if int64(number) > w.limits.MaxMessageSize || number > math.MaxInt32 {
		return tooLarge(-1, "maxMessageSize", w.limits.MaxMessageSize)
	}
	w.uvarint(number)
	return nil
}

// uvarint writes a number below 2^31 as a count.
func (w *writer) uvarint(number int) {
	w.body = binary.AppendUvarint(w.body, uint64(number))
}

// open begins a region; close writes its size.
func (w *writer) open() int {
	w.body = append(w.body, 0, 0, 0, 0)
	return len(w.body)
}

func (w *writer) close(start int) *CreoError {
	size := int64(len(w.body) - start)
	if size > w.limits.MaxMessageSize || size > math.MaxUint32 {
		return tooLarge(-1, "maxMessageSize", w.limits.MaxMessageSize)
	}
	binary.BigEndian.PutUint32(w.body[start-4:], uint32(size))
	return nil
}

func writeBoolean(w *writer, v *bool) *CreoError {
	var b byte
	if *v {
		b = 1
	}
	w.body = append(w.body, b)
	return nil
}

func writeByte(w *writer, v *int8) *CreoError {
	w.body = append(w.body, byte(*v))
	return nil
}

func write16[T ~int16 | ~uint16](w *writer, v *T) *CreoError {
	w.body = binary.BigEndian.AppendUint16(w.body, uint16(*v))
	return nil
}

func writeInt(w *writer, v *int32) *CreoError {
	w.body = binary.BigEndian.AppendUint32(w.body, uint32(*v))
	return nil
}

func writeLong(w *writer, v *int64) *CreoError {
	w.body = binary.BigEndian.AppendUint64(w.body, uint64(*v))
	return nil
}

func writeFloat(w *writer, v *float32) *CreoError {
	w.body = binary.BigEndian.AppendUint32(w.body, math.Float32bits(*v))
	return nil
}

func writeDouble(w *writer, v *float64) *CreoError {
	w.body = binary.BigEndian.AppendUint64(w.body, math.Float64bits(*v))
	return nil
}

func writeDateTime(w *writer, v *time.Time) *CreoError {
	seconds := v.Unix()
	if seconds < firstSecond || seconds > lastSecond {
		return w.invalid("an instant whose year is not one of 1 to 9999")
	}
	w.body = binary.BigEndian.AppendUint64(w.body, uint64(seconds))
	w.body = binary.BigEndian.AppendUint32(w.body, uint32(v.Nanosecond()))
	return nil
}

func writeConstant[T constant](w *writer, v *T) *CreoError {
	if !(*v).isValid() {
		return w.invalid(fmt.Sprintf("%d is no constant of the enum", int32(*v)))
	}
	w.uvarint(int(*v))
	return nil
}

func writeBytes[T ~[]byte | ~string](w *writer, v *T) *CreoError {
	if e := w.count(len(*v)); e != nil {
		return e
	}
	w.body = append(w.body, *v...)
	return nil
}

func writeString(w *writer, v *string) *CreoError {
	if !utf8.ValidString(*v) {
		return w.invalid("a string that is not UTF-8")
	}
	return writeBytes(w, v)
}

func writeDecimal(w *writer, v *CreoDecimal) *CreoError {
	text := v.String()
	return writeString(w, &text)
}

func writeArray[T any](w *writer, v *[]T, write func(*writer, *T) *CreoError) *CreoError {
	if e := w.count(len(*v)); e != nil {
		return e
	}
	for i := range *v {
		if e := write(w, &(*v)[i]); e != nil {
			return inItem(e, i)
		}
	}
	return nil
}

func writeMap[K comparable, V any](w *writer, v *CreoMap[K, V], writeKey func(*writer, *K) *CreoError, writeValue func(*writer, *V) *CreoError) *CreoError {
	if e := w.count(v.Len()); e != nil {
		return e
	}
	for i := range v.keys {
		if e := writeKey(w, &v.keys[i]); e != nil {
			return inEntry(e, i, ".key")
		}
		if e := writeValue(w, &v.values[i]); e != nil {
			return inEntry(e, i, ".value")
		}
	}
	return nil
}

func writeOptional[T any](w *writer, v **T, write func(*writer, *T) *CreoError) *CreoError {
	isThere := *v != nil
	if e := writeBoolean(w, &isThere); e != nil || !isThere {
		return e
	}
	return write(w, *v)
}

// unknownMember writes what was read from a newer peer (MODEL-13). The description knows the members below known.
func (w *writer) unknownMember(index int32, data []byte, known int32) *CreoError {
	if index < known {
		return w.invalid(fmt.Sprintf("%d is not the index of an unknown member", index))
	}
	w.uvarint(int(index))
	start := w.open()
	w.body = append(w.body, data...)
	return w.close(start)
}
