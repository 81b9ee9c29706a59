package cli_test

import (
	"os"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/testkit"
)

// flip changes a byte of a file; once more, and it is what it was.
func (p patient) flip(path string) {
	p.Helper()
	data, err := os.ReadFile(path)
	must(p.drill, data, err)[len(data)/5] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		p.Fatal(err)
	}
}

// kept are the files of captures whose path has a word in it.
func (p patient) kept(word string) (paths []string) {
	for _, path := range p.files() {
		if strings.Contains(path, word) {
			paths = append(paths, path)
		}
	}
	return paths
}

// TestADoctorThatReadsSomeFilesReadsTablesBesideOriginalsAndOthersEachTime holds it to that: it read the same files each
// time, and no table of an organization with as many originals as it was to read.
func TestADoctorThatReadsSomeFilesReadsTablesBesideOriginalsAndOthersEachTime(t *testing.T) {
	testkit.Long(t)
	d := &drill{T: t, shell: newShell(t), files: map[string][]byte{}}
	d.app = d.serve()
	d.org = d.app.Organization()
	d.secret = d.app.Token(d.org)
	d.client = d.of(d.app)
	p := patient{d, d.capture(0)}
	other := d.capture(1)
	if err := d.app.Stop(); err != nil {
		t.Fatal(err)
	}
	p.finds("checksums", app.Fine, "1 of 2 original files were read", "--samples", "1")
	p.finds("tables", app.Fine, "1 of 2 tables were read", "--samples", "1")
	p.finds("tables", app.Fine, "0 of 2 tables were read", "--samples", "0")

	tables := p.kept(".parquet")
	p.flip(tables[0])
	p.finds("tables", app.Wrong, "1 table is damaged", "--samples", "2")
	p.flip(tables[0])

	originals := p.kept("original")
	if len(tables) != 2 || len(originals) != 2 {
		t.Fatalf("of %s and %s there are %q and %q", p.session, other, tables, originals)
	}
	for _, path := range originals {
		p.flip(path)
		tries := 0
		for p.shell.run("doctor", "--samples", "1").code == 0 {
			if tries++; tries == 64 { // one in 2⁶⁴ when either is as likely
				t.Fatalf("%s is never read", path)
			}
		}
		p.finds("checksums", app.Wrong, "1 file has other bytes", "--samples", "2")
		p.flip(path)
	}
}
