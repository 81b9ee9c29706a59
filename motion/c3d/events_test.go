package c3d_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

func TestEventsAreFoundWhereverTheyAre(t *testing.T) {
	group := func(name string) []c3dtest.Parameter {
		return []c3dtest.Parameter{
			{Group: name, Name: "USED", Value: int16(2)},
			{Group: name, Name: "LABELS", Value: []string{"Foot Strike", "Jump"}},
			{Group: name, Name: "CONTEXTS", Value: []string{"LEFT", "Elsewhere"}},
			{Group: name, Name: "SUBJECTS", Value: []string{"Ann"}},
			{Group: name, Name: "TIMES", Value: []float32{0, 3.05, 1, 2.5}},
		}
	}
	want := []record.Event{{Label: "Foot Strike", Context: record.Left, Time: 3.05, Subject: "Ann"},
		{Label: "Jump", Context: "Elsewhere", Time: 62.5}}
	for _, processor := range []c3d.Processor{c3d.Intel, c3d.DEC, c3d.MIPS} {
		o := gait()
		o.Processor, o.Events = processor, []c3dtest.Event{{Label: "RHS", Time: 2.72}, {Label: "STOP", Time: 5.4}}
		if got := whole(t, c3dtest.File(o)).Events; !slices.Equal(got,
			[]record.Event{{Label: "RHS", Time: 2.72}, {Label: "STOP", Time: 5.4}}) {
			t.Errorf("%v, header: %+v", processor, got)
		}
		for _, name := range []string{"EVENT", "EVENTS"} {
			o.Add = group(name)
			rec := whole(t, c3dtest.File(o))
			if !slices.Equal(rec.Events, want) {
				t.Errorf("%v, %s: %+v", processor, name, rec.Events)
			}
			if rec.Warnings.Has(quality.EventsMisnamed) != (name == "EVENTS") {
				t.Errorf("%v, %s: warnings %v", processor, name, rec.Warnings)
			}
		}
	}
	o := gait()
	o.Add = append(group("EVENT"), c3dtest.Parameter{Group: "EVENT", Name: "USED", Value: int16(1)})
	if rec := whole(t, c3dtest.File(o)); len(rec.Events) != 1 || !rec.Warnings.Has(quality.EventsDisagree) {
		t.Errorf("%d events, warnings %v", len(rec.Events), rec.Warnings)
	}
}

func TestEventsWhoseTimesAreNoMinutesAndSecondsAreLeftOut(t *testing.T) {
	array := func(dimensions ...int) c3dtest.Array {
		a := c3dtest.Array{Type: c3d.Real, Dimensions: dimensions}
		for i := range 4 {
			a.Data = binary.LittleEndian.AppendUint32(a.Data, math.Float32bits(float32(i)))
		}
		return a
	}
	for name, c := range map[string]struct {
		times any
		used  int16
		want  []float64
	}{
		"pairs":                      {array(2, 2), 2, []float64{1, 123}},
		"pairs in one row":           {array(4), 2, []float64{1, 123}},
		"a number for each":          {array(4), 4, nil},
		"rows of one":                {array(1, 4), 4, nil},
		"rows of one, other count":   {array(1, 4), 2, nil},
		"rows of four":               {array(4, 1), 2, nil},
		"a text":                     {"1234", 2, nil},
		"a single number":            {float32(3), 1, nil},
		"more pairs than are stated": {array(2, 2), 1, []float64{1}},
	} {
		o := gait()
		o.Add = []c3dtest.Parameter{{Group: "EVENT", Name: "USED", Value: c.used},
			{Group: "EVENT", Name: "LABELS", Value: []string{"a", "b", "c", "d"}},
			{Group: "EVENT", Name: "TIMES", Value: c.times}}
		rec := whole(t, c3dtest.File(o))
		var got []float64
		for _, e := range rec.Events {
			got = append(got, e.Time)
		}
		if !slices.Equal(got, c.want) || len(c.want) < 2 && !rec.Warnings.Has(quality.EventsDisagree) {
			t.Errorf("%s: events at %v, want %v; warnings %v", name, got, c.want, rec.Warnings)
		}
	}
}

func TestMetricsAreReadWithWhatIsSaidOfThem(t *testing.T) {
	metrics := func(more ...c3dtest.Parameter) *record.Recording {
		o := gait()
		o.Add = append([]c3dtest.Parameter{
			{Group: "ANALYSIS", Name: "USED", Value: int16(3)},
			{Group: "ANALYSIS", Name: "NAMES", Value: []string{"Walking Speed", "Cadence", "Cadence"}},
			{Group: "ANALYSIS", Name: "CONTEXTS", Value: []string{"LEFT", "Right", "Elsewhere"}},
			{Group: "ANALYSIS", Name: "SUBJECTS", Value: []string{"Ann"}},
			{Group: "ANALYSIS", Name: "UNITS", Value: []string{"m/s", "steps/min"}},
			{Group: "ANALYSIS", Name: "VALUES", Value: []float32{1.1, 116.50485, -3}},
		}, more...)
		return whole(t, c3dtest.File(o))
	}
	want := []record.Metric{
		{Name: "Walking Speed", Context: record.Left, Subject: "Ann", Unit: "m/s", Value: 1.1},
		{Name: "Cadence", Context: record.Right, Unit: "steps/min", Value: 116.50485},
		{Name: "Cadence", Context: "Elsewhere", Value: -3},
	}
	if rec := metrics(); !slices.Equal(rec.Metrics, want) || rec.Warnings.Has(quality.MetricsDisagree) {
		t.Errorf("%+v, %v", rec.Metrics, rec.Warnings)
	}
	nan := float32(math.NaN())
	for what, more := range map[string]c3dtest.Parameter{
		"one less is used": {Group: "ANALYSIS", Name: "USED", Value: int16(2)},
		"one more is used": {Group: "ANALYSIS", Name: "USED", Value: int16(4)},
		"a value is none":  {Group: "ANALYSIS", Name: "VALUES", Value: []float32{1.1, 116.50485, nan}},
		"a name is none":   {Group: "ANALYSIS", Name: "NAMES", Value: []string{"Walking Speed", "Cadence", " "}},
		"values are short": {Group: "ANALYSIS", Name: "VALUES", Value: []float32{1.1, 116.50485}},
	} {
		left := want[:2]
		if what == "one more is used" {
			left = want
		}
		rec := metrics(more)
		if !slices.Equal(rec.Metrics, left) ||
			rec.Warnings.Has(quality.MetricsDisagree) != (what != "one less is used") {
			t.Errorf("%s: %+v, %v", what, rec.Metrics, rec.Warnings)
		}
	}
}
