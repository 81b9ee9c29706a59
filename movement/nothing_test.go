package movement_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/movement"
)

// slip makes one mistake in a text, as people make them in typing.
func slip(chance *rand.Rand, text string) string {
	at := chance.IntN(len(text))
	switch chance.IntN(3) {
	case 0:
		return text[:at] + text[at+1:]
	case 1:
		return text[:at] + "7" + text[at:]
	}
	return text[:at] + "7" + text[at+1:]
}

func TestAMistakeInTypingALabelIsToldWithTheMovementThatWasMeant(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 1))
	for _, m := range movement.Read().Movements {
		for range 20 {
			activity, name := m.Activity, slip(chance, m.Movement)
			if chance.IntN(2) == 0 {
				activity = slip(chance, activity)
			}
			c := movement.Measure(activity, name, &movement.Recording{})
			if c.Reason == nil || c.Reason.Code != movement.UnknownMovement ||
				!strings.Contains(c.Reason.Message, " no "+activity+"/"+name+".") ||
				!strings.HasSuffix(c.Reason.Message, " It has "+m.Activity+"/"+m.Movement+".") {
				t.Errorf("of %s/%s it is said %+v", activity, name, c.Reason)
			}
			if len(c.Events)+len(c.Metrics)+len(c.Withheld) > 0 || c.Library == "" {
				t.Errorf("as %s/%s it is %+v", activity, name, c)
			}
		}
	}
}

func TestLabelsOfNoMovementOfTheLibraryHaveAReasonAndNoColumns(t *testing.T) {
	for _, labels := range [][3]string{
		{"", "", movement.NoMovement}, {"jump", "", movement.NoMovement}, {"", "broad", movement.NoMovement},
		{"gait", "walking", movement.UnknownMovement}, {"broad", "jump", movement.UnknownMovement},
		{"jump ", "gehen", movement.UnknownMovement},
	} {
		for _, c := range []*movement.Recording{{}, nil} {
			got := movement.Measure(labels[0], labels[1], c)
			if got.Reason == nil || got.Reason.Code != labels[2] || strings.Contains(got.Reason.Message, "It has") ||
				len(got.Events)+len(got.Metrics)+len(got.Withheld) > 0 {
				t.Errorf("as %q it is %+v", labels[:2], got)
			}
		}
	}
	for _, m := range movement.Read().Movements {
		if got := movement.NotMeasured(m.Activity, m.Movement, "So."); (got.Reason == nil) != (len(m.Columns) > 0) ||
			len(got.Withheld) != len(m.Columns) {
			t.Errorf("%s/%s: %+v", m.Activity, m.Movement, got)
		}
	}
}
