package frames

import "regexp"

// again is how a name is made distinct where a recording has it already.
var again = regexp.MustCompile(`^(.+)_[0-9]+$`)

// PointsOfSubjects gives the names of the points of each subject, in the order of the recording. A point that has
// a number behind its name only because another subject has the name too is given without it.
func (i *Info) PointsOfSubjects() [][]string {
	owners := map[string]string{}
	for _, c := range i.Channels {
		if c.Kind == KindPoint {
			owners[c.Name] = c.owner()
		}
	}
	var all [][]string
	places := map[string]int{}
	for _, c := range i.Channels {
		if c.Kind != KindPoint {
			continue
		}
		name, own := c.Name, c.owner()
		if base := again.FindStringSubmatch(name); base != nil {
			if other, ok := owners[base[1]]; ok && other != own {
				name = base[1]
			}
		}
		place, ok := places[own]
		if !ok {
			place = len(all)
			places[own], all = place, append(all, nil)
		}
		all[place] = append(all[place], name)
	}
	return all
}

// owner is the subject, empty where there is none.
func (c *Channel) owner() string {
	if c.Subject == nil {
		return ""
	}
	return *c.Subject
}
