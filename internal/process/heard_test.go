package process_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/upload"
)

// heard runs a video processor that says something, and gives what was heard of it and how it ended.
func heard(t *testing.T, script string) (parts []float64, err error) {
	t.Helper()
	got, err := pose(t, script).Read(t.Context(), lab, upload.Source{Name: "a.mp4",
		Tell: func(done float64) { parts = append(parts, done) }}, remoteOf(clip()))
	if err == nil {
		err = got.Close()
	}
	return parts, err
}

func TestAVideoProcessorSaysHowFarItIs(t *testing.T) {
	for _, c := range []struct {
		said string
		want []float64
	}{
		{`printf 'done 0\ndone 0.25\n'; printf 'do'; sleep 0.01; printf 'ne 0.5\n'; echo 'done 1'`, []float64{0, 0.25, 0.5, 1}},
		{`printf '  done 0.5 \r\n'`, []float64{0.5}},
		{`printf 'done\ndone \ndone 1.5\ndone -1\ndone NaN\ndone Inf\ndone half\nundone 0.5\nDone 0.5\n'`, nil},
		{`head -c 100000 /dev/zero | tr '\0' 'x'; printf '\ndone 0.5\n'`, []float64{0.5}},
		{`printf 'done 0.'; head -c 100 /dev/zero | tr '\0' '1'; echo`, nil},
		{`printf 'done 0.5'`, nil}, // a line without an end
	} {
		parts, _ := heard(t, c.said)
		if !slices.Equal(parts, c.want) {
			t.Errorf("%s: %v, want %v", c.said, parts, c.want)
		}
	}
}

func TestHowFarItWasIsNotTheReasonWhyAVideoProcessorMadeNothing(t *testing.T) {
	_, err := heard(t, `echo 'nobody is to be seen'; echo 'done 0.5'`)
	var died *upload.Died
	if !errors.As(err, &died) || !strings.HasSuffix(died.Reason, "Its last words: nobody is to be seen") {
		t.Errorf("it says %v", err)
	}
}
