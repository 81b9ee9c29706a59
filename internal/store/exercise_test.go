package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/share"
	"github.com/kinebase/kinebase/skeleton"
	"github.com/kinebase/kinebase/upload"
)

// inPieces has a file come in pieces, be put together, and arrive.
func inPieces(t *testing.T, s *Store, sc organization.Scope) {
	t.Helper()
	ctx := t.Context()
	session := reserve(t, s, sc, organization.NewUUID()).Capture.SessionID
	_, err := cameBy(t, s, sc, session, 0, 10, time.Now().Add(time.Hour))
	must(t, err)
	g, _, err := s.ClaimPieces(ctx, sc, session)
	must(t, err)
	must(t, s.Extend(ctx, g.Held))
	must(t, s.ReleasePieces(ctx, sc, g, time.Time{}))
	name := upload.OriginalName(sc.Organization.String())
	must(t, s.Expect(ctx, sc, session, name, time.Now().Add(time.Hour)))
	must(t, s.Arrive(ctx, sc, session, name, 10, "hash"))
}

// exercise uses every port in every way, so that every text of the store is run.
func exercise(t *testing.T, s *Store) {
	t.Helper()
	ctx := context.Background()
	sc := furnished(t, s, "exercised")
	org := idOf(t, sc)
	must(t, s.Ready(ctx))
	_, err := s.Organization(ctx, sc.Organization)
	must(t, err)
	_, err = s.Organizations(ctx)
	must(t, err)
	a := person("1", func(a *athlete.Athlete) { a.CustomAttributes = map[string]string{"k": "v"} })
	b := person("2")
	create(t, s, sc, a, b)
	changed := a
	changed.Version, changed.LastName = 2, "changed"
	_, err = s.ChangeAthlete(ctx, sc, a.ID, once[athlete.Athlete]("change", "", ""),
		func(athlete.Athlete) (athlete.Athlete, error) { return changed, nil })
	must(t, err)
	_, err = s.Athletes(ctx, sc, athlete.Query{Sort: athlete.ByName, Limit: 1})
	must(t, err)
	for sort := range athleteOrders {
		_, err = s.Athletes(ctx, sc, athlete.Query{Sort: sort, Search: "x", Attributes: map[string]string{"k": "v"},
			Limit: 1})
		must(t, err)
	}
	captures := many("a", shortList+10, func(i int, c *capture.Capture) {
		c.AthleteIDs, c.Activity = []string{a.ID, b.ID}, ptr("jump")
		if i%400 == 0 {
			c.Activity = ptr("rare")
		}
	})
	put(t, s, sc, captures...)
	listed(t, s, sc, capture.Query{AthleteID: a.ID}) // long, and not counted yet
	listed(t, s, sc, capture.Query{AthleteID: a.ID, Offset: 5, Filter: capture.Filter{Activity: "jump"}})
	must(t, s.fold(ctx, org, []db.ID{mustID(t, a.ID)}))
	_, err = s.Overview(ctx, sc, 30, 0)
	must(t, err)
	must(t, s.countUncounted(ctx))
	_, err = s.Columns(ctx, sc, capture.ColumnQuery{Limit: 1})
	must(t, err)
	inPieces(t, s, sc)
	folded(t, s, sc)
	changedCapture := captures[0]
	changedCapture.Status = capture.Error
	put(t, s, sc, changedCapture)
	folded(t, s, sc)
	s.now = func() time.Time { return noon }
	_, err = s.Overview(ctx, sc, 30, 0) // with a day in the middle of a block
	must(t, err)
	s.now = time.Now
	_, err = s.Capture(ctx, sc, changedCapture.SessionID, 0)
	must(t, err)
	const everything = capture.IncludeFile | capture.IncludeAthlete | capture.IncludeWarnings | capture.
		IncludeNext | capture.IncludeUpdated | capture.IncludeTime
	_, err = s.Capture(ctx, sc, changedCapture.SessionID, everything)
	must(t, err)
	listed(t, s, sc, capture.Query{Include: everything})
	roomy(t, s, sc)
	_, err = s.Overview(ctx, sc, 30, everything)
	must(t, err)
	_, err = s.LinkedAthletes(ctx, sc, changedCapture.SessionID)
	must(t, err)
	within := capture.RangeOf(ptr(noon.Add(-333*time.Minute)), ptr(noon.Add(-33*time.Minute)))
	for _, q := range []capture.ProgressQuery{{}, {Captured: within}} {
		q.AthleteID, q.Limit = a.ID, 10
		_, err = s.Progress(ctx, sc, q)
		must(t, err)
	}
	for _, q := range []capture.Query{{}, {Offset: 700}, {Captured: within}, {AthleteID: a.ID, Captured: within},
		{Filter: capture.Filter{Activity: "jump"}}, {Offset: 1, Filter: capture.Filter{Activity: "rare"}},
		{AthleteID: a.ID, Offset: 500}, {AthleteID: a.ID, Filter: capture.Filter{Activity: "jump"}}} {
		listed(t, s, sc, q)
	}
	for _, room := range []int{1, s.finder.limit} { // without room for patterns, and with it
		s.finder = finder{limit: room, most: s.finder.most}
		for _, q := range []capture.Query{{Search: "jump"}, {Search: "jump", Offset: 700}, {Search: "rare"},
			{Search: "nothing"}} {
			q.Limit = 99 + min(room, 100) // another answer
			listed(t, s, sc, q)
		}
	}
	must(t, s.flushSearches(ctx))
	s.readAhead(ctx)
	put(t, s, sc, captures[2:4]...) // unchanged
	late := captures[4]
	late.Status = capture.Error
	put(t, s, sc, late)
	listed(t, s, sc, capture.Query{Search: "jump"}) // with a change that waits
	few := person("few")
	create(t, s, sc, few)
	put(t, s, sc, session("few", &noon, few.ID))
	listed(t, s, sc, capture.Query{AthleteID: few.ID})
	listed(t, s, sc, capture.Query{AthleteID: few.ID, Filter: capture.Filter{Source: "import"}})
	_, err = s.Import(ctx, sc, []manifest.Record{{Athlete: &few}, {Athlete: ptr(person("new"))}, {Athlete: &b},
		{Capture: &captures[1]}, {Job: &export.Job{ID: "job", Status: export.Canceled, CompletedAt: &noon}}}, false)
	must(t, err)
	for _, files := range []bool{false, true} {
		_, err = s.Job(ctx, sc, "job", export.Left{Files: files})
		must(t, err)
	}
	token, hash := issue(t, s, sc, "used")
	sc.Token = token.ID
	_, err = s.Authenticate(ctx, hash)
	must(t, err)
	_, err = s.FindToken(ctx, token.ID)
	must(t, err)
	_, err = s.Tokens(ctx, sc)
	must(t, err)
	_, err = s.ChangeToken(ctx, sc, token.ID, nil,
		func(t organization.Token) (organization.Token, *organization.SecretHash, error) {
			return t, &organization.SecretHash{1}, nil
		})
	must(t, err)
	revoke(t, s, sc, token.ID)
	s.TokenUsed(sc, noon)
	must(t, s.flushUses(ctx))
	must(t, s.write(ctx, org, func(w *writeTx) error { return w.Do(db.Exec(`UPDATE idempotency SET expires_at = 0`)) }))
	must(t, s.CreateAthlete(ctx, sc, person("again"), once[athlete.Athlete]("key", "body", "answer")))
	must(t, s.forgetAnswers(ctx))
	must(t, s.renderOutdated(ctx))
	must(t, s.write(ctx, org, func(w *writeTx) error { _, err := s.captures(w); return err }))
	must(t, s.write(ctx, org, func(w *writeTx) error { return s.render(w, []string{captures[0].SessionID}) }))
	must(t, s.sweep(ctx))
	exercisePeople(ctx, t, s, org)
	exerciseUploads(t, s, sc)
	_, err = s.ChangeAthlete(ctx, sc, few.ID, nil, renames("another name", 1))
	must(t, err)
	must(t, s.write(ctx, org, func(w *writeTx) error { return w.buried(feed.Export, "a job") }))
	_, err = s.Changes(ctx, sc, feed.Query{After: &feed.Mark{}, Kinds: feed.Kinds, Limit: 1 << 20, Objects: true})
	must(t, err)
	_, err = s.Changes(ctx, sc, feed.Query{Kinds: feed.Kinds, Limit: 1})
	must(t, err)
	s.options.ChangesKeep = -time.Hour
	must(t, s.forgetDeletions(ctx))
	exerciseExports(t, s, sc)
	exerciseWebhooks(t, s, sc)
	_, err = s.Columns(ctx, sc, capture.ColumnQuery{Limit: 10})
	must(t, err)
	must(t, s.DeleteAthlete(ctx, sc, few.ID, anybody))
	must(t, s.DeleteAthlete(ctx, sc, a.ID, anybody))
	folded(t, s, sc)
}

