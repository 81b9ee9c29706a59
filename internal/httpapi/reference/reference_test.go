package reference

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"go.yaml.in/yaml/v4"

	"github.com/kinebase/kinebase"
)

// made are the pages that the tests look at, which nobody changes.
var made = sync.OnceValues(func() (*Pages, error) { return New(kinebase.OpenAPI) })

func pages(t *testing.T) *Pages {
	t.Helper()
	p, err := made()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func get(t *testing.T, h http.Handler, method string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, "/", nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func TestTheDocumentInJSONSaysTheSameAsInYAML(t *testing.T) {
	var fromYAML, fromJSON any
	if err := yaml.Unmarshal(kinebase.OpenAPI, &fromYAML); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(pages(t).JSON(), &fromJSON); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(fromYAML) // so that both have JSON's types
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(again, &fromYAML); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(fromYAML, fromJSON) {
		t.Error("the two differ")
	}
}

func TestTheDocumentInJSONIsServedInItsAuthorsOrder(t *testing.T) {
	resp := get(t, pages(t).Document(), http.MethodGet)
	body, _ := io.ReadAll(resp.Body)
	if ct := resp.Header.Get("Content-Type"); ct != "application/json" {
		t.Errorf("Content-Type: %s", ct)
	}
	if !strings.HasPrefix(string(body), `{"openapi":"3.1.0","info":{"title":"Kinebase"`) {
		t.Errorf("it begins with %.60s", body)
	}
	if _, err := openapi3.NewLoader().LoadFromData(body); err != nil {
		t.Error(err)
	}
}

func TestAnUnchangedPageIsNotSentTwice(t *testing.T) {
	p := pages(t)
	for name, h := range map[string]http.Handler{"document": p.Document(), "page": p.Page()} {
		tag := get(t, h, http.MethodGet).Header.Get("ETag")
		if resp := get(t, h, http.MethodGet, "If-None-Match", tag); resp.StatusCode != http.StatusNotModified {
			t.Errorf("%s: %d", name, resp.StatusCode)
		}
		if resp := get(t, h, http.MethodPost); resp.StatusCode != http.StatusMethodNotAllowed ||
			resp.Header.Get("Allow") == "" {
			t.Errorf("%s: POST is answered with %d", name, resp.StatusCode)
		}
	}
}

func TestThePageAndTheDocumentAreSentCompressedToWhoTakesThat(t *testing.T) {
	p := pages(t)
	for name, h := range map[string]http.Handler{"document": p.Document(), "page": p.Page()} {
		plain := get(t, h, http.MethodGet)
		for _, coding := range []string{"br", "gzip"} {
			packed := get(t, h, http.MethodGet, "Accept-Encoding", coding)
			if got := packed.Header.Get("Content-Encoding"); got != coding ||
				packed.ContentLength*4 > plain.ContentLength {
				t.Errorf("%s: %d of %d bytes as %q, want %s", name, packed.ContentLength, plain.ContentLength, got,
					coding)
			}
			if packed.Header.Get("Vary") != "Accept-Encoding" || packed.Header.Get("ETag") == plain.Header.Get("ETag") {
				t.Errorf("%s: a cache would take one form for the other: %v", name, packed.Header)
			}
		}
	}
}

func TestNoScriptInThePageMayUseADevice(t *testing.T) {
	policy := get(t, pages(t).Page(), http.MethodGet).Header.Get("Permissions-Policy")
	for _, device := range []string{"camera=()", "microphone=()", "geolocation=()"} {
		if !strings.Contains(policy, device) {
			t.Errorf("Permissions-Policy is %q, without %s", policy, device)
		}
	}
}

func TestThePageShowsEveryOperationSchemaAndAnswer(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(kinebase.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	text := string(pages(t).HTML())
	shows := func(what string) {
		if !strings.Contains(text, what) {
			t.Errorf("%s is missing", what)
		}
	}
	for path, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			shows(`id="` + op.OperationID + `"`)
			shows(`<span class="path">` + path + `</span>`)
		}
	}
	for name := range doc.Components.Responses {
		shows(`id="answer-` + name + `"`)
	}
	for name, s := range doc.Components.Schemas {
		if scalars[name] {
			continue
		}
		shows(`id="schema-` + name + `"`)
		for property := range s.Value.Properties {
			shows(`<code>` + property + `</code>`)
		}
	}
}

func TestThePageIsWellFormedAndEveryLinkInItLeadsSomewhere(t *testing.T) {
	text := string(pages(t).HTML())
	if !strings.HasPrefix(text, "<!doctype html>") {
		t.Errorf("it begins with %.40q", text)
	}
	ids := map[string]int{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		ids[m[1]]++
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("the id %s is there %d times", id, n)
		}
	}
	links := regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(text, -1)
	for _, m := range links {
		if name, local := strings.CutPrefix(m[1], "#"); local && ids[name] == 0 {
			t.Errorf("%s leads nowhere", m[1])
		} else if !local && m[1] != "/openapi.json" {
			t.Errorf("%s leads away", m[1])
		}
	}
	var open []string
	for _, tag := range regexp.MustCompile(`<(/?)([a-z][a-z0-9]*)[^>]*>`).FindAllStringSubmatch(text, -1) {
		closes, name := tag[1] == "/", tag[2]
		switch {
		case name == "meta" || name == "br": // they have no end
		case !closes:
			if name == "p" && slices.Contains(open, "p") {
				t.Fatalf("a paragraph within a paragraph: %v", open)
			}
			open = append(open, name)
		case len(open) == 0 || open[len(open)-1] != name:
			t.Fatalf("</%s> closes %v", name, open)
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("never closed: %v", open)
	}
}

func TestThePageRunsNothingAndAsksNobody(t *testing.T) {
	resp := get(t, pages(t).Page(), http.MethodGet)
	body, _ := io.ReadAll(resp.Body)
	for _, forbidden := range []string{"<script", "<link", "<img", "<iframe", "src=", "@import", "url(", " style=",
		"onclick", "//fonts"} {
		if strings.Contains(string(body), forbidden) {
			t.Errorf("the page has %s", forbidden)
		}
	}
	css := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindSubmatch(body)[1]
	sum := sha256.Sum256(css)
	want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	if policy := resp.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") ||
		!strings.Contains(policy, "style-src "+want) {
		t.Errorf("the policy %q does not allow the style sheet %s, or allows more", policy, want)
	}
}

func TestLinesWithAHyphenAreAList(t *testing.T) {
	got := string(prose("First.\n\n- **A**: `a`\n- B - b\n\nLast,\nand more."))
	want := "<p>First.</p><ul><li><strong>A</strong>: <code>a</code></li>\n<li>B - b</li></ul><p>Last,<br>\nand " +
		"more.</p>"
	if got != want {
		t.Errorf("rendered is\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(string(pages(t).HTML()), "<li><strong>Paging</strong> is by") {
		t.Error("the introduction's rules are no list")
	}
}

func TestTheExamplesUseTheVariablesOfTheReadme(t *testing.T) {
	text := string(pages(t).HTML())
	if !strings.Contains(text, `-H &#34;Authorization: Bearer $KINEBASE_TOKEN&#34; &#34;$KINEBASE_URL/captures&#34;`) {
		t.Error("no example asks for captures so")
	}
	for _, m := range regexp.MustCompile(`\$[A-Z_]+`).FindAllString(text, -1) {
		if m != "$KINEBASE_URL" && m != "$KINEBASE_TOKEN" {
			t.Errorf("an example uses %s", m)
		}
	}
}

func TestAFormIsShownAsOneAndWithoutAToken(t *testing.T) {
	text := string(pages(t).HTML())
	_, text, _ = strings.Cut(text, `id="sendFile"`)
	text, _, _ = strings.Cut(text, "</article>")
	for _, want := range []string{"needs no token", "multipart/form-data", "-F &#39;policy=",
		"-F &#39;file=@FILE&#39;"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Contains(text, "KINEBASE_TOKEN") {
		t.Error("the example sends a token")
	}
}

func TestWordsOfTheDocumentCannotBecomeMarkup(t *testing.T) {
	p, err := New([]byte(`
openapi: 3.1.0
info: { title: <b>T</b>, version: '1', description: "a <script>x</script> & ` + "`<i>`" + ` **<u>**" }
tags: [{ name: X, description: <b> }]
paths:
  /<b>:
    get: { operationId: a, summary: <b>, tags: [X], responses: { '200': { description: <b> } } }
components: { schemas: { S: { type: object, properties: { <b>: { type: string, pattern: <b>, description: <b> } } } } }
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range []string{"<script", "<i>", "<u>", "T</b>"} {
		if strings.Contains(string(p.HTML()), tag) {
			t.Errorf("%s got through", tag)
		}
	}
	if n := strings.Count(string(p.HTML()), "<b>"); n != 1 { // the contents' own title
		t.Errorf("<b> is there %d times", n)
	}
}

func TestADocumentThatJSONCannotHoldIsRefused(t *testing.T) {
	for _, text := range []string{"", "[]", "a: 0x10", "a: &x 1\nb: *x", "a: [", "a: .inf"} {
		if _, err := New([]byte(text)); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

func TestTheLineOfAnOperationHasTheHeadersThatItNeeds(t *testing.T) {
	text := html.UnescapeString(string(pages(t).HTML()))
	for _, want := range []string{
		`-H "Kinebase-Share: ks_`, `-H "Tus-Resumable: 1.0.0"`, `-H "Upload-Offset: `, `--data-binary @FILE`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no line has %s", want)
		}
	}
}
