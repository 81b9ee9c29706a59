package manifest_test

import (
	"bytes"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/fixture"
	"github.com/kinebase/kinebase/manifest"
)

// BenchmarkReading reads a manifest from memory into records. One operation is
// one line.
func BenchmarkReading(b *testing.B) {
	o := fixture.Organization{ID: org, Athletes: 2000, Captures: 100_000, Jobs: 100, Shared: 0.03}
	var text bytes.Buffer
	if err := o.WriteNDJSON(&text); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len() / o.Len()))
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; {
		identity := manifest.NewIdentity(org)
		for line := range manifest.Lines(bytes.NewReader(text.Bytes())) {
			r, err := manifest.Parse(line.Text, now)
			if err != nil {
				b.Fatal(err)
			}
			identity.Assign(r)
			if n++; n == b.N {
				break
			}
		}
	}
}
