package export

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
)

func asked(t *testing.T, body string) (Request, error) {
	t.Helper()
	o, err := payload.Parse([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return NewRequest(o)
}

const ann, bob = "0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70", "0191a0c4-6d2f-7a10-8c44-91b7a5e3d0c2"

func TestARequestIsReadAsItIsMeant(t *testing.T) {
	at := func(s string) *time.Time {
		moment, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return &moment
	}
	for body, want := range map[string]Request{
		`{}`: {},
		`{"startTime":null,"endTime":null,"athletes":null,"activity":null,"movement":null,"dateMode":null,"metrics":null,"row_filter_column":null}`: {},
		`{"startTime":1778673600}`: {
			Start: at("2026-05-13T12:00:00Z")},
		`{"startTime":1778673600.25}`: {
			Start: at("2026-05-13T12:00:00.25Z")},
		`{"startTime":1778673600250}`: {
			Start: at("2026-05-13T12:00:00.25Z")},
		`{"startTime":1.77867360025e12}`: {
			Start: at("2026-05-13T12:00:00.25Z")},
		`{"startTime":99999999999}`: {
			Start: at("5138-11-16T09:46:39Z")},
		`{"startTime":100000000000}`: {
			Start: at("1973-03-03T09:46:40Z")},
		`{"startTime":-1}`: {
			Start: at("1969-12-31T23:59:59Z")},
		`{"startTime":"2026-05-13T14:00:00+02:00"}`: {
			Start: at("2026-05-13T12:00:00Z")},
		`{"endTime":"2026-05-13T12:00:00"}`: {End: at("2026-05-13T12:00:00Z")},
		`{"startTime":"2026-05-13T12:00:00Z","endTime":1778673601}`: {Start: at("2026-05-13T12:00:00Z"),
			End: at("2026-05-13T12:00:01Z")},
		`{"startTime":"2026-05-13","endTime":"2026-05-14"}`: {Start: at("2026-05-13T00:00:00Z"),
			End: at("2026-05-14T00:00:00Z")},
		`{"athletes":[]}`:   {},
		`{"captures":null}`: {},
		`{"captures":["S_1"," s_1","S_1 ","é\"\\"]}`:                                {Captures: []string{"S_1", "s_1", `é"\`}},
		`{"athletes":["` + ann + `","` + bob + `"]}`:                                {Athletes: []string{ann, bob}},
		`{"athletes":["` + strings.ToUpper(bob) + `","` + ann + `","` + bob + `"]}`: {Athletes: []string{bob, ann}},
		`{"activity":"  BaseBall ","movement":" \u00a0 "}`:                          {Activity: "baseball"},
		`{"activity":"` + strings.Repeat("é", 128) +
			`  "}`: {Activity: strings.Repeat("é", 128)},
		`{"dateMode":"last_modified"}`: {DateMode: ByLastModified},
		`{"metrics":[]}`:               {},
		`{"metrics":["LASI_z","LASI_x","LASI_z"," "]}`: {
			Metrics: []string{"LASI_z", "LASI_x", " "}},
		`{"row_filter_column":"frame"}`:            {RowFilter: FrameZero},
		`{"row_filter_column":"left_foot_strike"}`: {RowFilter: "left_foot_strike"},
		`{"shape":null}`:                           {},
		`{"shape":"frames","row_filter_column":"frame"}`: {Shape: RowPerFrame,
			RowFilter: FrameZero},
		`{"shape":"metrics","metrics":["jump_height"]}`: {Shape: RowPerMetric,
			Metrics: []string{"jump_height"}},
		`{"shape":"captures","metrics":["jump_height"],"row_filter_column":null}`: {Shape: RowPerCapture,
			Metrics: []string{"jump_height"}},
	} {
		if want.DateMode == "" {
			want.DateMode = ByCaptureTime
		}
		got, err := asked(t, body)
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		for _, p := range []**time.Time{&got.Start, &got.End, &want.Start, &want.End} {
			if *p != nil {
				utc := (*p).UTC()
				*p = &utc
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %+v, want %+v", body, got, want)
		}
	}
}

func TestEveryProblemOfARequestIsToldWithItsField(t *testing.T) {
	list := func(n int, element string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + "]"
	}
	for body, want := range map[string]string{
		`{"startTime":true}`:          "startTime must be epoch seconds",
		`{"startTime":""}`:            "startTime must be epoch seconds",
		`{"startTime":"2026-02-30"}`:  "startTime must be epoch seconds",
		`{"startTime":"yesterday"}`:   "startTime must be epoch seconds",
		`{"endTime":1e300}`:           "endTime must be of the years 1 to 9999",
		`{"endTime":-1e15}`:           "endTime must be of the years 1 to 9999",
		`{"startTime":2,"endTime":1}`: "endTime must be after startTime",
		`{"startTime":2,"endTime":2}`: "endTime must be after startTime",
		`{"athletes":"` + ann + `"}`: "athletes must be an array of athlete ids, " +
			"not a string",
		`{"athletes":["` + ann + `","x"]}`:                       "number 2 is not one",
		`{"athletes":["{` + ann[1:35] + `}"]}`:                   "number 1 is not one",
		`{"athletes":[1]}`:                                       "number 1 is not one",
		`{"athletes":` + list(MaxRequestAthletes+1, `"x"`) + `}`: "at most 10000 ids",
		`{"captures":[]}`:                                        "captures must hold 1 to 10000 ids; leave it out for all",
		`{"captures":{"a":1}}`:                                   "captures must be an array of capture ids, not an object",
		`{"captures":["s",7]}`:                                   "number 2 is not one",
		`{"captures":["s"," "]}`:                                 "number 2 is not one",
		`{"captures":["a\nb"]}`:                                  "number 1 is not one",
		`{"captures":["` + strings.Repeat("é", 256) + `"]}`:      "number 1 is not one",
		`{"captures":` + list(MaxRequestCaptures+1, `"x"`) + `}`: "captures must hold 1 to 10000 ids",
		`{"activity":1}`:                                         "activity must be a string, not a number",
		`{"movement":"` + strings.Repeat("é", 129) + `"}`:        "movement must be at most 128 characters",
		`{"dateMode":""}`:                                        "dateMode must be capture_time or last_modified",
		`{"dateMode":"Capture_Time"}`:                            "dateMode must be capture_time or last_modified",
		`{"dateMode":1}`:                                         "dateMode must be capture_time or last_modified",
		`{"metrics":{}}`: "metrics must be an array of column names, " +
			"not an object",
		`{"metrics":["a",""]}`:                             "number 2 is not one",
		`{"metrics":[null]}`:                               "number 1 is not one",
		`{"metrics":["` + strings.Repeat("m", 257) + `"]}`: "number 1 is not one",
		`{"metrics":` + list(MaxMetrics+1, `"x"`) + `}`:    "at most 1000 names",
		`{"row_filter_column":""}`: "row_filter_column must be frame or the name " +
			"of an event column",
		`{"row_filter_column":0}`: "row_filter_column must be frame or the name " +
			"of an event column",
		`{"shape":""}`: "shape must be frames, for a row a frame, " +
			"captures, for a row a capture and athlete, metrics, for a row a metric of these, or athletes, for a row " +
			"an athlete",
		`{"shape":"athletes","row_filter_column":"frame"}`:      "row_filter_column chooses among captures",
		`{"activity":"golf","shape":"athletes"}`:                "activity chooses among captures",
		`{"shape":"athletes","metrics":[]}`:                     "metrics chooses among captures",
		`{"captures":["a"],"shape":"athletes","startTime":0}`:   "captures chooses among captures",
		`{"shape":"athletes","startTime":0}`:                    "startTime chooses among captures",
		`{"shape":"athletes","endTime":0}`:                      "endTime chooses among captures",
		`{"shape":"athletes","dateMode":"capture_time"}`:        "dateMode chooses among captures",
		`{"shape":"athletes","movement":"squat","athletes":[]}`: "movement chooses among captures",
		`{"shape":"Captures"}`:                                  "shape must be frames",
		`{"shape":1}`:                                           "shape must be frames",
		`{"shape":"captures","row_filter_column":"frame"}`: "row_filter_column chooses among frames, and " +
			"with the shape captures no row is a frame",
		`{"row_filter_column":"left_foot_strike","shape":"captures"}`: "row_filter_column chooses among frames",
		`{"athlete_id":"` + ann +
			`"}`: `"athlete_id" is not a field of an export request; it has activity, athletes, captures, dateMode, endTime`,
		`{"Activity":"x"}`: `"Activity" is not a field`,
	} {
		_, err := asked(t, body)
		if !fault.Is(err, fault.BadRequest) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %q", body, err, want)
		}
	}
	_, err := asked(t, `{"startTime":"x","metrics":1,"rows":2,"dateMode":"when","endTime":1}`)
	var f *fault.Error
	if !errors.As(err, &f) || len(f.Problems) != 4 {
		t.Errorf("four problems are told as %v", err)
	}
}

func TestEveryTimeThatIsTakenCanBeKept(t *testing.T) {
	for body, taken := range map[string]bool{
		`-62135596800`: true, `-62135596800.001`: false, `-62135596801`: false, `-99999999999`: false,
		`-62135596800000`: true, `-62135596800001`: false, `-100000000000`: true, `0`: true, `-0.0`: true,
		`1e-300`:       true,
		`253402300799`: true, `253402300799999`: true, `253402300799999.4`: true, `253402300800000`: false,
		`1e300`:        false,
		`"0001-01-01"`: true, `"0001-01-01T00:00:00+00:01"`: false, `"0000-12-31"`: false,
		`"9999-12-31T23:59:59.999Z"`: true, `"9999-12-31T23:59:00-00:01"`: false,
	} {
		for _, field := range []string{"startTime", "endTime"} {
			r, err := asked(t, `{"`+field+`":`+body+`}`)
			if (err == nil) != taken {
				t.Errorf("%s %s: %v", field, body, err)
			}
			if err != nil {
				continue
			}
			if _, err := json.Marshal(r); err != nil {
				t.Errorf("%s %s is taken, and cannot be kept: %v", field, body, err)
			}
		}
	}
}
