# Reads the output of go test -v, and of scripts/test-console, which speaks alike,
# and leaves what a person wants to read: a line a package, everything about a test
# that failed, every skip with its reason, and at the end, alone on its line,
# "N passed, N failed, N skipped". Subtests count.
#
# Ends with 1 when anything failed, or nothing ran. With ci=true also when a test was
# skipped for want of PostgreSQL, Redis, S3, DuckDB, Chromium or files: there everything
# is at hand.

function forget(   t) { for (t in logs) delete logs[t]; current = ""; loose = ""; failures = 0; skips = 0 }

# A test's own lines follow the line that names it, until another is named.
function keep(line) {
	if (current == "") loose = loose line "\n"
	else logs[current] = logs[current] line "\n"
}

function trimmed(text) { gsub(/[ \t\n]+/, " ", text); gsub(/^ | $/, "", text); return text }

/^=== (RUN|CONT|NAME|PAUSE) / { current = $3; if (!(current in logs)) logs[current] = ""; next }

match($0, /--- (PASS|FAIL|SKIP): [^ ]+ \([0-9.]+s\)$/) {
	if (RSTART > 1) keep(substr($0, 1, RSTART - 1))
	split(substr($0, RSTART), word, " ")
	name = word[3]
	if (word[2] == "PASS:") { passed++; delete logs[name] }
	if (word[2] == "SKIP:") { skipped++; skip[++skips] = name; current = name }
	if (word[2] == "FAIL:") { failed++; failures++; broken[failures] = name; current = name }
	if (word[2] == "PASS:") current = ""
	next
}

# The end of a package.
/^(ok  |FAIL|\?   )\t/ || /^\t[^\t]+\t\tcoverage: / {
	if ($1 == "FAIL" && NF > 1) {
		if (failures == 0) failed++ # it did not build, or broke outside a test
		printf "%s", loose
		for (i = 1; i <= failures; i++) {
			printf "--- FAIL: %s\n%s", broken[i], logs[broken[i]]
			delete logs[broken[i]]
		}
		for (t in logs) if (logs[t] != "" && failures == 0) printf "--- unfinished: %s\n%s", t, logs[t]
	}
	for (i = 1; i <= skips; i++) {
		why = trimmed(logs[skip[i]])
		skiplist = skiplist "skipped: " $2 " " skip[i] ": " why "\n"
		if (why ~ /PostgreSQL|Redis|S3 server|DuckDB|Chromium|Node\.js/) wanting++
	}
	if ($0 !~ /no test files|no tests to run/) print
	fflush()
	forget()
	next
}

$0 == "PASS" || $0 == "FAIL" { next }

{ keep($0) }

END {
	printf "%s", loose # such as an error before any package ran
	printf "%s", skiplist
	if (ci == "true" && wanting > 0) printf "%d tests were skipped for want of PostgreSQL, Redis, S3, DuckDB, Chromium or files, and in CI none may be\n", wanting
	if (passed + failed + skipped == 0) { print "no test ran"; failed = 1 }
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	if (failed > 0 || (ci == "true" && wanting > 0)) exit 1
}
