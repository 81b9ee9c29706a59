package athlete

import (
	"maps"
	"slices"
)

// Equal says whether two athletes hold the same, whatever their Version.
func Equal(a, b Athlete) bool {
	return a.ID == b.ID && a.FirstName == b.FirstName && a.LastName == b.LastName &&
		(a.DateOfBirth == nil) == (b.DateOfBirth == nil) && (a.DateOfBirth == nil || a.DateOfBirth.Equal(*b.DateOfBirth)) &&
		a.Email == b.Email && a.Phone == b.Phone && a.Gender == b.Gender &&
		a.DominantArm == b.DominantArm && a.DominantLeg == b.DominantLeg && a.Activity == b.Activity &&
		slices.Equal(a.Positions, b.Positions) && a.CompetitionLevel == b.CompetitionLevel &&
		a.Height == b.Height && a.Weight == b.Weight && maps.Equal(a.CustomAttributes, b.CustomAttributes) &&
		a.CreatedAt.Equal(b.CreatedAt) && a.UpdatedAt.Equal(b.UpdatedAt)
}
