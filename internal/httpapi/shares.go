package httpapi

import (
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
	"github.com/kinebase/kinebase/share"
)

func (a *api) listShares(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	list, err := a.Shares.Shares(c.r.Context(), c.scope())
	if err != nil {
		return err
	}
	b := append(make([]byte, 0, 64+400*len(list)), `{"shares":[`...)
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = share.AppendJSON(b, &list[i], "")
	}
	c.send(200, append(b, `]}`...))
	return nil
}

func (a *api) createShare(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	repeat, body, done, err := a.posted(c)
	if err != nil {
		return err
	}
	defer done()
	made, err := share.Read(body, c.start, capture.ParseTime)
	if err != nil {
		return err
	}
	// Nobody can let others see what the caller cannot.
	if (made.Names || made.Course != nil) && !c.caller.Permissions.Has(organization.AthletesRead) {
		return lacks(organization.AthletesRead)
	}
	if !made.Names {
		if err := a.canBeNameless(c, &made); err != nil {
			return err
		}
	}
	secret := organization.NewLinkSecret()
	answer := share.AppendJSON(nil, &made, secret)
	once := keep(repeat, func(share.Share) ([]byte, error) { return c.seal(repeat, answer) })
	return c.sendSecret(repeat, answer, a.Shares.CreateShare(c.r.Context(), c.scope(), made, secret.Hash(), once))
}

// canBeNameless tells before a link is made that a recording of it could not be shown. One that is not read yet, or not
// there, is nothing to say about.
func (a *api) canBeNameless(c *call, made *share.Share) error {
	if made.Course != nil {
		if subject, _ := label.Split(made.Course.Metric); subject != "" {
			return fault.New(fault.Conflict,
				"The metric is called after who was recorded. Share it with names, or not at all.")
		}
	}
	for _, id := range made.Captures {
		stored, err := a.Uploads.Stored(c.r.Context(), c.scope(), id)
		if err != nil {
			continue
		}
		if info, err := storedInfo(stored); err == nil && nameless(&info) != nil {
			return fault.New(fault.Conflict,
				"Channels of the capture %s are called after who was recorded. Share it with names, or not at all.",
				payload.Quote(id))
		}
	}
	return nil
}

func (a *api) deleteShare(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	text, err := c.uuidAt(0, "id", "share")
	if err != nil {
		return err
	}
	id, _ := organization.ParseID(text)
	if err := a.Shares.DeleteShare(c.r.Context(), c.scope(), id); err != nil {
		return unknown(err, "share")
	}
	c.send(200, []byte(`{"message":"The share was taken back. Its link shows nothing any more."}`))
	return nil
}

// errNothingShared is all that a visitor hears of a link that shows nothing, whatever the reason is.
func errNothingShared() error {
	return fault.New(fault.NotFound, "There is nothing at this link: it has ended, was taken back, or is not complete.")
}
