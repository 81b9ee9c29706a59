package payload_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
)

func TestAnObjectKeepsItsMembersInOrder(t *testing.T) {
	o, err := payload.Parse(
		[]byte(" {\"b\": \"x\", \"\\u0061\": [1, {\"c\": null}], \"n\": 7e1, \"t\": true, \"o\": {\"z\": 1, \"y\": " +
			"[[]]}} \n"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range o.Members() {
		names = append(names, m.Name+":"+m.Value.Kind().String())
	}
	if got, want := strings.Join(names, " "), "b:string a:array n:number t:boolean o:object"; got != want {
		t.Errorf("members %q, want %q", got, want)
	}
	a, _ := o.Get("a")
	if e := a.Elements(); len(e) != 2 || e[0].Number() != "1" || e[1].Kind() != payload.KindObject ||
		!e[1].Object().Members()[0].Value.Null() {
		t.Errorf("elements %v", e)
	}
	n, _ := o.Get("n")
	if n.Number() != "7e1" || n.String() != "" {
		t.Errorf("the number's literal is %q, its string %q", n.Number(), n.String())
	}
	in, _ := o.Get("o")
	if m := in.Object().Members(); len(m) != 2 || m[0].Name != "z" || m[1].Name != "y" {
		t.Errorf("inner members %v", m)
	}
	if tv, _ := o.Get("t"); !tv.Bool() {
		t.Error("true reads as false")
	}
	if _, ok := o.Get("B"); ok {
		t.Error("names must be found by their exact casing")
	}
}

func TestWhatIsNotOneStrictObjectIsRefused(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1) }
	if _, err := payload.Parse([]byte(deep(payload.MaxDepth))); err != nil {
		t.Errorf("32 deep is allowed: %v", err)
	}
	for name, c := range map[string]struct{ text, says, field string }{
		"nothing":             {"", "nothing was sent", ""},
		"white space":         {" \n\t", "nothing was sent", ""},
		"a string":            {`"x"`, "not a string", ""},
		"null":                {`null`, "not null", ""},
		"an array":            {`[{}]`, "not an array", ""},
		"a number":            {`7`, "not a number", ""},
		"no JSON":             {`first_name=Ann`, "not valid at byte", ""},
		"a byte order mark":   {"\ufeff{}", "byte order mark", ""},
		"not UTF-8":           {"{\"a\":\"\xff\"}", "UTF-8", ""},
		"not UTF-8 after":     {"{}\xff", "UTF-8", ""},
		"a name twice":        {`{"a":1,"a":1}`, `the field "a" is given twice`, "a"},
		"twice by escape":     {`{"a":1,"\u0061":1}`, `"a" is given twice`, "a"},
		"twice deep down":     {`{"x":[{"y":{"b":1,"b":2}}]}`, `"b" is given twice`, "b"},
		"a lone surrogate":    {`{"a":"\ud800"}`, "not valid", ""},
		"a lone low one":      {`{"a":"\udc00x"}`, "not valid", ""},
		"surrogates reversed": {`{"a":"\udc00\ud800"}`, "not valid", ""},
		"one in a name":       {`{"\ud800":1}`, "not valid", ""},
		"one deep down":       {`{"a":[["\ud800"]]}`, "not valid", ""},
		"a raw control":       {"{\"a\":\"\x01\"}", "not valid", ""},
		"NaN":                 {`{"a":NaN}`, "not valid", ""},
		"leading zero":        {`{"a":07}`, "not valid", ""},
		"plus":                {`{"a":+7}`, "not valid", ""},
		"a trailing comma":    {`{"a":1,}`, "not valid", ""},
		"a comment":           {`{"a":1/*x*/}`, "not valid", ""},
		"single quotes":       {`{'a':1}`, "not valid", ""},
		"cut short":           {`{"a":"b"`, "cut short", ""},
		"cut in a string":     {`{"a":"b`, "cut short", ""},
		"cut deep down":       {`{"a":[{"b":`, "cut short", ""},
		"something after":     {`{} {}`, "nothing may follow", ""},
		"rubbish after":       {`{}x`, "nothing may follow", ""},
		"a NUL after":         {"{}\x00", "nothing may follow", ""},
		"33 deep":             {deep(payload.MaxDepth + 1), "at most 32 deep", ""},
		"deep and never shut": {`{"custom_attributes":` + strings.Repeat(`{"a":`, 100000), "at most 32 deep", ""},
		"deep arrays":         {`{"a":` + strings.Repeat(`[`, 100000), "at most 32 deep", ""},
	} {
		_, err := payload.Parse([]byte(c.text))
		if !fault.Is(err, fault.BadRequest) {
			t.Errorf("%s: %v, want a BadRequest", name, err)
			continue
		}
		e := err.(*fault.Error)
		if !strings.Contains(e.Message, c.says) {
			t.Errorf("%s: %q does not say %q", name, e.Message, c.says)
		}
		if len(e.Problems) != 1 || e.Problems[0].Field != c.field {
			t.Errorf("%s: problems %v, want one of field %q", name, e.Problems, c.field)
		}
	}
}

