package frames

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"github.com/kinebase/kinebase/fault"
)

// Locale says how the numbers of CSV are written: with a decimal point and commas
// between the fields, or with a decimal comma and semicolons. The zero value is the
// point.
type Locale struct{ Comma bool }

// LocaleRule says what ParseLocale takes.
const LocaleRule = "must be a language tag such as de, de-DE, fr-CA or en-US, of a language whose decimal sign is " +
	"known to be a comma or a point"

// pointed are languages that have the decimal point wherever they are spoken, or in most
// countries. Unicode's tables have the point also for languages that they say nothing
// about; those are refused.
const pointed = " am ar bn cy en fa fil ga gd gsw gu ha he hi ig ja kn ko lb ml mn mr ms mt my ne pa rm si sw ta te " +
	"th to ur yo zh zu "

// ParseLocale reads a language tag (BCP 47) and finds the decimal sign of its language
// and country, as Unicode's CLDR has it for Western digits: de is the comma, de-CH the
// point. Anything else is a fault.BadRequest.
func ParseLocale(tag string) (Locale, error) {
	refused := fault.New(fault.BadRequest, "locale %s.", LocaleRule)
	if len(tag) > 35 || strings.Contains(tag, "_") {
		return Locale{}, refused
	}
	t, err := language.Parse(tag)
	if err != nil {
		return Locale{}, refused
	}
	base, script, region := t.Raw()
	if base.String() == "no" { // the tables have Norwegian by its two written forms
		base = language.MustParseBase("nb")
	}
	known := strings.Contains(pointed, " "+base.String()+" ")
	if !known && decimalSign(base) != "," {
		return Locale{}, refused
	}
	switch decimalSign(base, script, region) {
	case ",":
		return Locale{Comma: true}, nil
	case ".":
		return Locale{}, nil
	}
	return Locale{}, refused
}

// decimalSign is what stands between 0 and 5 where Western digits are written.
func decimalSign(parts ...any) string {
	tag, err := language.Compose(parts...)
	if err == nil {
		tag, err = tag.SetTypeForKey("nu", "latn")
	}
	if err != nil {
		return ""
	}
	text := message.NewPrinter(tag).Sprint(number.Decimal(0.5))
	return strings.TrimSuffix(strings.TrimPrefix(text, "0"), "5")
}

// Respeller turns CSV with a decimal point, as this package and exports write it, into
// CSV with a decimal comma and semicolons. A byte becomes a byte, so that neither the
// length nor any place in the file changes. Texts stay as they are: those in quotes, the
// first line, and the columns of texts. What has a semicolon in it stands in
// quotes in either form (AppendCell).
type Respeller struct {
	texts  []bool
	column int
	body   bool // the first line is over
	quoted bool
}

// NewRespeller begins at the start of a file. texts says of each column whether it has texts,
// in which nothing changes; columns beyond it have numbers.
func NewRespeller(texts []bool) *Respeller { return &Respeller{texts: texts} }

// Change changes what follows on the bytes it was given before.
func (r *Respeller) Change(b []byte) {
	for i := 0; i < len(b); i++ {
		next := bytes.IndexAny(b[i:], "\",.\n")
		if next < 0 {
			return
		}
		i += next
		switch c := b[i]; {
		case c == '"':
			r.quoted = !r.quoted
		case r.quoted:
		case c == '\n':
			r.body, r.column = true, 0
		case c == ',':
			b[i] = ';'
			r.column++
		case c == '.' && r.body && (r.column >= len(r.texts) || !r.texts[r.column]):
			b[i] = ','
		}
	}
}

// Writer changes what is written before w gets it.
func (r *Respeller) Writer(w io.Writer) io.Writer { return &respelling{to: w, by: r} }

type respelling struct {
	to  io.Writer
	by  *Respeller
	buf []byte
}

// Write writes.
func (r *respelling) Write(b []byte) (int, error) {
	r.buf = append(r.buf[:0], b...)
	r.by.Change(r.buf)
	return r.to.Write(r.buf)
}
