package httpapi

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/frames"
)

// unname takes out of what is told of a recording all that could name somebody: the file's name, the names of
// subjects wherever they stand, and sentences of the file or about it. Names of channels stay: without them
// nothing can be shown.
func (m *motionAnswer) unname() {
	m.FileName = "recording" + strings.ToLower(path.Ext(m.FileName))
	aliases := map[string]string{"": ""}
	var pairs []string
	alias := func(subject string) string {
		if _, ok := aliases[subject]; !ok {
			aliases[subject] = fmt.Sprintf("Subject %d", len(aliases))
			pairs = append(pairs, subject, aliases[subject])
		}
		return aliases[subject]
	}
	m.Subjects = slices.Clone(m.Subjects)
	for i, s := range m.Subjects {
		m.Subjects[i] = alias(s)
	}
	m.Channels = slices.Clone(m.Channels)
	for i, c := range m.Channels {
		if c.Subject != nil {
			s := alias(*c.Subject)
			m.Channels[i].Subject = &s
		}
	}
	m.PlatformChannels = slices.Clone(m.PlatformChannels)
	m.Events = slices.Clone(m.Events)
	for i := range m.Events {
		m.Events[i].Subject, m.Events[i].Description = alias(m.Events[i].Subject), ""
	}
	m.Metrics = slices.Clone(m.Metrics)
	for i := range m.Metrics {
		m.Metrics[i].Subject, m.Metrics[i].Description = alias(m.Metrics[i].Subject), ""
	}
	m.Warnings = []frames.Warning{}
	if m.Computed == nil {
		return
	}
	hidden := strings.NewReplacer(pairs...)
	found := *m.Computed
	if found.Reason != nil {
		found.Reason = &frames.Reason{Code: found.Reason.Code, Message: hidden.Replace(found.Reason.Message)}
	}
	found.Withheld = slices.Clone(found.Withheld)
	for i := range found.Withheld {
		found.Withheld[i].Message = hidden.Replace(found.Withheld[i].Message)
	}
	found.Used.Notes = slices.Clone(found.Used.Notes)
	for i := range found.Used.Notes {
		found.Used.Notes[i] = hidden.Replace(found.Used.Notes[i])
	}
	m.Computed = &found
}
