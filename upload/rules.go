package upload

import (
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// The limits of a reservation's fields.
const (
	maxFileName = 255
	maxCamera   = 8 << 10 // bytes of camera_configuration as JSON
	maxAhead    = 5 * time.Minute
)

// reader collects a reservation and what is wrong with it.
type reader struct {
	fault.Problems
	now time.Time
	r   Reservation
}

var fields = map[string]func(*reader, payload.Value){
	"athlete_id":           (*reader).athlete,
	"athlete_ids":          (*reader).athletes,
	"session_group_id":     (*reader).group,
	"movement_attributes":  (*reader).attributes,
	"camera_configuration": (*reader).camera,
	"file_name":            (*reader).fileName,
	"file_size":            (*reader).fileSize,
	"capture_time":         (*reader).captureTime,
}

// New makes a reservation from the body of a request. null counts as absent.
// window is how long it waits for its file. The error is a fault.BadRequest with
// every problem of the body.
func New(body payload.Object, now time.Time, window time.Duration) (Reservation, error) {
	now = now.UTC().Truncate(time.Millisecond)
	r := reader{now: now}
	r.r.Expires = now.Add(window)
	r.r.Capture = capture.Capture{Status: capture.AwaitingUpload, Source: capture.SourceAPI, CaptureTime: &now}
	for _, m := range body.Members() {
		if read, ok := fields[m.Name]; !ok {
			r.Add(m.Name, "%s is not a field of a reservation; it has %s", payload.Quote(m.Name),
				strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		} else if !m.Value.Null() {
			read(&r, m.Value)
		}
	}
	_, one := given(body, "athlete_id")
	if _, several := given(body, "athlete_ids"); one && several {
		r.Add("athlete_ids", "athlete_id and athlete_ids must not both be given")
	}
	if _, named := given(body, "file_name"); !named {
		r.Add("file_name", "file_name is required: it tells the kind of the file by its ending, one of %s", endings())
	}
	if _, filmed := given(body, "camera_configuration"); !filmed && IsVideo(r.r.FileName) {
		r.Add("camera_configuration", "camera_configuration is required for a video")
	}
	if r.r.Group == "" {
		r.r.Group = organization.NewUUID()
	}
	if err := r.Err(); err != nil {
		return Reservation{}, err
	}
	return r.r, nil
}

// given gives a field that is there and not null.
func given(body payload.Object, name string) (payload.Value, bool) {
	v, ok := body.Get(name)
	return v, ok && !v.Null()
}

func (r *reader) athlete(v payload.Value) {
	id, ok := organization.ParseUUID(v.String())
	if !ok {
		r.Add("athlete_id", "athlete_id must be a UUID of 36 characters")
		return
	}
	r.r.Capture.AthleteIDs = []string{id}
}

func (r *reader) athletes(v payload.Value) {
	r.r.Capture.AthleteIDs = capture.ReadAthletes(&r.Problems, v)
}

func (r *reader) group(v payload.Value) {
	id, ok := organization.ParseUUID(v.String())
	if !ok {
		r.Add("session_group_id", "session_group_id must be a UUID of 36 characters")
		return
	}
	r.r.Group = id
}

func (r *reader) attributes(v payload.Value) {
	const field = "movement_attributes"
	if v.Kind() != payload.KindObject {
		r.Add(field, "%s must be an object, not %s", field, v.Kind().Article())
		return
	}
	c := &r.r.Capture
	for _, m := range v.Object().Members() {
		name := field + "." + m.Name
		switch {
		case m.Name == "activity":
			c.Activity = capture.ReadLabel(&r.Problems, name, m.Value)
		case m.Name == "movement":
			c.Movement = capture.ReadLabel(&r.Problems, name, m.Value)
		case !capture.IsDimension(m.Name):
			r.Add(name, "%s is neither activity, movement nor a movement dimension", payload.Quote(m.Name))
		default:
			if value := capture.ReadDimension(&r.Problems, name, m.Value); value != "" {
				if c.Dimensions == nil {
					c.Dimensions = map[string]string{}
				}
				c.Dimensions[m.Name] = value
			}
		}
	}
	capture.SettleDimensions(&r.Problems, field+".", c.Movement, c.Dimensions)
}

func (r *reader) camera(v payload.Value) {
	const field = "camera_configuration"
	if v.Kind() != payload.KindObject {
		r.Add(field, "%s must be an object, not %s", field, v.Kind().Article())
		return
	}
	if r.r.Camera = payload.AppendJSON(nil, v); len(r.r.Camera) > maxCamera {
		r.Add(field, "%s must be at most %d bytes long", field, maxCamera)
	}
}

func (r *reader) fileName(v payload.Value) {
	const field = "file_name"
	name := v.String()
	_, known := motion.KindOf(name)
	switch {
	case v.Kind() != payload.KindString:
		r.Add(field, "%s must be a string, not %s", field, v.Kind().Article())
	case strings.ContainsAny(name, `/\`):
		r.Add(field, `%s must be a name without a path: no / and no \`, field)
	case strings.ContainsFunc(name, unicode.IsControl):
		r.Add(field, "%s must not hold control characters", field)
	case utf8.RuneCountInString(name) > maxFileName:
		r.Add(field, "%s must be at most %d characters long", field, maxFileName)
	case !known && !IsCameras(name):
		r.Add(field, "%s must have one of the endings %s", field, endings())
	default:
		r.r.FileName = name
	}
}

func (r *reader) fileSize(v payload.Value) {
	n, ok := v.Int()
	if !ok || n < 1 {
		r.Add("file_size", "file_size must be the number of bytes of the file, at least 1")
		return
	}
	r.r.FileSize = n
}

func (r *reader) captureTime(v payload.Value) {
	t, ok := capture.ParseTime(v.String())
	switch {
	case !ok:
		r.Add("capture_time", "capture_time must be an ISO 8601 date and time such as 2026-05-13T12:00:00.000Z")
	case t.After(r.now.Add(maxAhead)):
		r.Add("capture_time", "capture_time must not be more than 5 minutes ahead")
	default:
		r.r.Capture.CaptureTime, r.r.TimeGiven = &t, true
	}
}

// IsVideo says whether a file is a video, by the ending of its name.
func IsVideo(name string) bool {
	kind, _ := motion.KindOf(name)
	return kind == motion.MOV || kind == motion.MP4
}

// endings lists the endings of the names of motion files.
func endings() string {
	var list []string
	for _, k := range motion.Kinds() {
		list = append(list, k.Extension())
	}
	return strings.Join(append(list, camerasEnding), " ")
}
