package movement

import "testing"

func TestAMovementThatTheLibraryHasNoColumnsOfIsToldSo(t *testing.T) {
	l := &Library{Movements: []Movement{{Activity: "walking", Movement: "gait"}}}
	if why := l.nothing("walking", "gait"); why == nil || why.Code != NotYet {
		t.Errorf("the reason is %+v", why)
	}
}

func TestEveryMovementHasColumnsAndAWayToFindThem(t *testing.T) {
	for _, m := range Read().Movements {
		if len(m.Columns) == 0 || computations[Pair{m.Activity, m.Movement}] == nil {
			t.Errorf("%s/%s has %d columns, and they are computed: %v", m.Activity, m.Movement, len(m.Columns),
				computations[Pair{m.Activity, m.Movement}] != nil)
		}
	}
}
