package record

// Plate is a force platform as a C3D file describes it (group FORCE_PLATFORM of the
// C3D user guide, www.c3d.org). Lengths are in the unit of the recording.
type Plate struct {
	// Type says what the channels hold: 1 to 4 are known to package plate.
	Type int `json:"type"`
	// Corners are those of its surface in the laboratory, in the order of the quadrants
	// +x+y, -x+y, -x-y and +x-y of the plate itself.
	Corners [4][3]float64 `json:"corners"`
	// Origin is, for types 2 and 4, the vector from the origin of the plate's transducers to
	// the middle of its surface; for type 3 the distances of its sensors and their depth.
	Origin [3]float64 `json:"origin"`
	// Matrix calibrates the channels of a type 4: 6 × 6 numbers, the row running fastest;
	// nil for other types.
	Matrix []float64 `json:"matrix,omitempty"`
	// Channels are places in Recording.Analogs, in the order of the type.
	Channels []int `json:"-"`
}
