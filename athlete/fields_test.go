package athlete_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/field"
)

// A field of the structure that has no row would be read, kept and compared nowhere.
func TestEveryFieldOfAnAthleteHasItsRow(t *testing.T) {
	var a athlete.Athlete
	rows := map[unsafe.Pointer]string{}
	for _, f := range athlete.Fields {
		at := place(t, f, &a)
		if rows[at] != "" {
			t.Errorf("%s and %s are kept in one place", rows[at], f.Name)
		}
		rows[at] = f.Name
	}
	v := reflect.ValueOf(&a).Elem()
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; name != "Version" && rows[v.Field(i).Addr().UnsafePointer()] == "" {
			t.Errorf("Athlete.%s has no row among the fields", name)
		}
	}
	if len(rows) != v.NumField()-1 {
		t.Errorf("%d rows for %d fields and the version", len(rows), v.NumField()-1)
	}
}

// place gives where a field lies, and holds it to one kind.
func place(t *testing.T, f field.Field[athlete.Athlete], a *athlete.Athlete) (at unsafe.Pointer) {
	t.Helper()
	v := reflect.ValueOf(f)
	kinds := 0
	for i := range v.NumField() {
		if kind := v.Field(i); kind.Kind() == reflect.Func && !kind.IsNil() {
			kinds++
			at = kind.Call([]reflect.Value{reflect.ValueOf(a)})[0].UnsafePointer()
		}
	}
	if kinds != 1 {
		t.Errorf("%s has %d kinds of places", f.Name, kinds)
	}
	return at
}
