package contract

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// unwritten are the properties of an athlete that nobody writes.
var unwritten = []string{"id", "created_at", "updated_at"}

// derived gives the document with what follows from the properties of Athlete, and what was missing of it.
func derived(document []byte) (complete []byte, missing []string, err error) {
	var root yaml.Node
	if err := yaml.Unmarshal(document, &root); err != nil {
		return nil, nil, err
	}
	lines := strings.SplitAfter(string(document), "\n")
	schemas := pairs(pairs(pairs(root.Content[0])["components"])["schemas"])
	athlete := pairs(schemas["Athlete"])
	properties, required := athlete["properties"], athlete["required"]
	inserted := map[int][]string{} // what comes behind the line of that number
	insert := func(line int, what string, text ...string) {
		inserted[line] = append(inserted[line], text...)
		missing = append(missing, what)
	}
	var listed []string
	for _, name := range required.Content {
		listed = append(listed, name.Value)
	}
	places := wholeAthletes(pairs(root.Content[0])["paths"], listed)
	for i := 0; i < len(properties.Content); i += 2 {
		name := properties.Content[i].Value
		if !slices.Contains(listed, name) {
			previous := slices.IndexFunc(required.Content, func(n *yaml.Node) bool {
				return n.Value == properties.Content[max(0, i-2)].Value
			})
			if previous < 0 {
				return nil, nil, fmt.Errorf("%s must stand behind a property that is required", name)
			}
			insert(required.Content[previous].Line, "its name under required: "+name,
				strings.Repeat(" ", required.Content[previous].Column-3)+"- "+name+"\n")
		}
		if slices.Contains(unwritten, name) {
			continue
		}
		own := block(lines, properties.Content[i])
		for _, schema := range []string{"AthleteCreate", "AthleteUpdate"} {
			want, can := written(own, schema == "AthleteCreate")
			written := pairs(schemas[schema])["properties"]
			switch have := key(written, name); {
			case have == nil && !can:
				return nil, nil, fmt.Errorf("%s of %s: write it by hand, for nothing derives it", name, schema)
			case have == nil:
				after := key(written, properties.Content[i-2].Value)
				if after == nil {
					return nil, nil, fmt.Errorf("%s must stand behind a property that %s has", name, schema)
				}
				insert(after.Line+len(block(lines, after))-1, "a property of "+schema+": "+name, want...)
			case can && !slices.Equal(undescribed(want), undescribed(block(lines, have))):
				return nil, nil, fmt.Errorf("%s of %s must be\n%s", name, schema, strings.Join(want, ""))
			}
		}
		for _, example := range places {
			if after := key(example, properties.Content[i-2].Value); key(example, name) == nil && after != nil {
				insert(after.Line+len(block(lines, after))-1, "a value of an example: "+name,
					strings.Repeat(" ", after.Column-1)+name+": "+value(properties.Content[i+1], example)+"\n")
			}
		}
	}
	for _, line := range slices.Backward(slices.Sorted(maps.Keys(inserted))) {
		lines = slices.Insert(lines, line, inserted[line]...)
	}
	return []byte(strings.Join(lines, "")), missing, nil
}

// pairs are the values of a mapping.
func pairs(mapping *yaml.Node) map[string]*yaml.Node {
	all := map[string]*yaml.Node{}
	for i := 0; mapping != nil && i < len(mapping.Content); i += 2 {
		all[mapping.Content[i].Value] = mapping.Content[i+1]
	}
	return all
}

// key is the key of that name; nil where a mapping has none.
func key(mapping *yaml.Node, name string) *yaml.Node {
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i]
		}
	}
	return nil
}

// block is the line of a key and those below it that are indented further.
func block(lines []string, key *yaml.Node) []string {
	end := key.Line
	for end < len(lines) && strings.HasPrefix(lines[end], strings.Repeat(" ", key.Column)) {
		end++
	}
	return lines[key.Line-1 : end]
}

// wholeAthletes are the mappings below a node that have every field which athletes are written with.
func wholeAthletes(n *yaml.Node, fields []string) (all []*yaml.Node) {
	if n.Kind == yaml.MappingNode && !slices.ContainsFunc(fields, func(name string) bool {
		return key(n, name) == nil && !slices.Contains(unwritten, name)
	}) {
		all = append(all, n)
	}
	for _, below := range n.Content {
		all = append(all, wholeAthletes(below, fields)...)
	}
	return all
}

// value is what a field has in an example: the first of the examples of its property, and null without one or where
// the example has none but a first name.
func value(property, example *yaml.Node) string {
	examples := pairs(property)["examples"]
	set := pairs(example)
	if examples == nil || set["last_name"].Tag == "!!null" {
		return "null"
	}
	text, err := yaml.Marshal(examples.Content[0])
	return cmp.Or(strings.TrimSpace(string(text)), fmt.Sprint(err))
}

// nullable is the type of a property that may be null.
var nullable = regexp.MustCompile(`^( *type: )\[(\w+), 'null'\]\n$`)

// written makes of a property that is read the one that is written: an empty string or 0 clears it, and only creating
// takes null. It can do so for texts, for choices and for numbers.
func written(read []string, create bool) (out []string, can bool) {
	for i, line := range read {
		word, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch {
		case i == 0 || word == "description" || word == "maxLength" || word == "maximum":
		case word == "type" && nullable.MatchString(line):
			can = true
			if !create {
				line = nullable.ReplaceAllString(line, "$1$2\n")
			}
		case word == "enum" && strings.HasSuffix(line, ", null]\n"):
			end := ", '', null]\n"
			if !create {
				end = ", '']\n"
			}
			line = strings.TrimSuffix(line, ", null]\n") + end
		case word == "minimum":
			line = line[:strings.Index(line, ":")] + ": 0\n"
		case word == "minLength" || word == "examples":
			continue
		default:
			return nil, false
		}
		out = append(out, line)
	}
	return out, can
}

// undescribed leaves out the description, in which a property that is written may say more.
func undescribed(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line), "description:")
	})
}
