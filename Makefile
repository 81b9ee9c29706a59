# Everything that is done with this repository, by name. `make` alone lists it.

SHELL = /bin/bash
.SHELLFLAGS = -euo pipefail -c
.DEFAULT_GOAL = help
MAKEFLAGS += --no-print-directory
.PHONY: help build console python r typescript video demo test test-short busy badinput lint contract bench campaign fuzz cover clean

# The race detector watches what goroutines share, and makes everything two to thirteen times
# slower. These libraries start no goroutine and use nothing of sync, and who calls them is
# watched: they are built without it. SQLite is C translated to Go: 0.2 s of it took 2.4. (A
# library that uses sync must have it: else what sync orders looks like a race elsewhere.)
sequential = strconv unicode/utf8 encoding/base64 github.com/jackc/pgx/v5/internal/pgio \
	github.com/ncruces/go-sqlite3/internal/sqlite3_wrap github.com/ncruces/go-sqlite3-wasm/...

# These use sync, and nothing of sync/atomic. They are built without the race detector and
# without inlining: what they call of sync is then that of the package itself, which tells the
# race detector what it orders, and what they read by reflect is watched in reflect. JSON and
# regular expressions were half of what the race detector took in the tests of the store.
ordered = encoding/json regexp regexp/syntax github.com/jackc/pgx/v5/pgproto3 github.com/jackc/pgx/v5/pgtype

# Nobody reads what a debugger would (a tenth of all compiling). How unsafe pointers are used
# is checked where Kinebase itself has some. The client of Redis has a thousand
# methods for each kind of connection; without inlining it takes half the time to compile
# (15 s for 30 s).
race = -race -gcflags='all=-dwarf=false -d=checkptr=0' -gcflags=github.com/kinebase/kinebase/internal/process/...=-dwarf=false \
	$(foreach package,$(sequential),-gcflags='$(package)=-race=false -d=checkptr=0 -dwarf=false') \
	$(foreach package,$(ordered),-gcflags='$(package)=-race=false -l -d=checkptr=0 -dwarf=false') \
	-gcflags='github.com/redis/go-redis/v9=-l -dwarf=false -d=checkptr=0'

# Tests wait for servers more than they compute, so there are more packages at a time
# than cores; `make lint` vets them. Without the race detector tests are compiled as the
# product is, so that what both are built of is compiled once.
quick = -trimpath -p=$$((2 * $$(nproc))) -vet=off -ldflags=-w

# Packages are tested in this order: the longest first, so that none of them is left alone
# at the end.
packages = ./internal/store ./internal/httpapi ./export ./internal/blob

# The tests of the whole program run it as people do, without the race detector, which
# would watch nothing but these tests.
program = ./internal/e2e

# The race detector compares what goroutines do. These packages and their tests start none
# (internal/housetest holds them to it), so that it only makes their arithmetic three to four
# times slower. It watches the goroutines of what they import in the tests of that, and these
# packages in the tests of the server, in which several goroutines call them.
alone = ./movement ./motion ./motion/table ./motion/sto ./motion/trc ./motion/bvh ./internal/demo ./internal/demo/body ./internal/store/search ./internal/store/tally
others_of = $$(go list ./... | grep -Fxv "$$(go list $(1))")

# The compiler leaves its garbage until it has a gigabyte of it: a quarter less to compute.
test test-short .tools/versitygw .tools/dex: export GOFLAGS := $(GOFLAGS) '-toolexec=env GOGC=off GOMEMLIMIT=1GiB'

# What the tests need of Debian. Chromium without windows takes three quarters of the
# processor's time that the whole one takes for the same tests; Firefox draws by WebGL only on a screen, which Xvfb is. The race detector is linked by a C compiler; the
# product itself is not.
servers   = postgres:postgresql redis-server:redis-server
compiler  = gcc!:gcc gcc!:libc6-dev
r         = Rscript:r-base-core Rscript/httr2:r-cran-httr2 Rscript/jsonlite:r-cran-jsonlite
others    = chromium-headless-shell:chromium-headless-shell firefox-esr:firefox-esr Xvfb:xvfb python3/ensurepip:python3-venv
pages     = curl:curl rsync:rsync sqlite3:sqlite3 pg_dump:postgresql-client
operated  = pgbouncer:pgbouncer systemd-analyze:systemd

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

build: ## the program as one static file, bin/kinebase, with the console where Node.js is or can be had
	@scripts/console build
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o bin/kinebase ./cmd/kinebase

console: ## the web console into web/dist, for build to put into the program; takes Node.js from PyPI where there is none that will do
	@scripts/console --must build

