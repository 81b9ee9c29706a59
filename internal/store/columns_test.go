package store

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// filler gives every field of a value, also one that is added tomorrow, a value that no other field of any value has
// had, and none that an unset field has.
type filler struct{ n int }

// fill fills the fields of a structure but those that are named.
func (f *filler) fill(t *testing.T, of any, except ...string) {
	t.Helper()
	f.into(t, reflect.ValueOf(of).Elem(), "", except)
}

func (f *filler) into(t *testing.T, v reflect.Value, name string, except []string) {
	t.Helper()
	f.n++
	switch at := noon.Add(time.Duration(f.n) * time.Millisecond); {
	case slices.Contains(except, name):
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(at))
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprint("text ", f.n))
	case v.CanInt() && v.Type() == reflect.TypeFor[time.Duration]():
		v.SetInt(int64(time.Duration(f.n) * time.Second))
	case v.CanInt():
		v.SetInt(int64(f.n))
	case v.CanFloat():
		v.SetFloat(float64(f.n) + 0.5)
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.into(t, v.Elem(), name, except)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		v.SetBytes([]byte(fmt.Sprint("bytes ", f.n)))
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			f.into(t, v.Index(i), name, except)
		}
	case v.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf(fmt.Sprint("key ", f.n)), reflect.ValueOf(fmt.Sprint("value ", f.n)))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			part := v.Field(i)
			// fields of this package are set too
			part = reflect.NewAt(part.Type(), unsafe.Pointer(part.UnsafeAddr())).Elem()
			f.into(t, part, v.Type().Field(i).Name, except)
		}
	default:
		t.Fatalf("%s: nothing fills a %s: say how", name, v.Type())
	}
}

// keptWhole holds what came back to what was kept, field by field.
func keptWhole(t *testing.T, how string, got, want any) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range w.NumField() {
		if a, b := fmt.Sprintf("%#v", printed(g.Field(i))), fmt.Sprintf("%#v", printed(w.Field(i))); a != b {
			t.Errorf("%s: %s.%s came back as %s; kept was %s", how, w.Type(), w.Type().Field(i).Name, a, b)
		}
	}
}

// printed gives a value that prints whole: what pointers point to, and times to the last digit.
func printed(v reflect.Value) any {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	if !v.CanInterface() {
		return fmt.Sprintf("%#v", v)
	}
	if at, ok := v.Interface().(time.Time); ok {
		return at.UTC().Format(time.RFC3339Nano)
	}
	return v.Interface()
}

func TestEveryFieldOfAnAthleteIsKept(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		var f filler
		read := func(how string, want athlete.Athlete) {
			t.Helper()
			got, err := s.Athlete(t.Context(), sc, want.ID)
			must(t, err)
			keptWhole(t, how, got, want)
			page, err := s.Athletes(t.Context(), sc, athlete.Query{Limit: 1})
			must(t, err)
			keptWhole(t, how+", listed", page.Athletes[0], want)
		}
		next := func(version int64, id string) (a athlete.Athlete) {
			f.fill(t, &a, "ID", "Version")
			a.ID, a.Version = id, version
			return a
		}
		made := next(1, organization.NewID().String())
		create(t, s, sc, made)
		read("created", made)

		changed := next(2, made.ID)
		_, err := s.ChangeAthlete(t.Context(), sc, made.ID, nil,
			func(athlete.Athlete) (athlete.Athlete, error) { return changed, nil })
		must(t, err)
		read("changed", changed)

		imported := next(3, made.ID)
		put := func() {
			t.Helper()
			outcomes, err := s.Import(t.Context(), sc, []manifest.Record{{Athlete: &imported}}, false)
			must(t, err)
			must(t, outcomes[0].Err)
		}
		put()
		read("imported over an athlete", imported)
		must(t, s.DeleteAthlete(t.Context(), sc, made.ID, func(athlete.Athlete) error { return nil }))
		imported = next(1, made.ID)
		put()
		read("imported", imported)
	})
}

func TestEveryFieldOfARecordingIsKept(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		put(t, s, sc, session("filmed", &noon))
		var f filler
		var r recording
		for version, write := range []func(*writeTx, string, *recording) error{(*writeTx).insertRecording,
			(*writeTx).updateRecording} {
			var want, got recording
			f.fill(t, &want, "Capture", "Version", "learned")
			want.Version = int64(version)                    // the statement counts it
			want.until = db.Micros(s.now().Add(time.Minute)) // how far a worker is is known while there is one
			must(t, s.write(t.Context(), idOf(t, sc), func(w *writeTx) error {
				if err := write(w, "filmed", &want); err != nil {
					return err
				}
				_, locked, err := s.lockRecording(w, "filmed")
				got = *locked
				return err
			}))
			want.Capture = got.Capture
			if want.Version != int64(version)+1 {
				t.Errorf("version %d", want.Version)
			}
			keptWhole(t, "locked", got, want)
			stored, err := s.Stored(t.Context(), sc, "filmed")
			must(t, err)
			stored.Capture = want.Capture
			keptWhole(t, "read", stored, want.Stored)
			r = want
		}
		if r.Version != 2 {
			t.Errorf("version %d after two writes", r.Version)
		}
	})
}

func TestEveryFieldOfATokenIsKept(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		var f filler
		var made organization.Token
		f.fill(t, &made, "ID", "Organization")
		made.ID, made.Organization = organization.NewID(), sc.Organization
		read := func(how string, want organization.Token, hash organization.SecretHash) {
			t.Helper()
			for _, find := range []func() (organization.Token, error){
				func() (organization.Token, error) { return s.Token(t.Context(), sc, made.ID) },
				func() (organization.Token, error) { return s.FindToken(t.Context(), made.ID) },
				func() (organization.Token, error) {
					list, err := s.Tokens(t.Context(), sc)
					return list[0], err
				},
				func() (organization.Token, error) { return s.lookUp(t.Context(), hash) },
			} {
				got, err := find()
				must(t, err)
				keptWhole(t, how, got, want)
			}
		}
		must(t, s.CreateToken(t.Context(), sc, made, organization.SecretHash{1}, nil))
		read("created", made, organization.SecretHash{1})
		for _, hash := range []*organization.SecretHash{nil, {2}} {
			next := made
			f.fill(t, &next, "ID", "Organization")
			_, err := s.ChangeToken(t.Context(), sc, made.ID,
				nil, func(organization.Token) (organization.Token, *organization.SecretHash, error) {
					return next, hash, nil
				})
			must(t, err)
			if hash == nil {
				hash = &organization.SecretHash{1}
			}
			read("changed", next, *hash)
		}
	})
}

func TestEveryFieldOfTheFileOfAResultIsKept(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		var f filler
		var want, got exportFile
		for n := range 2 {
			f.fill(t, &want, "job", "format")
			want.job, want.format = "job", "csv"
			must(t, s.write(t.Context(), idOf(t, sc), func(w *writeTx) error {
				write := exportFiles.Inserted
				if n > 0 {
					write = exportFiles.Updated
				}
				if err := w.Do(write(&want, w.Org)); err != nil {
					return err
				}
				locked, err := w.lockFile("job", "csv")
				got = *locked
				return err
			}))
			keptWhole(t, "locked", got, want)
		}
	})
}