// exerciseUploads does so for everything about files.
func exerciseUploads(t *testing.T, s *Store, sc organization.Scope) {
	t.Helper()
	ctx := context.Background()
	ahead := clock(s)
	group := organization.NewUUID()
	reserve(t, s, sc, group)
	waiting := reserve(t, s, sc, group).Capture.SessionID
	_, err := s.Expire(ctx, sc, waiting)
	must(t, err)
	done, _ := arrived(t, s, sc)
	held := claimed(t, s, sc, done)
	must(t, s.Extend(ctx, held.Held))
	must(t, s.Tell(ctx, sc, held, 0.5))
	ahead(job.Lease + time.Second)
	must(t, s.Release(ctx, sc, claimed(t, s, sc, done), time.Time{}, false, ""))
	must(t, s.Forget(ctx, sc, "nothing"))
	_, err = s.Stored(ctx, sc, done)
	must(t, err)
	must(t, s.Erased(ctx, sc, append(erasable(t, s, sc), "nothing")))
	must(t, s.DeleteCapture(ctx, sc, done, func(string) error { return nil }))
	exerciseBackups(t, s, sc)
	spare := furnished(t, s, "spare")
	// as before there were keys
	must(t, s.write(ctx, db.ID{},
		func(w *writeTx) error { return w.Do(db.Exec(`UPDATE organization SET name_key = NULL`)) }))
	must(t, s.RenameOrganization(ctx, spare.Organization, "renamed "+spare.Organization.String()))
	must(t, s.SetQuota(ctx, spare.Organization,
		organization.Quota{Captures: ptr(int64(9)), FileBytes: ptr(int64(1 << 40))}))
	reserve(t, s, spare, organization.NewUUID())
	_, err = s.Usage(ctx, spare)
	must(t, err)
	must(t, s.noteUsage(ctx))
	_, err = s.UsageDays(ctx, spare, noon, noon)
	must(t, err)
	must(t, s.DeleteOrganization(ctx, spare.Organization))
	must(t, s.eraseLate(ctx))
	must(t, s.Record(ctx, sc, audit.Entry{Action: "listCaptures", Status: 403}))
	_, err = s.Stream(ctx, "here", &gathered{})
	must(t, err)
	must(t, s.EndTurn(ctx, "here"))
	_, err = s.Audit(ctx, sc, audit.Query{Limit: 1})
	must(t, err)
	s.options.AuditKeep = -time.Hour
	must(t, s.forgetAudit(ctx))
	s.options.AuditKeep = audit.Keep
	_, err = s.Secret(ctx, "exercise", []byte("secret"))
	must(t, err)
	must(t, s.Mark(ctx))
}