python: .tools/readers/installed ## the wheel of the Python client, in bin
	@mkdir -p bin
	.tools/readers/bin/python -m pip wheel -q --disable-pip-version-check --no-deps -w bin ./clients/python

r: ## the source package of the R client, in bin
	@scripts/need $(word 1,$(r))
	@scripts/r

video: .tools/video/installed ## what makes motion of videos, in .tools/video; needs Python 3.11

typescript: ## the package of the TypeScript client, in bin
	@scripts/console --must ready
	@scripts/typescript

demo: build ## a sample organization in a fresh folder, served; prints the address, a token and curl lines
	@eval "$$(scripts/video --env | sed 's/^/export /')"; bin/kinebase demo --env bin/demo.env

# What it needs comes first, so that it stops before it starts where something is missing.
test: ## all tests on SQLite and PostgreSQL, disk and S3, with the race detector, and the console's; leaves nothing running
	@scripts/need $(servers) $(compiler) $(others) $(pages) $(operated) $(r)
	@$(MAKE) .tools/versitygw .tools/dex .tools/deb .tools/readers/installed .tools/pythons/installed .tools/video/installed
	@scripts/console --must build || [ "$${ALLOW_SKIPS:-}" = 1 ]
	@scripts/test --console -exec='"$(CURDIR)/scripts/longest-first"' $(race) $(quick) $(fresh) -timeout=40m $(packages) $(call others_of,$(program) $(alone)) \
		-- $(quick) $(fresh) -timeout=40m $(program) $(alone)

test-short: ## the quick tests alone, on SQLite and a disk, without the race detector
	@CGO_ENABLED=0 scripts/test -short $(quick) $(packages) $(program) ./...

busy: ## all tests again, while every core is kept busy by other work: none may depend on how fast the machine is
	@scripts/busy $(MAKE) test fresh=-count=1

badinput: ## the bad-input cases of the file that KINEBASE_TEST_BADINPUT names
	@test -n "$${KINEBASE_TEST_BADINPUT:-}" || { echo 'set KINEBASE_TEST_BADINPUT to the folder of cases.json' >&2; exit 1; }
	@scripts/need $(servers)
	@CGO_ENABLED=0 scripts/test $(quick) -count=1 -run=BadInput ./...

lint: .tools/lint ## gofmt, the checks of go vet, the rules of tools/lint/rules.go, each with its reason there, and the console's types, rules and form
	@! find . -name node_modules -prune -o -name '*.go' -print0 | xargs -0 gofmt -l | sed 's/$$/: gofmt would write it differently/' | grep .
	@# Compiled as the product is: from nothing, everything would be compiled once more otherwise.
	CGO_ENABLED=0 GOFLAGS=-trimpath .tools/lint -checks=all -tags=campaign,walk,corpus_motion,corpus_cases,corpus_badinput,corpus_metrics,corpus_video ./...
	cd tools && CGO_ENABLED=0 GOFLAGS=-trimpath ../.tools/lint -checks=all ./...
	CGO_ENABLED=0 go -C tools test -trimpath ./...
	cd tools/dex && CGO_ENABLED=0 GOFLAGS=-trimpath ../../.tools/lint -checks=all ./...
	@scripts/console check

contract: .tools/oasdiff ## openapi.yaml: sound, complete, and breaking no client of docs/contract/v1.yaml
	CGO_ENABLED=0 go test $(quick) -run='Contract|Mutant|Every|Checker|Document|Shapes|Promise' ./internal/testkit/contract/
	@# A warning too: unknown parameters are ignored here, so a client of a filter
	@# that went would get everything instead of an error.
	.tools/oasdiff breaking docs/contract/v1.yaml openapi.yaml --flatten-allof --fail-on WARN \
		--err-ignore docs/contract/accepted.txt

bench: ## the figures of docs/performance.md, measured here: make bench BENCH_QUICK=1 is a tenth of it
	@scripts/need $(servers) wrk!:wrk
	BENCH_QUICK=$(BENCH_QUICK) go test -run='^$$' -bench=. -benchtime=1x -timeout=0 ./internal/bench/

# Neither in CI nor among the tests, for it takes many hours. What it asks of the kernel (mounts,
# a file system in a program) only root has.
campaign: .tools/faultyfs .tools/versitygw ## the figures of docs/reliability.md, for hours: make campaign CAMPAIGN=0.01 is a hundredth of it
	@scripts/need $(servers)
	@[ -z "$${KINEBASE_TEST_VIDEO:-}" ] || $(MAKE) .tools/video/installed
	KINEBASE_CAMPAIGN=$(CAMPAIGN) CGO_ENABLED=0 go test -v -tags=campaign$${KINEBASE_TEST_VIDEO:+,corpus_video} -trimpath -vet=off -count=1 -timeout=0 \
		-run='$(if $(ONLY),$(ONLY),Campaign)' ./internal/e2e
