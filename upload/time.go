package upload

// TimeSource says where the capture_time of a capture with a file comes from.
type TimeSource int64

// The sources. What was kept before sources were, and what was imported, is not known.
const (
	TimeNotKnown TimeSource = iota
	TimeGiven               // somebody has said it: the file does not know better
	TimeOfFile              // the file has said it
	TimeOfUpload            // nobody has said it: when the place for the file was reserved
)

// From says where the capture_time of a reservation comes from.
func (r Reservation) From() TimeSource {
	if r.TimeGiven {
		return TimeGiven
	}
	return TimeOfUpload
}

// String is the source as the interface calls it; "" where it is not known.
func (t TimeSource) String() string {
	switch t {
	case TimeGiven:
		return "given"
	case TimeOfFile:
		return "file"
	case TimeOfUpload:
		return "upload"
	default:
		return ""
	}
}