// exerciseShares does so for shares.
func exerciseShares(t *testing.T, s *Store, sc organization.Scope) {
	t.Helper()
	ctx := context.Background()
	put(t, s, sc, session("linked", &noon))
	for n, id := range []organization.ID{organization.NewID(), organization.NewID()} {
		hash := organization.NewLinkSecret().Hash()
		must(t, s.CreateShare(ctx, sc, share.Share{ID: id, Captures: []string{"linked"}, CreatedAt: noon,
			ExpiresAt: time.Now().Add(time.Hour)}, hash, nil))
		_, _, err := s.Shown(ctx, hash, noon)
		must(t, err)
		must(t, s.Visited(ctx, sc, id, noon))
		_, err = s.Shares(ctx, sc)
		must(t, err)
		if n == 0 {
			must(t, s.DeleteShare(ctx, sc, id))
		}
	}
	must(t, s.DeleteCapture(ctx, sc, "linked", func(string) error { return nil }))
	a := mustID(t, create(t, s, sc, person("shown"))[0])
	hash := organization.NewLinkSecret().Hash()
	must(t, s.CreateShare(ctx, sc, share.Share{ID: organization.NewID(), Kind: share.Progress, CreatedAt: noon,
		ExpiresAt: time.Now().Add(time.Hour), Course: &share.Course{Athlete: a, Metric: "height"}}, hash, nil))
	_, _, err := s.Shown(ctx, hash, noon)
	must(t, err)
	_, err = s.Shares(ctx, sc)
	must(t, err)
}

