package intake_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
	"github.com/kinebase/kinebase/organization"
)

// BenchmarkImportWithoutAStore is what an import costs before the store: reading,
// judging, naming and handing over. One operation is a manifest of 100,000 lines.
func BenchmarkImportWithoutAStore(b *testing.B) {
	o := fixture.Organization{ID: org, Athletes: 2000, Captures: 97_900, Jobs: 100, Shared: 0.03}
	var text bytes.Buffer
	if err := o.WriteNDJSON(&text); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		im := intake.Import{Store: discard{}, Scope: organization.In(org), Stdin: bytes.NewReader(text.Bytes())}
		if s, err := im.Run(context.Background(), "-"); err != nil || s.Failed > 0 {
			b.Fatal(s, err)
		}
	}
	b.ReportMetric(float64(o.Len())*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
