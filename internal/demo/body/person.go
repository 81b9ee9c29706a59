// Package body makes recordings of people up who do not exist: a skeleton of
// average proportions, a few movements that it makes by the laws of mechanics, and
// the markers on its skin as cameras would see them. The same person, movement and
// seed give the same recording.
//
// Inside, lengths are metres, angles degrees and times seconds; x is forward, y to
// the left, z up, and the ground is at z = 0.
package body

// Person is who moves.
type Person struct {
	Stature float64 // metres
	Mass    float64 // kilograms
	Left    bool    // throws and swings left-handed
}

// Lengths as parts of the stature, after Drillis and Contini (1966) as Winter gives
// them (Biomechanics and Motor Control of Human Movement, 4th ed. 2009, fig. 4.1).
// Where joints lie inside the outline, of which that figure gives the width, and how
// the spine is divided is after de Leva (J. Biomech. 29, 1996).
const (
	thighLength    = 0.245
	shankLength    = 0.246
	ankleHeight    = 0.039
	footLength     = 0.152
	upperArmLength = 0.186
	forearmLength  = 0.146
	handLength     = 0.108

	hipHalf      = 0.050 // from the middle to a hip joint
	shoulderHalf = 0.112
	waistUp      = 0.060 // from the hips to where the spine bends
	shoulderUp   = 0.228 // from there to the shoulders
	neckUp       = 0.248 // from there to the base of the neck
	headUp       = 0.085 // from there to the middle of the head

	ankleBehind = 0.47 * footLength // behind the ball of the foot
	heelBehind  = 0.72 * footLength
)

// Masses as parts of the whole, and where their centres lie from the upper end of a
// segment to the lower one, after Winter (2009), table 4.1.
const (
	headMass, thoraxMass, abdomenMass, pelvisMass = 0.081, 0.216, 0.139, 0.142
	upperArmMass, forearmMass, handMass           = 0.028, 0.016, 0.006
	thighMass, shankMass, footMass                = 0.100, 0.0465, 0.0145

	upperArmCentre, forearmCentre, handCentre = 0.436, 0.430, 0.506
	thighCentre, shankCentre, footCentre      = 0.433, 0.433, 0.500
)

// gravity is what a body in flight falls with, in m/s².
const gravity = 9.80665