// exerciseExports does so for exports.
func exerciseExports(t *testing.T, s *Store, sc organization.Scope) {
	t.Helper()
	ctx := context.Background()
	a := create(t, s, sc, person("exported"))[0]
	film(t, s, sc, session("exported", &noon, a), walked(3, "A", 1))
	r := exported(t, s, sc, export.Request{Metrics: []string{"A_x"}, Athletes: []string{a}})
	exported(t, s, sc, export.Request{DateMode: export.ByLastModified, Start: &noon})
	exported(t, s, sc, export.Request{Captures: []string{"exported"}})
	_, err := s.Parts(ctx, sc, r.Job.ID, r.Version, 0, 1)
	must(t, err)
	_, _, err = s.Jobs(ctx, sc, 10, 0)
	must(t, err)
	_, err = s.Watch(ctx, about(sc, job.Export, r.Job.ID))
	must(t, err)
	must(t, s.write(ctx, idOf(t, sc), func(w *writeTx) error { // a channel that is called as an event is
		if err := w.Do(db.Exec(`UPDATE export_column SET uses = 2, events = 1 WHERE organization = $1 AND job = $2 AND name = 'A_x'`, w.Org, r.Job.ID)); err != nil {
			return err
		}
		return w.setAside(r.Job.ID, r.Request.Shape)
	}))
	exerciseFiles(t, s, sc, r)
	must(t, s.Hold(ctx, "version"))
	must(t, s.SetLandmarks(ctx, sc, movement.MarkerSet{}, func(*movement.MarkerSet) error { return nil }))
	must(t, s.SetSkeletons(ctx, sc, skeleton.Sets{}, func(*skeleton.Sets) error { return nil }))
	_, err = s.Skeletons(ctx, sc)
	must(t, err)
	exerciseShares(t, s, sc)
	must(t, s.Recompute(ctx, sc, "version"))
	_, err = s.CountOutdated(ctx, sc, "version")
	must(t, err)
	for _, request := range []export.Request{{}, {DateMode: export.ByLastModified}, {Athletes: []string{a}},
		{Athletes: []string{a}, DateMode: export.ByLastModified}, {Captures: []string{"exported"}}} {
		_, err := s.Estimate(ctx, sc, request)
		must(t, err)
	}
	into := create(t, s, sc, person("merged"))[0]
	_, err = s.MergeAthletes(ctx, sc, into, a, nil, merging)
	must(t, err)
	a = into
	failing, err := s.CreateJob(ctx, sc, export.Request{}, nil)
	must(t, err)
	for n := range 2 * buildPiece {
		film(t, s, sc, session(fmt.Sprintf("exported %d", n), &noon, a), walked(1, "A", 1))
	}
	if _, err := step(ctx, s, sc, failing.ID, site(func(context.Context) error { return errWall })); !errors.Is(err,
		errWall) {
		t.Error(err)
	}
	if err := s.Extend(ctx, job.Held{Job: about(sc, job.Export, failing.ID)}); !errors.Is(err, job.ErrLost) {
		t.Error(err)
	}
	b := &building{s: s, org: idOf(t, sc), job: failing.ID}
	if err := s.engine.Read(ctx, b.org, b.still); !errors.Is(err, job.ErrLost) {
		t.Error(err)
	}
	_, err = s.Watch(ctx, about(sc, job.Export, failing.ID))
	must(t, err)
	for range inLine { // one more than stand in the queue, so that its place is taken
		_, err := s.CreateJob(ctx, sc, export.Request{}, nil)
		must(t, err)
	}
	spoiled := site(turn)
	spoiled.open = func(context.Context, string, int) (string, error) { return "It is spoiled.", nil }
	_, err = step(ctx, s, sc, failing.ID, spoiled)
	must(t, err)
	_, err = s.CancelJob(ctx, sc, failing.ID, nil)
	must(t, err)
	must(t, s.DeleteCapture(ctx, sc, "exported", func(string) error { return nil }))
	_, err = s.ForgetResult(ctx, sc, failing.ID)
	must(t, err)
	must(t, s.DeleteJob(ctx, sc, failing.ID))
	_, err = s.ForgetResult(ctx, sc, failing.ID)
	must(t, err)
}

