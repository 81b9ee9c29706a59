package movement

// Reason is why a column has no value.
type Reason struct {
	Code        string `json:"code"`
	Description string `json:"description"`
}

// The codes of the reasons.
const (
	NoForcePlate     = "no-force-plate"
	PlateUnusable    = "plate-unusable"
	PlateNoisy       = "plate-noisy"
	NoFlight         = "no-flight"
	NoLanding        = "no-landing"
	NoQuietStanding  = "no-quiet-standing"
	MethodsDisagree  = "methods-disagree"
	RateTooLow       = "rate-too-low"
	UnevenFrames     = "uneven-frames"
	UnitUnknown      = "unit-unknown"
	ScaleUnknown     = "scale-unknown"
	DepthUnknown     = "depth-unknown"
	SideUnknown      = "side-unknown"
	EventMissing     = "event-missing"
	Implausible      = "implausible"
	TooLong          = "too-long"
	GapAtEvent       = "gap-at-event"
	LandmarkMissing  = "landmark-missing"
	NoRepetition     = "no-repetition"
	AngleSignUnknown = "angle-sign-unknown"
	SeveralPeople    = "several-people"
	SidesSwapped     = "sides-swapped"
	VerticalUnknown  = "vertical-unknown"
	NotUpright       = "not-upright"
	NotInFreeFall    = "not-in-free-fall"
	TooShort         = "too-short"
	Failed           = "failed"
	NoMovement       = "no-movement"
	UnknownMovement  = "unknown-movement"
	NotYet           = "not-yet"
	BeingMeasured    = "pending"

	HandednessUnknown   = "handedness-unknown"
	HandednessDisagrees = "handedness-disagrees"
	SeveralRepetitions  = "several-repetitions"
)

var reasons = []Reason{
	{NoForcePlate, "The recording has no vertical force: neither a force platform, nor a channel of the vertical " +
		"force, nor one of OpenSim's ground forces."},
	{PlateUnusable, "No force platform of the recording can be computed with; the message says why for each."},
	{PlateNoisy, "The force of the empty platform varies too much to find where contact begins and ends " +
		"to the sample."},
	{NoFlight, "At no time was the person in the air after a push-off."},
	{NoLanding, "The recording or the platform has no landing after the take-off."},
	{NoQuietStanding, "Nobody stood still for long enough: before a jump, so that the weight is not known well " +
		"enough for an integration, or in the starting position of a range of motion."},
	{MethodsDisagree, "Two independent methods give values that differ by more than their errors explain, so at " +
		"least one of them is wrong."},
	{RateTooLow, "The rate is too low for the method, or not known."},
	{UnevenFrames, "The frames are not evenly spaced in time."},
	{UnitUnknown, "The unit of a channel that the method needs is not known."},
	{ScaleUnknown, "The motion was made of the video of one camera and the athlete's height is not known, so that " +
		"lengths are not."},
	{DepthUnknown, "The motion was made of the video of one camera, which does not show how far away things are."},
	{SideUnknown, "It is not known which platform was under which foot, which foot the movement is made with, or " +
		"whether two channels are a foot each or one force twice."},
	{EventMissing, "An event that the value rests on was not found."},
	{Implausible, "The value lies outside of what people can do, so something about the recording is wrong."},
	{TooLong, "The recording is too long to be computed with as one movement."},
	{GapAtEvent, "A number that the method needs is missing in the recording."},
	{LandmarkMissing, "A point of the body or an angle that the method needs is not in the recording."},
	{NoRepetition, "The movement was not made: what it is found by does not change as it should."},
	{AngleSignUnknown, "It is not known whether a positive angle is flexion or extension."},
	{SeveralPeople, "The recording has the points of several people, and it is not known whose movement it is."},
	{SidesSwapped, "Left and right are exchanged in the names of the points: by the pelvis the toes point backwards."},
	{VerticalUnknown, "It is not known which way is up, or the file tells another direction than the person who " +
		"stands."},
	{NotUpright, "The trunk is not upright, and the value is measured about the vertical."},
	{NotInFreeFall, "In the air the body does not fall as all things do, so the unit or the rate of the recording " +
		"is wrong."},
	{TooShort, "The recording is too short for the value."},
	{HandednessUnknown, "The capture does not say which hand the movement is made with."},
	{HandednessDisagrees, "By the recording the movement is made with the other hand, or to the other side, than the " +
		"capture says."},
	{SeveralRepetitions, "The recording has the movement several times, and it is not known which one is meant."},
	{Failed, "The computation itself failed; the recording was read nevertheless."},
	{NoMovement, "The capture has no activity or no movement, so it is not known what to look for."},
	{UnknownMovement, "The library of movements does not have the movement of the capture."},
	{NotYet, "The library has the movement, and no events and metrics of it yet."},
	{BeingMeasured, "The recording is being measured, such as after a correction; ask again in a moment."},
}
