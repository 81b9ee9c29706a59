package cli

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
)

// misuse says what was wrong with a command that was not understood. What the
// parser says of some mistakes is for those who know how it works.
func misuse(err error) string {
	var parse *kong.ParseError
	if !errors.As(err, &parse) {
		return explain(err)
	}
	said := err.Error()
	if word, ok := strings.CutPrefix(said, "unexpected argument "); ok {
		return unexpected(parse.Context, word)
	}
	for _, m := range mistakes {
		if found := m.form.FindStringSubmatchIndex(said); found != nil {
			return string(m.form.ExpandString(nil, m.words, said, found))
		}
	}
	return explain(err)
}

// mistakes are what the parser says, and how it is said to people.
var mistakes = []struct {
	form  *regexp.Regexp
	words string
}{
	{regexp.MustCompile(`^(--[a-z-]+): expected .* but got "(-[^"]*)" \((?:short|long) flag\)`),
		`$1 needs a value; one that begins with a dash is written $1=$2`},
	{regexp.MustCompile(`^(--[a-z-]+): expected .* but got "EOL"`), `$1 needs a value`},
	{regexp.MustCompile(`^(--[a-z-]+): expected a valid \d+ bit u?int but got ("[^"]*")`),
		`$1 must be a whole number, not $2`},
	{regexp.MustCompile(`^(--[a-z-]+): expected duration but got ("[^"]*")`),
		`$1 must be a duration such as 5s or 2m, not $2`},
	{regexp.MustCompile(`^expected "<([a-z]+)>(?: \.\.\.)?"`), `the argument <$1> is missing`},
	{regexp.MustCompile(`^expected one of (.*)$`), `a command is missing: one of $1`},
	{regexp.MustCompile(`^missing flags: (.*)$`), `not given is: $1`},
}

// unexpected tells of a word that is neither a command nor an argument.
func unexpected(at *kong.Context, word string) string {
	word, guess, guessed := strings.Cut(word, ", did you mean ")
	command := at.Selected()
	if command != nil && len(command.Children) == 0 {
		return fmt.Sprintf("%s takes no further argument: %s", command.Path(), word)
	}
	text := "there is no such command: " + strings.TrimSpace(at.Command()+" "+word)
	if guessed {
		text += "; did you mean " + guess
	}
	return text
}
