package httpapi

import (
	"net/http"
	"strings"
)

// sendTagged answers a read that has an entity tag: 304 when the caller has
// these bytes already.
func (c *call) sendTagged(tag string, body []byte) {
	if !c.fresh(tag) {
		c.send(http.StatusOK, body)
	}
}

// fresh sets the entity tag of a read, and says whether that was all: the caller
// has the answer already, and was told so.
func (c *call) fresh(tag string) bool {
	h := c.w.Header()
	h["Cache-Control"] = revalidate
	c.set("Etag", `"`+tag+`"`)
	if fields := c.r.Header["If-None-Match"]; len(fields) > 0 && names(fields, tag, true) {
		delete(h, "Content-Type")
		c.send(http.StatusNotModified, nil)
		return true
	}
	return false
}

// precondition says whether If-Match, where it came, names the tag. Weak tags
// never do (RFC 9110, section 13.1.1).
func (c *call) precondition(tag string) bool {
	fields := c.r.Header["If-Match"]
	return len(fields) == 0 || names(fields, tag, false)
}

// names says whether a list of entity tags, or "*" alone, names this one. With
// weak, a weak tag counts as its strong one. The list ends where it cannot be
// read: what follows a missing comma is not taken for a tag.
func names(fields []string, tag string, weak bool) bool {
	if len(fields) == 1 && strings.Trim(fields[0], " \t") == "*" {
		return true
	}
	for _, list := range fields {
		for {
			list = strings.TrimLeft(list, " \t,")
			if list == "" {
				break
			}
			rest, isWeak := strings.CutPrefix(list, "W/")
			if rest == "" || rest[0] != '"' {
				break
			}
			end := strings.IndexByte(rest[1:], '"')
			if end < 0 {
				break
			}
			list = strings.TrimLeft(rest[end+2:], " \t")
			if list != "" && list[0] != ',' {
				break
			}
			if rest[1:1+end] == tag && (weak || !isWeak) {
				return true
			}
		}
	}
	return false
}
