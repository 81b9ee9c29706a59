package client

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"testing"
)

// Whatever stands beside the fixed fields, in whatever order and however it is written,
// every string of it is a dimension and nothing else is.
func TestEveryStringThatIsNoFixedFieldIsADimension(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	texts := []string{"", "left", `"`, `\`, `\"`, "a,b", "{", "}]", ": ", "\n", "ü🏃", "<&>", "session_id"}
	text := func() string { return texts[r.IntN(len(texts))] + texts[r.IntN(len(texts))] }
	for range 2000 {
		object, want := map[string]any{"session_id": text(), "status": "completed"}, map[string]string{}
		for name := range fixedNames {
			if r.IntN(3) == 0 && object[name] == nil && name != "-" {
				object[name] = map[string]any{
					"capture_time": "2026-05-13T12:00:00Z", "updated_at": "2026-05-13T12:00:00Z", "fps_detected": 59.94,
					"warning_count": 3,
				}[name]
			}
		}
		object["capture_time_from"] = "file"
		for range r.IntN(6) {
			name := text()
			if fixedNames[name] {
				continue
			}
			value := []any{text(), text(), nil, true, 12.5, []any{text(), map[string]any{text(): text()}},
				map[string]any{text(): []any{}}}[r.IntN(7)]
			object[name] = value
			delete(want, name)
			if s, is := value.(string); is {
				want[name] = s
			}
		}
		written, err := json.Marshal(object)
		if r.IntN(2) == 0 {
			written, err = json.MarshalIndent(object, "", "\t")
		}
		if err != nil {
			t.Fatal(err)
		}
		var got Capture
		if err := json.Unmarshal(written, &got); err != nil {
			t.Fatalf("seed %d: %s: %v", seed, written, err)
		}
		if got.SessionID != object["session_id"] || !maps.Equal(got.Dimensions, want) {
			t.Fatalf("seed %d: %s is read as %+v, want the dimensions %q", seed, written, got, want)
		}
	}
}

func TestTheNameOfAFixedFieldMayBeWrittenWithEscapes(t *testing.T) {
	var got Capture
	if err := json.Unmarshal([]byte(`{"session\u005fid":"x","h\u0061nd":"left"}`), &got); err != nil {
		t.Fatal(err)
	}
	if got.SessionID != "x" || !maps.Equal(got.Dimensions, map[string]string{"hand": "left"}) {
		t.Errorf("read as %+v", got)
	}
}

func BenchmarkACaptureIsRead(b *testing.B) {
	one := []byte(`{"session_id":"0b9f6c1a-1111-4222-8333-444455556666","athlete_id":"0b9f6c1a-1111-4222-8333-444455556666","activity":"tennis","movement":"forehand","status":"completed","error":null,"capture_time":"2026-05-13T12:00:00.000Z","fps_detected":119.88,"handedness":"left"}`)
	for b.Loop() {
		var c Capture
		if err := json.Unmarshal(one, &c); err != nil {
			b.Fatal(err)
		}
	}
}
