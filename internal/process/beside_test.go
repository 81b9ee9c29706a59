package process_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/process"
	"github.com/kinebase/kinebase/upload"
)

// says is a processor that makes three frames of two points and leaves that beside them.
func says(t *testing.T, beside string) *process.Runner {
	t.Helper()
	r := pose(t, "exit 1")
	r.Video = []string{"/bin/sh", "-c",
		`printf 'A_x [m],A_y [m],A_z [m],B_x [m],B_y [m],B_z [m]\n1,2,3,4,5,6\n1,2,3,4,5,6\n1,2,3,4,5,6\n' > "$1.csv"; ` + beside, "pose", "{output}", "{input}"}
	return r
}

func TestAVideoProcessorSaysWhatItsMotionFileCannot(t *testing.T) {
	r := says(t, `echo '{"up":"+y","unknown":["scale","depth","scale"],"bones":[["A","B"],["A","C"]],"warnings":[{"code":"scale-unknown","message":"Any size."}],"more":1}' > "$1.json"`)
	got, err := r.Read(t.Context(), lab, upload.Source{Name: "a.mp4"}, remoteOf(clip()))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	info := infoOf(t, got)
	if info.Up != "+y" || fmt.Sprint(info.Unknown) != "[depth scale]" || fmt.Sprint(info.Bones) != "[[A B]]" {
		t.Errorf("up %q, unknown %v, bones %v", info.Up, info.Unknown, info.Bones)
	}
	if last := info.Warnings[len(info.Warnings)-1]; last.Code != "scale-unknown" || last.Message != "Any size." {
		t.Errorf("the last warning is %v", last)
	}
}

func TestWhatAVideoProcessorSaysIsNotTrusted(t *testing.T) {
	for name, beside := range map[string]string{
		"no JSON":            `echo { > "$1.json"`,
		"a wrong axis":       `echo '{"up":"y"}' > "$1.json"`,
		"an unknown unknown": `echo '{"unknown":["all"]}' > "$1.json"`,
		"no message":         `echo '{"warnings":[{"code":"x"}]}' > "$1.json"`,
		"too much":           `head -c 2000000 /dev/zero > "$1.json"`,
		"a link":             `ln -s /etc/passwd "$1.json"`,
		"a pipe":             `mkfifo "$1.json"`,
	} {
		var died *upload.Died
		if _, err := says(t, beside).Read(t.Context(), lab, upload.Source{Name: "a.mp4"},
			remoteOf(clip())); !errors.As(err, &died) || !strings.Contains(died.Reason, "output.json") {
			t.Errorf("%s gives %v", name, err)
		}
	}
}

func TestAVideoProcessorIsToldWhatIsKnown(t *testing.T) {
	for height, want := range map[float64]string{
		1.75: `{"video":{"frames":10,"rate":25,"duration":0.4,"width":640,"height":480,"rotation":0,"variable":false},"athlete":{"height":1.75}}`,
		0:    `{"video":{"frames":10,"rate":25,"duration":0.4,"width":640,"height":480,"rotation":0,"variable":false}}`,
	} {
		r := pose(t, "exit 1")
		r.Video = []string{"/bin/sh", "-c", `cat "$3" >&2; exit 3`, "pose", "{output}", "{input}", "{about}"}
		var died *upload.Died
		_, err := r.Read(t.Context(), lab, upload.Source{Name: "a.mp4", Height: height}, remoteOf(clip()))
		if !errors.As(err, &died) || !strings.HasSuffix(died.Reason, want) {
			t.Errorf("it is told %v, want %s", err, want)
		}
	}
}
