package demo

import (
	"fmt"
	"strconv"
	"time"

	"github.com/kinebase/kinebase/athlete"
)

// member is an athlete and what the captures need to know beside the record.
type member struct {
	athlete.Athlete
	joined time.Time
}

// positions are those that the interface knows, of the sports that have any.
var positions = map[string][]string{
	"baseball": {"pitcher", "catcher", "first_base", "second_base", "third_base", "shortstop", "left_field",
		"center_field", "right_field", "designated_hitter"},
	"softball": {"pitcher", "catcher", "first_base", "second_base", "third_base", "shortstop", "left_field",
		"center_field", "right_field", "designated_hitter"},
	"basketball": {"point_guard", "shooting_guard", "small_forward", "power_forward", "center"},
}

func (l lab) athletes() []member {
	members := make([]member, len(people))
	for i, p := range people {
		members[i] = l.member(i, p)
	}
	return members
}

// member makes one up. Not everything is known of everybody.
func (l lab) member(i int, p person) member {
	age := []int{l.between(9, 13), l.between(14, 17), l.between(18, 22), l.between(23, 38), l.between(39, 66)}[i%5]
	born := l.now.AddDate(-age, 0, -l.between(0, 364)).Truncate(24 * time.Hour)
	m := member{joined: l.now.Add(-span + time.Duration(l.Int64N(int64(span*2/3)))).Truncate(time.Second)}
	a := &m.Athlete
	a.ID, a.FirstName, a.LastName, a.Gender = l.id(), p.first, p.last, p.gender
	a.CreatedAt = m.joined
	a.UpdatedAt = a.CreatedAt.Add(time.Duration(l.Int64N(int64(l.now.Sub(a.CreatedAt))))).Truncate(time.Second)
	a.CustomAttributes = map[string]string{"member": fmt.Sprintf("H%04d", 1000+7*i)}
	if !l.chance(60) {
		a.DateOfBirth = &born
	}
	if p.mail != "" {
		a.Email = p.mail + "@example.org" // a domain that nobody can have
	}
	if l.chance(600) {
		a.Phone = fmt.Sprintf("+1 555 01%02d", i) // numbers that nobody can have
	}
	if !l.chance(80) {
		a.Height, a.Weight = l.size(age, p.gender)
	}
	if !l.chance(100) {
		a.DominantArm = l.side(880)
		a.DominantLeg = l.side(800)
	}
	if sport := []string{"baseball", "softball", "tennis", "basketball", "golf", ""}[i%6]; sport != "" {
		a.Activity = sport
		if all := positions[sport]; all != nil {
			a.Positions = append(a.Positions, one(l, all...))
			if second := one(l, all...); l.chance(300) && second != a.Positions[0] {
				a.Positions = append(a.Positions, second)
			}
			a.CustomAttributes["jersey"] = strconv.Itoa(l.between(1, 99))
		}
		a.CustomAttributes["team"] = one(l, "Harbour Hawks", "North Pier", "Lighthouse Juniors", "Tidewater")
	}
	switch {
	case age < 14:
		a.CompetitionLevel = "youth"
	case age < 18:
		a.CompetitionLevel = "high_school"
	case age < 23 && l.chance(800):
		a.CompetitionLevel = "college"
	case age < 39 && l.chance(500):
		a.CompetitionLevel = "professional"
	}
	if l.chance(120) {
		a.CustomAttributes["note"] = one(l, "returns from an ankle sprain", "prefers mornings", "orthotics, both feet",
			"knee brace, left")
	}
	return m
}

// size gives inches and pounds that fit the age.
func (l lab) size(age int, gender string) (height, weight int) {
	height = 64 + l.between(-3, 4)
	if gender == "male" {
		height += 5
	}
	if age < 17 {
		height -= (17 - age) * 3 / 2
	}
	return height, height*height*l.between(33, 43)/1000 + l.between(-6, 12)
}

func (l lab) side(right int) string {
	switch {
	case l.chance(right):
		return "right"
	case l.chance(150):
		return "both"
	}
	return "left"
}
