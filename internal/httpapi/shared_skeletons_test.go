package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// markers is a motion file with markers of these names.
func markers(names ...string) string {
	var head, axes, row strings.Builder
	for i, name := range names {
		fmt.Fprintf(&head, "\t%s\t\t", name)
		fmt.Fprintf(&axes, "\tX%d\tY%d\tZ%d", i+1, i+1, i+1)
		fmt.Fprintf(&row, "\t%d\t%d\t%d", 100*i+1, 100*i+2, 1000+i)
	}
	text := "PathFileType\t4\t(X/Y/Z)\tmarkers.trc\n" +
		"DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n" +
		fmt.Sprintf("100\t100\t3\t%d\tmm\t100\t1\t3\n", len(names)) +
		"Frame#\tTime" + head.String() + "\n\t" + axes.String() + "\n\n"
	for i := range 3 {
		text += fmt.Sprintf("%d\t0.0%d%s\n", i+1, i, row.String())
	}
	return text
}

func completed(t *testing.T, a *apptest.App, token, text string) string {
	t.Helper()
	r := reserve(t, a, token, `{"file_name":"a.trc"}`)
	upload(t, a, r, text).Want(204)
	if status := settled(a, token, r.SessionID); status != "completed" {
		t.Fatalf("the capture is %s", status)
	}
	return r.SessionID
}

// TestALinkTellsOnlyTheBonesByWhichItsRecordingsAreDrawn has sets that name people in all ways: by their own
// names, before a colon of either width, behind another subject, and in points that the recording does not have.
func TestALinkTellsOnlyTheBonesByWhichItsRecordingsAreDrawn(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		ann := completed(t, a, token, markers("Ann:AA", "Ann:BB", "Ann:CC", "Ann:DD", "Ann:EE"))
		bob := completed(t, a, token, markers("Bob：XX", "Bob：YY"))
		pending := reserve(t, a, token, `{"file_name":"later.trc"}`).SessionID
		a.Do("PUT", "/skeletons", token, `{"skeletons":[`+
			`{"name":"Unrelated Bob","bones":[["Bob：XX","Bob：YY"]]},`+
			`{"name":"Bob by colon","bones":[["Bob:XX","Bob:YY"]]},`+
			`{"name":"Ann before a colon","bones":[["Ann:AA","Ann:BB"],["Ann:Smith:AA","Ann:"],["Ann：DD","BB"]]},`+
			`{"name":"Ann whole","bones":[["aa","BB"],["BB","CC"],["CC","DD"],["DD","EE"],["EE","Bob:XX"]]},`+
			`{"name":"Ann smaller","bones":[["AA","BB"]]}]}`, "Content-Type", "application/json").Want(200)
		const bones = `"bones":[["AA","BB"],["BB","CC"],["CC","DD"],["DD","EE"]]`
		for _, one := range []struct {
			captures []string
			names    bool
			want     string
		}{
			{[]string{ann}, false, `{"skeletons":[{"name":"1",` + bones + `}]}`},
			{[]string{ann}, true, `{"skeletons":[{"name":"Ann whole",` + bones + `}]}`},
			{[]string{pending}, false, `{"skeletons":[]}`},
			{[]string{pending, bob, ann}, true, `{"skeletons":[{"name":"Unrelated Bob","bones":[["Bob：XX","Bob：YY"]]},` +
				`{"name":"Ann whole",` + bones + `}]}`},
		} {
			kind := "capture"
			if len(one.captures) > 1 {
				kind = "comparison"
			}
			l := shared(t, a, token, fmt.Sprintf(`{"captures":["%s"],"names":%t,"kind":%q}`,
				strings.Join(one.captures, `","`), one.names, kind))
			got := visit(a, "/skeletons", l.Secret).Want(200)
			if string(got.Body) != one.want {
				t.Errorf("%v, names %t: %s, not %s", one.captures, one.names, got.Body, one.want)
			}
			// Every point is one that the visitor sees in a recording.
			seen := ""
			for i := range one.captures {
				seen += string(visit(a, fmt.Sprintf("/captures/%d/motion", i+1), l.Secret).Body)
			}
			var sets struct {
				Skeletons []struct{ Bones [][2]string }
			}
			got.Into(&sets)
			for _, set := range sets.Skeletons {
				for _, bone := range set.Bones {
					for _, end := range bone {
						if !strings.Contains(seen, fmt.Sprintf(`"name":%q`, end)) {
							t.Errorf("%s is no point of %.300s", end, seen)
						}
					}
				}
			}
		}
	})
}

// TestARecordingThatALinkCannotShowHasNoBones has a link made before the file, whose channels name somebody, came.
func TestARecordingThatALinkCannotShowHasNoBones(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	a.Do("PUT", "/skeletons", token, `{"skeletons":[{"name":"A","bones":[["Smith:AA","Smith:BB"]]}]}`,
		"Content-Type", "application/json").Want(200)
	r := reserve(t, a, token, `{"file_name":"a.trc"}`)
	early := shared(t, a, token, fmt.Sprintf(`{"captures":[%q]}`, r.SessionID))
	upload(t, a, r, markers("Ann:Smith:AA", "Ann:Smith:BB")).Want(204)
	if status := settled(a, token, r.SessionID); status != "completed" {
		t.Fatalf("the capture is %s", status)
	}
	visit(a, "/captures/1/motion", early.Secret).Want(409)
	if got := string(visit(a, "/skeletons", early.Secret).Want(200).Body); got != `{"skeletons":[]}` {
		t.Errorf("its bones are %s", got)
	}
	named := shared(t, a, token, fmt.Sprintf(`{"captures":[%q],"names":true}`, r.SessionID))
	got := string(visit(a, "/skeletons", named.Secret).Want(200).Body)
	if !strings.Contains(got, `["Smith:AA","Smith:BB"]`) {
		t.Errorf("with names they are %s", got)
	}
}