// exerciseFiles does so for the files of results.
func exerciseFiles(t *testing.T, s *Store, sc organization.Scope, r export.Result) {
	t.Helper()
	first := made(t, s, sc, r, export.CSV, 1)
	must(t, s.Keep(t.Context(), sc, r.Job.ID, export.CSV, first))
	w := making(t, s, sc, export.FileSubject(r.Job.ID, export.CSV))
	must(t, s.Extend(t.Context(), w.Held))
	_, err := s.Watch(t.Context(), about(sc, job.ExportFile, export.FileSubject(r.Job.ID, export.CSV)))
	must(t, err)
	must(t, s.ExpectFile(t.Context(), sc, w, "given back"))
	must(t, s.ReleaseFile(t.Context(), sc, w, time.Time{}))
	made(t, s, sc, r, export.CSV, 1)
	var parts int64
	must(t, s.write(t.Context(), idOf(t, sc), func(w *writeTx) (err error) {
		parts, err = w.partsBytes()
		return err
	}))
	made(t, s, sc, r, export.NDJSON, s.storage()-parts) // the other gives way
	again := exported(t, s, sc, export.Request{Athletes: r.Request.Athletes})
	made(t, s, sc, again, export.CSV, 1)
	_, _, err = s.ClaimFile(t.Context(), sc, export.FileSubject(again.Job.ID, export.CSV))
	must(t, err)
	must(t, s.write(t.Context(), idOf(t, sc), func(w *writeTx) error {
		_, err := w.forget(again.Job.ID, false)
		return err
	}))
	must(t, s.Keep(t.Context(), sc, again.Job.ID, export.CSV, ""))
	must(t, s.write(t.Context(), idOf(t, sc), func(w *writeTx) error {
		return w.Do(db.Exec(`UPDATE export_build SET erased = 1 WHERE organization = $1 AND job = $2`, w.Org,
			again.Job.ID))
	}))
	_, _, err = s.ClaimFile(t.Context(), sc, export.FileSubject(again.Job.ID, export.CSV))
	must(t, err)
}

// exerciseBackups dumps everything and loads it into another store.
func exerciseBackups(t *testing.T, s *Store, sc organization.Scope) {
	t.Helper()
	ctx := context.Background()
	into := create(t, s, sc, person("into"), person("from"), person("deleted"))
	put(t, s, sc, session("erased again", &noon, into[2]))
	_, err := s.Identity(ctx)
	must(t, err)
	_, err = s.Standing(ctx, backup.File{Organization: sc.Organization.String(), Session: "s", Name: "n"})
	must(t, err)
	_, err = s.Arrived(ctx, sc.Organization.String(), "s")
	must(t, err)
	_, err = s.Integrity(ctx)
	must(t, err)
	_, err = s.Counts(ctx, sc)
	must(t, err)
	must(t, s.Owned(ctx, sc, func(Owned) error { return nil }))
	_, err = s.Clock(ctx)
	must(t, err)
	_, err = s.Unwalled(ctx)
	must(t, err)
	built, err := s.CreateJob(ctx, sc, export.Request{}, nil)
	must(t, err)
	var text bytes.Buffer
	w := backup.NewRowWriter(&text)
	found, err := s.Dump(ctx, w)
	must(t, err)
	must(t, w.Flush())
	_, err = s.CancelJob(ctx, sc, built.ID, nil)
	must(t, err)
	_, err = s.MergeAthletes(ctx, sc, into[0], into[1], nil, merging)
	must(t, err)
	job, err := s.CreateJob(ctx, sc, export.Request{}, nil)
	must(t, err)
	_, err = s.CancelJob(ctx, sc, job.ID, nil)
	must(t, err)
	must(t, s.DeleteJob(ctx, sc, job.ID))
	must(t, s.DeleteAthlete(ctx, sc, into[2], anybody))
	list := backup.List{Through: map[string]int64{}, Tokens: map[string]backup.Erasure{}, Gone: map[string]int64{}}
	must(t, s.HoldDeletions(ctx, "place"))
	must(t, s.HoldDeletions(ctx, "lost"))
	_, err = s.GiveUpPlace(ctx, "lost")
	must(t, err)
	_, err = s.Holdings(ctx)
	must(t, err)
	erasures, err := s.Erasures(ctx, &list)
	must(t, err)
	must(t, s.TookDeletions(ctx, "place", list.Through))
	for _, e := range list.Tokens {
		e.Revoked = 7
		erasures = append(erasures, e)
	}
	to := Restore(Options{Data: t.TempDir()})
	must(t, to.Load(ctx, backup.Manifest{Schema: found.Schema, Number: found.Number, Counts: w.Counts()}, list.Taken(),
		backup.NewRowReader(&text)))
	n, _, err := to.EraseAgain(ctx, erasures)
	must(t, err)
	if n < 2 {
		t.Errorf("%d things were erased again", n)
	}
	must(t, to.Finish(ctx))
	must(t, to.Close())
}
