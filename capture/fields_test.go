package capture_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/kinebase/kinebase/capture"
)

// A field of the structure that has no row would be read from no import and compared nowhere.
func TestEveryFieldOfACaptureHasItsRow(t *testing.T) {
	var c capture.Capture
	rows := map[unsafe.Pointer]string{}
	for _, f := range capture.Fields {
		v := reflect.ValueOf(f)
		for i := range v.NumField() {
			if kind := v.Field(i); kind.Kind() == reflect.Func && !kind.IsNil() {
				at := kind.Call([]reflect.Value{reflect.ValueOf(&c)})[0].UnsafePointer()
				if rows[at] != "" {
					t.Errorf("%s and %s are kept in one place", rows[at], f.Name)
				}
				rows[at] = f.Name
			}
		}
	}
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		if rows[v.Field(i).Addr().UnsafePointer()] == "" {
			t.Errorf("Capture.%s has no row among the fields", v.Type().Field(i).Name)
		}
	}
	if len(rows) != v.NumField() || len(rows) != len(capture.Fields) {
		t.Errorf("%d rows in %d places for %d fields", len(capture.Fields), len(rows), v.NumField())
	}
}