CAMPAIGN ?= 1

# Whatever is found new is made smaller in 20 tries at most: the search goes on.
fuzz: ## every fuzz target for 20 s each, or as long as told: make fuzz FUZZTIME=10m
	@scripts/fuzz $(FUZZTIME)
FUZZTIME ?= 20s

.PHONY: release deploy same-release try-deb try-walk
release: .tools/release ## what a release hands out, in dist: programs, deb and rpm, an image, a chart, checksums, what it is built of
	@scripts/console --must build
	@.tools/release -to dist

# The four below are dear, and asked of who makes a release or changes deploy/.
deploy: .tools/check ## the chart by Helm and the types of Kubernetes, compose.yaml by Compose, alerts and dashboard by Prometheus
	@.tools/check deploy
	@go -C tools/promql test ./...

same-release: release ## the release once more from another folder, compared byte by byte; ten minutes of two cores
	@scripts/same-release dist

try-deb: ## the deb of dist on a bare Debian of its own: installed, started, upgraded, removed
	@scripts/need debootstrap:debootstrap systemd-nspawn:systemd-container
	@scripts/try-deb dist/kinebase_*_$$(dpkg --print-architecture).deb

try-walk: ## docs/install.md, typed with that deb on a bare Debian of its own, from the installation to an upgrade
	@scripts/need debootstrap:debootstrap systemd-nspawn:systemd-container
	CGO_ENABLED=0 go test -c -trimpath -tags=walk -o .tools/provider ./internal/testkit/openid
	@scripts/try-walk dist/kinebase_*_$$(dpkg --print-architecture).deb .tools/provider

cover: .tools/versitygw .tools/dex ## which lines the tests reach, as bin/cover.html
	@scripts/need $(servers)
	@mkdir -p bin
	@scripts/test -coverpkg=./... -coverprofile=bin/cover.out ./...
	@go tool cover -html=bin/cover.out -o bin/cover.html
	@go tool cover -func=bin/cover.out | tail -n 1

clean: ## what the targets above made
	rm -rf bin dist .tools web/node_modules web/shots clients/typescript/src/schema.d.ts
	find web/dist -mindepth 1 ! -name placeholder.html -delete

# The tools, at the versions of tools/go.mod, which the product never sees; compiled as
# the product is, so that what both are built of is compiled once.
.tools/lint: package = ./lint
.tools/lint: $(wildcard tools/lint/*.go)
.tools/faultyfs: package = ./faultyfs
.tools/faultyfs: $(wildcard tools/faultyfs/*.go)
.tools/oasdiff: package = github.com/oasdiff/oasdiff
# What the product is not built of is compiled quickly rather than well, which spares a
# quarter of the time (77 s for 104 s).
.tools/versitygw: $(wildcard tools/versitygw/*.go)
.tools/versitygw: package = ./versitygw
.tools/versitygw: quickly = $(foreach part,aws hashicorp versity,-gcflags='github.com/$(part)/...=-l -dwarf=false')
.tools/video/installed: scripts/video.txt scripts/video clients/video/pyproject.toml $(wildcard clients/video/src/kinebase_video/*.py)
	@scripts/video
.tools/readers/installed: scripts/readers.txt
	@scripts/readers
.tools/pythons/installed: scripts/pythons.txt
	@scripts/pythons
# A module of its own, for it brings every provider that Dex can hand people on to.
.tools/dex: tools/dex/go.mod tools/dex/go.sum $(wildcard tools/dex/*.go)
	CGO_ENABLED=0 go -C tools/dex build -trimpath -ldflags='-s -w' -o ../../$@ .
# These are a module of their own: the check brings Helm and the types of Kubernetes. The deb of the tests brings neither.
.tools/release .tools/check .tools/deb: tools/release/go.mod tools/release/go.sum $(wildcard tools/release/*.go tools/release/*/*.go)
	CGO_ENABLED=0 go -C tools/release build -trimpath -ldflags='-s -w' -o ../../$@ ./$(filter check deb,$(notdir $@))
.tools/%: tools/go.mod tools/go.sum
	CGO_ENABLED=0 go -C tools build -trimpath $(quickly) -ldflags='-s -w' -o ../$@ $(package)
