package backup

import (
	"bytes"
	"io"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestEveryValueOfARowComesBack(t *testing.T) {
	value := rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Map(rapid.Int64(), func(v int64) any { return v }),
		rapid.Map(rapid.Float64(), func(v float64) any { return v }),
		rapid.Just[any](math.Inf(-1)),
		rapid.Map(rapid.String(), func(v string) any { return v }),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(v []byte) any { return string(v) }),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(v []byte) any { return v }))
	rapid.Check(t, func(t *rapid.T) {
		var text bytes.Buffer
		w := NewRowWriter(&text)
		sent := rapid.SliceOfN(rapid.SliceOfN(value, 1, 6), 1, 5).Draw(t, "rows")
		head := Head{Table: "a", Organization: "b", Columns: []string{"c"}}
		if err := w.Head(head); err != nil {
			t.Fatal(err)
		}
		for _, row := range sent {
			if err := w.Row(row); err != nil {
				t.Fatal(err)
			}
		}
		job := Job{Work: "process", Organization: "b", Subject: "s", At: 7}
		if err := w.Job(job); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		r := NewRowReader(&text)
		if h, _, _, err := r.Next(); err != nil || !reflect.DeepEqual(*h, head) {
			t.Fatalf("%+v came back, %v", h, err)
		}
		for _, row := range sent {
			_, _, got, err := r.Next()
			if err != nil || !reflect.DeepEqual(got, row) {
				t.Fatalf("%#v came back as %#v, %v", row, got, err)
			}
		}
		if _, j, _, err := r.Next(); err != nil || *j != job {
			t.Fatalf("%+v came back, %v", j, err)
		}
		if _, _, _, err := r.Next(); err != io.EOF {
			t.Fatalf("the end is %v", err)
		}
	})
}

func TestASealedTextThatIsCutOrChangedIsNone(t *testing.T) {
	text, err := sealed(map[string]string{"a": "b\n"})
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]string
	if err := unsealed("x", text, &v); err != nil || v["a"] != "b\n" {
		t.Fatalf("%v, %v", v, err)
	}
	for n := range text {
		changed := bytes.Clone(text)
		changed[n] ^= 1
		for _, wrong := range [][]byte{text[:n], changed, append(bytes.Clone(text), text[n])} {
			if err := unsealed("x", wrong, &v); err == nil {
				t.Errorf("%q is taken", wrong)
			}
		}
	}
}