func TestWhatIsNoJSONIsExplainedInPlainWords(t *testing.T) {
	for text, want := range map[string]string{
		`oops`:             `byte 1: "o" cannot stand there`,
		`{'a':1}`:          `byte 2: "'" cannot stand there`,
		`{"a" 1}`:          "byte 6: a colon is missing after a name",
		`{"a":1 "b":2}`:    "byte 8: a comma or } is missing",
		`{"a":[1 2]}`:      "byte 9: a comma or ] is missing",
		`{"a":}`:           "byte 6: a value is missing after a name",
		`{"a":"\q"}`:       "byte 7: it is no escape that JSON knows",
		`{"a":"\ud800"}`:   "byte 7: the escape is half a character, without the other half",
		"{\"a\":\"\x01\"}": "byte 7: a control character in a string must be written as an escape",
		`{"a":1.}`:         "byte 8: a digit is missing",
	} {
		_, err := payload.Parse([]byte(text))
		if want := "BadRequest: the JSON is not valid at " + want; err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestAnIntegralNumberIsAnIntegerHoweverItIsSpelled(t *testing.T) {
	for text, want := range map[string]int64{
		"70": 70, "70.0": 70, "7e1": 70, "7E+1": 70, "700e-1": 70, "0.7e2": 70, "70.000": 70, "-0": 0, "0": 0,
		"-0.0": 0, "0e99999999999999999999": 0,
		"-1": -1, "9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64, "1e18": 1e18,
		"0.00001e5":                            1,
		"1" + strings.Repeat("0", 50) + "e-50": 1,
	} {
		if n, ok := number(t, text).Int(); !ok || n != want {
			t.Errorf("%s is %d, %v; want %d", text, n, ok, want)
		}
	}
	for _, text := range []string{"70.5", "7e-1", "0.1", "9223372036854775808", "-9223372036854775809", "1e19", "1e400",
		"1e-400", "1e99999999999999999999", "1e-99999999999999999999", "70.0000000000000000001"} {
		if n, ok := number(t, text).Int(); ok {
			t.Errorf("%s is taken as the integer %d", text, n)
		}
	}
	for _, text := range []string{`"70"`, "true", "null", "[]", "{}"} {
		if _, ok := number(t, text).Int(); ok {
			t.Errorf("%s is taken as an integer", text)
		}
	}
	if f, ok := number(t, "29.97").Float(); !ok || f != 29.97 {
		t.Errorf("29.97 reads as %v, %v", f, ok)
	}
	if _, ok := number(t, "1e400").Float(); ok {
		t.Error("a number beyond float64 is taken")
	}
}

func number(t *testing.T, text string) payload.Value {
	t.Helper()
	o, err := payload.Parse([]byte(`{"n":` + text + `}`))
	if err != nil {
		t.Fatal(err)
	}
	v, _ := o.Get("n")
	return v
}

func TestATextOfVeryManyValuesIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ start, part, end string }{
		"members":       {`{"z":0`, `,"%d":0`, `}`},
		"elements":      {`{"a":[0`, `,%d`, `]}`},
		"members below": {`{"a":{"z":0`, `,"%d":0`, `}}`},
	} {
		text := func(n int) []byte {
			b := []byte(c.start)
			for i := range n {
				b = fmt.Appendf(b, c.part, i)
			}
			return append(b, c.end...)
		}
		if _, err := payload.Parse(text(payload.MaxValues/2 - 10)); err != nil {
			t.Errorf("%s: half as many: %v", name, err)
		}
		if _, err := payload.Parse(text(payload.MaxValues + 1)); err == nil ||
			!strings.Contains(err.Error(), "at most 20000 values") {
			t.Errorf("%s: too many: %v", name, err)
		}
	}
}

// Whatever is accepted, encoding/json reads as the same tree, and nothing makes
// Parse panic.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":[1,{"b":null}],"c":"\ud83d\ude00"}`, `{"a":1,"a":2}`, `{"a":-0.0e5}`,
		`{"a":"\ud800"}`, "{\"\xff\":1}", ` {"a":{"b":{"c":[[[]]]}}} `} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := payload.Parse(b)
		if err != nil {
			if !fault.Is(err, fault.BadRequest) {
				t.Fatalf("%v is not a BadRequest", err)
			}
			return
		}
		var want map[string]any
		d := json.NewDecoder(strings.NewReader(string(b)))
		d.UseNumber()
		if err := d.Decode(&want); err != nil {
			t.Fatalf("accepted %q, which encoding/json refuses: %v", b, err)
		}
		sameObject(t, o, want)
	})
}

func sameObject(t *testing.T, o payload.Object, want map[string]any) {
	if len(o.Members()) != len(want) {
		t.Fatalf("%d members, want %d", len(o.Members()), len(want))
	}
	for _, m := range o.Members() {
		same(t, m.Value, want[m.Name])
	}
}

func same(t *testing.T, v payload.Value, want any) {
	ok := false
	switch w := want.(type) {
	case nil:
		ok = v.Null()
	case bool:
		ok = v.Kind() == payload.KindBool && v.Bool() == w
	case string:
		ok = v.Kind() == payload.KindString && v.String() == w
	case json.Number:
		ok = v.Number() == w.String()
		if n, isInt := v.Int(); isInt && ok {
			f, err := strconv.ParseFloat(w.String(), 64)
			ok = err == nil && f == float64(n)
		}
	case []any:
		e := v.Elements()
		ok = len(e) == len(w)
		for i := range e {
			if ok {
				same(t, e[i], w[i])
			}
		}
	case map[string]any:
		ok = v.Kind() == payload.KindObject
		sameObject(t, v.Object(), w)
	}
	if !ok {
		t.Fatalf("%v %q differs from %v", v.Kind(), v.String()+v.Number(), want)
	}
}
