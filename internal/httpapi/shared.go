package httpapi

import (
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
	"github.com/kinebase/kinebase/share"
)

// shareHeader has the secret of a link. It is no Authorization: nothing else takes it.
const shareHeader = "Kinebase-Share"

// visit finds what the link of a visitor shows. From then on the call is one of the share's organization, with no
// permission at all.
func (a *api) visit(c *call) (shown share.Share, err error) {
	fields := c.r.Header[http.CanonicalHeaderKey(shareHeader)]
	secret, ok := organization.Secret(""), false
	if len(fields) == 1 {
		secret, ok = organization.ParseLinkSecret(fields[0])
	}
	var org organization.ID
	if ok {
		shown, org, err = a.Shares.Shown(c.r.Context(), secret.Hash(), c.start)
	}
	if !ok || fault.Is(err, fault.NotFound) {
		if err := a.Door.Failed(c.r.Context(), c.address()); err != nil {
			return shown, err
		}
		return shown, errNothingShared()
	}
	if err != nil {
		return shown, err
	}
	c.caller = caller.Caller{Organization: org, Token: shown.ID}
	c.share = &shown
	return shown, a.Door.Count(c.r.Context(), c.caller).Err
}

// visitor is who comes by a link, as the audit log has it.
func visitor(s *share.Share) audit.Actor {
	return audit.Actor{Kind: audit.System, ID: "share " + s.ID.String()}
}

// sharedCapture has the path name the capture of a number, as the handlers of captures read it.
func (a *api) sharedCapture(c *call) (number string, s share.Share, err error) {
	if s, err = a.visit(c); err != nil {
		return "", s, err
	}
	number = c.path[0]
	id, ok := s.At(number)
	if !ok {
		return "", s, errNothingShared()
	}
	c.path[0] = id
	return number, s, nil
}

func (a *api) getShared(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	s, err := a.visit(c)
	if err != nil {
		return err
	}
	b := payload.AppendString(append(make([]byte, 0, 512), `{"kind":`...), string(s.Kind))
	b = payload.AppendString(append(b, `,"view":`...), s.View)
	b = strconv.AppendBool(append(b, `,"names":`...), s.Names)
	b = payload.AppendTime(append(b, `,"expires_at":`...), &s.ExpiresAt)
	b = append(b, `,"captures":[`...)
	for i, id := range s.Captures {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = a.appendSharedCapture(b, c, s, id, strconv.Itoa(i+1)); err != nil {
			return err
		}
	}
	if b, err = a.appendSharedCourse(append(b, `],"progress":`...), c, s); err != nil {
		return err
	}
	if err := a.Shares.Visited(c.r.Context(), c.scope(), s.ID, c.start); err != nil {
		return err
	}
	c.send(200, append(b, '}'))
	return nil
}

// appendSharedCapture appends a capture as visitors see it: under its number, and with what names people only
// where that is allowed.
func (a *api) appendSharedCapture(b []byte, c *call, s share.Share, id, number string) ([]byte, error) {
	stored, err := a.Uploads.Stored(c.r.Context(), c.scope(), id)
	if err != nil {
		return nil, gone(err)
	}
	one := stored.Capture
	athlete := ""
	if len(one.AthleteIDs) > 0 {
		athlete = one.AthleteIDs[0]
	}
	one.SessionID = number
	if !s.Names {
		one.Error = nil // it may quote the file
	}
	b = one.AppendJSON(b, s.Alias(athlete))
	if !s.Names {
		return b, nil
	}
	b = append(b[:len(b)-1], `,"athlete_name":`...)
	if athlete == "" {
		return append(b, `null}`...), nil
	}
	who, err := a.Athletes.Athlete(c.r.Context(), c.scope(), athlete)
	if err != nil {
		return nil, gone(err)
	}
	return append(payload.AppendString(b, strings.TrimSpace(who.FirstName+" "+who.LastName)), '}'), nil
}

// gone is what a visitor hears of what was erased a moment ago.
func gone(err error) error {
	if fault.Is(err, fault.NotFound) {
		return errNothingShared()
	}
	return err
}

func (a *api) getSharedCapture(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	number, s, err := a.sharedCapture(c)
	if err != nil {
		return err
	}
	body, err := a.appendSharedCapture(nil, c, s, c.path[0], number)
	if err != nil {
		return err
	}
	c.sendTagged(tagOf("shared", string(body)), body)
	return nil
}

func (a *api) getSharedMotion(c *call) error {
	number, s, err := a.sharedCapture(c)
	if err != nil {
		return err
	}
	return unreadable(a.sendMotion(c, func(m *motionAnswer) error {
		m.SessionID = number
		if s.Names {
			return nil
		}
		if err := nameless(&m.Info); err != nil {
			return err
		}
		m.unname()
		return nil
	}))
}

func (a *api) getSharedFrames(c *call) error {
	number, _, err := a.sharedCapture(c)
	if err != nil {
		return err
	}
	c.alias = number
	return unreadable(a.getFrames(c))
}

// errNamed is what is heard of a recording that cannot be shown without naming somebody.
var errNamed = fault.New(fault.Conflict,
	"Channels of the recording are called after who was recorded, and the link may name nobody.")

// passing is how the processor of videos calls those who are not the one who is filmed.
var passing = regexp.MustCompile(`^person[0-9]+$`)

// nameless is errNamed for a recording with a channel that has something before a colon, as the file has it,
// for that may be the name of a subject. It is not shown under another name: the view names channels too, and
// the page would not find them.
func nameless(info *frames.Info) error {
	filmed := info.Filmed()
	for _, c := range info.Channels {
		if subject, _ := label.Split(c.Name); subject != "" && !(filmed && passing.MatchString(subject)) {
			return errNamed
		}
	}
	return nil
}

// unreadable is what a visitor hears of a recording that cannot be shown: the reason may quote the file.
func unreadable(err error) error {
	if errors.Is(err, errNamed) {
		return err
	}
	if fault.Is(err, fault.Conflict) {
		return fault.New(fault.Conflict, "The recording cannot be shown: its file has not been read.")
	}
	return gone(err)
}
