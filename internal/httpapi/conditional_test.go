package httpapi

import "testing"

func TestEntityTagsAreComparedInLists(t *testing.T) {
	for _, c := range []struct {
		fields       []string
		weak, strong bool
	}{
		{[]string{`"a"`}, true, true},
		{[]string{`W/"a"`}, true, false},
		{[]string{`*`}, true, true},
		{[]string{`"b"`}, false, false},
		{[]string{`"b", "a"`}, true, true},
		{[]string{`"b","a"`}, true, true},
		{[]string{`"b"`, `"a"`}, true, true},
		{[]string{`W/"b", W/"a" , "c"`}, true, false},
		{[]string{` , ,"a"`}, true, true},
		{[]string{`"x, \"a"`}, false, false},
		{[]string{`a`}, false, false},
		{[]string{`"a`}, false, false},
		{[]string{`w/"a"`}, false, false},
		{[]string{`""`}, false, false},
		{[]string{``}, false, false},
		{[]string{`"A"`}, false, false},
		{[]string{`rubbish "a"`}, false, false},
		{[]string{`*"a"`}, false, false},
		{[]string{`"b", *`}, false, false},
		{[]string{`*`, `"b"`}, false, false},
		{[]string{`"b" "a"`}, false, false},
		{[]string{`"a" "b"`}, false, false},
		{[]string{`"a"x`}, false, false},
	} {
		if got := names(c.fields, "a", true); got != c.weak {
			t.Errorf("%q names it weakly: %v", c.fields, got)
		}
		if got := names(c.fields, "a", false); got != c.strong {
			t.Errorf("%q names it strongly: %v", c.fields, got)
		}
	}
}
