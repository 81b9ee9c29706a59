package skeleton

import "strings"

// Drawn gives the sets by which at least one of the subjects is drawn. A subject is the names of its points. Of a
// set there are the bones of which such a subject has both points, under the names that it has for them, so
// nothing is told of points that no subject has. A set without such a bone is left out.
func (all Sets) Drawn(subjects [][]string) Sets {
	seen := make([]seenSet, len(all.Skeletons))
	for _, names := range subjects {
		places := make(map[string]string, len(names))
		for _, name := range names {
			if _, ok := places[folded(name)]; !ok {
				places[folded(name)] = name
			}
		}
		if i := all.fitting(places); i >= 0 {
			seen[i].add(all.Skeletons[i], places)
		}
	}
	drawn := Sets{Skeletons: []Set{}}
	for i, set := range all.Skeletons {
		if bones := seen[i].of(set); len(bones) > 0 {
			drawn.Skeletons = append(drawn.Skeletons, Set{Name: set.Name, Bones: bones})
		}
	}
	return drawn
}

// fitting is the place of the set by which a subject is drawn, -1 where none fits: of the sets of which at least
// 80 % of the points are there the one with most, and of several with as many the first one. The console chooses
// by the same rule; testdata/drawn.json holds both to it.
func (all Sets) fitting(places map[string]string) int {
	best, most := -1, 0
	for i, set := range all.Skeletons {
		members, there := make(map[string]bool, 2*len(set.Bones)), 0
		for _, bone := range set.Bones {
			for _, end := range bone {
				if name := folded(end); !members[name] {
					members[name] = true
					if _, ok := places[name]; ok {
						there++
					}
				}
			}
		}
		if 5*there >= 4*len(members) && there > most {
			best, most = i, there
		}
	}
	return best
}

// seenSet is what subjects have of a set.
type seenSet struct {
	bones map[int]bool      // those with both points, by their places in the set
	names map[string]string // of points, by their folded names
}

// add notes the bones of which a subject has both points.
func (s *seenSet) add(set Set, places map[string]string) {
	if s.bones == nil {
		s.bones, s.names = map[int]bool{}, map[string]string{}
	}
	for k, bone := range set.Bones {
		from, ok := places[folded(bone[0])]
		to, both := places[folded(bone[1])]
		if !ok || !both {
			continue
		}
		s.bones[k] = true
		for _, name := range []string{from, to} {
			if s.names[folded(name)] == "" { // two recordings may write a point differently
				s.names[folded(name)] = name
			}
		}
	}
}

// of gives the bones in the order of the set.
func (s *seenSet) of(set Set) (bones []Bone) {
	for k, bone := range set.Bones {
		if s.bones[k] {
			bones = append(bones, Bone{s.names[folded(bone[0])], s.names[folded(bone[1])]})
		}
	}
	return bones
}

// folded is a name as it is compared with others.
func folded(name string) string { return strings.ToLower(name) }
