package jobs_test

import (
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/testkit"
)

func TestHowFarAVideoIsIsWrittenDownWhileItIsProcessed(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		o.reader.open = make(chan struct{})
		session := o.sent("slow half")
		testkit.Until(t, "the half that is done is known", func() bool {
			got, err := o.store.Stored(t.Context(), o.scope, session)
			o.must(err)
			return got.Processing.Done == 0.5
		})
		close(o.reader.open)
		o.await(session, capture.Completed)
	})
}
