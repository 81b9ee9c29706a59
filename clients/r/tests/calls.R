# Single calls, without a server.
library(kinebase)
options(warn = 2)

# A client whose calls are answered by what is given, one after the other, and what it was asked.
answered <- function(..., retries = 5, longest_wait = 60) {
  client <- kb_client("http://127.0.0.1:1/v1/", "secret", retries = retries, longest_wait = longest_wait)
  seen <- new.env()
  seen$requests <- list()
  seen$waits <- numeric()
  answers <- list(...)
  client$perform <- function(req, path = NULL) {
    seen$requests[[length(seen$requests) + 1]] <- req
    answer <- answers[[length(seen$requests)]]
    if (is.character(answer)) stop(answer)
    body <- charToRaw(answer$body)
    if (!is.null(path)) writeBin(body, path)
    httr2::response(answer$status, headers = answer$headers, body = body)
  }
  client$sleep <- function(seconds) seen$waits <- c(seen$waits, seconds)
  list(client = client, seen = seen)
}

says <- function(status, body, ...) list(status = status, body = body, headers = list(...))
caught <- function(code) tryCatch({ code; NULL }, error = identity)
said <- function(req) if (is.raw(req$body$data)) rawToChar(req$body$data) else req$body$data
key <- function(req) req$headers[["Idempotency-Key"]]
same <- function(is, should) if (!isTRUE(identical(is, should))) stop(deparse(is), " is not ", deparse(should))

person <- '{"athlete":{"id":"a","first_name":"Ann"}}'
page <- '{"captures":[],"total_count":0,"offset":0,"limit":500,"next_offset":null}'

# A busy server is asked again when it says, and a creation keeps its key.
busy <- says(503, '{"error":"ServiceUnavailable","message":"later"}', `Retry-After` = "7")
with <- answered(busy, "the wire broke", busy, says(200, person))
same(kb_create_athlete("Ann", client = with$client)$id, "a")
same(with$seen$waits, c(7, 0.5, 7))
keys <- vapply(with$seen$requests, key, "")
stopifnot(length(unique(keys)) == 1, grepl("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", keys[1]))

# Keys are others although R's own numbers begin again.
keys <- vapply(1:2, function(i) {
  set.seed(1)
  with <- answered(says(200, person))
  kb_create_athlete("Ann", client = with$client)
  key(with$seen$requests[[1]])
}, "")
stopifnot(keys[1] != keys[2])

# It ends after as many repetitions as are allowed, and before a wait that is too long.
with <- answered(busy, busy, busy, retries = 2)
error <- caught(kb_captures(client = with$client))
stopifnot(inherits(error, "kb_busy"), inherits(error, "kb_error"), length(with$seen$requests) == 3)
with <- answered(says(429, "{}", `Retry-After` = "61"))
stopifnot(inherits(caught(kb_captures(client = with$client)), "kb_busy"), !length(with$seen$waits))
with <- answered(says(429, "no JSON"), says(200, page))
same(dim(kb_captures(client = with$client)), c(0L, 8L))
same(with$seen$waits, 1)

# A deletion whose answer is lost is not made again.
with <- answered("the wire broke")
error <- caught(kb_delete_capture("c", client = with$client))
stopifnot(inherits(error, "kb_no_answer"), grepl("DELETE .*/captures/c.*the wire broke", conditionMessage(error)))

# A refusal has what the server says, and a class by which it is caught.
refused <- says(404, '{"error":"NotFound","message":"no such capture"}', `X-Request-Id` = "r-1")
error <- caught(kb_capture("c", client = answered(refused)$client))
stopifnot(inherits(error, "kb_not_found"), inherits(error, "error"))
same(c(error$status, error$code, error$request_id, conditionMessage(error)),
     c("404", "NotFound", "r-1", "404 NotFound: no such capture"))
several <- says(422, '{"error":"Unprocessable","message":"a","messages":"a; b"}')
same(conditionMessage(caught(kb_capture("c", client = answered(several)$client))), "422 Unprocessable: a; b")
for (class in list(list(400, "kb_bad_request"), list(401, "kb_unauthorized"), list(403, "kb_forbidden"),
                   list(409, "kb_conflict"), list(410, "kb_gone"), list(412, "kb_conflict"), list(302, "kb_error"),
                   list(500, "kb_error"))) {
  stopifnot(inherits(caught(kb_capture("c", client = answered(says(class[[1]], "{}"))$client)), class[[2]]))
}
with <- answered(says(200, "<html>"))
stopifnot(grepl("ends in /v1", conditionMessage(caught(kb_capture("c", client = with$client)))))

# The body of an answer is text, and never the name of what is read instead.
elsewhere <- tempfile(fileext = ".json")
writeLines('{"session_id":"c","error":"Elsewhere","columns":{"frame":[0]},"from":0,"to":1}', elsewhere)
for (body in c(elsewhere, paste0("file://", elsewhere), "http://127.0.0.1:1/x.json")) {
  for (ask in list(kb_capture, kb_frames)) {
    error <- caught(ask("c", client = answered(says(200, body), says(200, body))$client))
    stopifnot(inherits(error, "kb_error"))
    same(error$code, "NoJSON")
  }
  same(caught(kb_capture("c", client = answered(says(400, body))$client))$code, "Error")
}
for (body in c('"x"', "1", "null", "[]", "[1]", "", "{")) {
  for (ask in list(kb_capture, kb_frames, kb_athlete, kb_metrics)) {
    same(caught(ask("c", client = answered(says(200, body))$client))$code, "NoJSON")
  }
  stopifnot(inherits(caught(kb_capture("c", client = answered(says(404, body))$client)), "kb_not_found"))
}

# The token goes to the server alone, and is not printed.
place <- '{"session_id":"s","upload_url":"http://bucket.example/up","upload_fields":{"key":"k"}}'
file <- file.path(tempdir(), "a b.csv")
writeLines("time,knee", file)
with <- answered(says(200, place), says(204, ""), says(200, '{"session_id":"s","status":"completed"}'))
same(kb_upload(file, activity = "squat", dimensions = c(footedness = "left"), athlete_ids = "a",
               camera_configuration = list(), client = with$client)$status, "completed")
sent <- lapply(with$seen$requests, function(req) "Authorization" %in% names(req$headers))
same(unlist(sent), c(TRUE, FALSE, TRUE))
same(said(with$seen$requests[[1]]), paste0(
  '{"file_name":"a b.csv","athlete_ids":["a"],"movement_attributes":{"activity":"squat","footedness":"left"},',
  '"camera_configuration":{}}'))
stopifnot(!any(grepl("secret", capture.output(print(with$client)))))
if (nzchar(Sys.getenv("KINEBASE_URL"))) Sys.unsetenv(c("KINEBASE_URL", "KINEBASE_TOKEN"))
stopifnot(grepl("KINEBASE_URL", conditionMessage(caught(kb_captures()))))
stopifnot(grepl("KINEBASE_TOKEN", conditionMessage(caught(kb_captures(client = kb_client("http://127.0.0.1:1"))))))

# Values are written as the interface has them, whatever the separator of decimals here.
options(OutDec = ",")
with <- answered(says(200, person))
person <- kb_update_athlete("a/b", height = 0.1 + 0.2, weight = 70.5, date_of_birth = as.Date("1967-03-28"),
                  custom_attributes = list(), client = with$client)
same(said(with$seen$requests[[1]]),
     '{"height":0.30000000000000004,"weight":70.5,"date_of_birth":"1967-03-28","custom_attributes":{}}')
stopifnot(grepl("/athletes/a%2Fb$", with$seen$requests[[1]]$url))
with <- answered(says(200, page))
table <- kb_captures(captured_from = as.Date("2026-05-01"), include = "file", q = "\u00e9 &",
            captured_to = as.POSIXct(1778587200.4796, origin = "1970-01-01"), client = with$client)
same(sub(".*[?]", "", with$seen$requests[[1]]$url), paste0(
  "captured_from=2026-05-01&captured_to=2026-05-12T12%3A00%3A00.480Z&q=%C3%A9%20%26&include=next%2Cfile&",
  "limit=500&offset=0"))
options(OutDec = ".")
stopifnot(grepl("missing", conditionMessage(caught(kb_update_athlete("a", height = NA, client = with$client)))))
stopifnot(grepl("finite", conditionMessage(caught(kb_update_athlete("a", height = Inf, client = with$client)))))
stopifnot(grepl("id is one text", conditionMessage(caught(kb_capture(NULL, client = with$client)))))

# Pages are one table, whose columns have their kinds also where everything is missing.
with <- answered(
  says(200, '{"captures":[{"session_id":"a","athlete_id":null,"fps_detected":100,
    "capture_time":"2026-05-13T12:03:21.480Z","footedness":"left"}],"next_offset":1}'),
  says(200, '{"captures":[{"session_id":"b","fps_detected":null,"capture_time":null}],"next_offset":null}'))
table <- kb_captures(client = with$client)
same(vapply(table, function(x) class(x)[1], ""), c(
  session_id = "character", athlete_id = "character", activity = "character", movement = "character",
  status = "character", error = "character", capture_time = "POSIXct", fps_detected = "numeric",
  footedness = "character"))
same(as.numeric(table$capture_time), c(1778673801.480, NA))
same(table$fps_detected, c(100, NA))
same(table$footedness, c("left", NA))

# Pages that lead to themselves, or are none, are refused.
for (body in c('{"captures":[{"session_id":"a"}],"next_offset":0}', '{"captures":[],"next_offset":"x"}', '{"a":[]}',
               '{"captures":null,"next_offset":null}')) {
  same(caught(kb_captures(client = answered(says(200, body))$client))$code, "UnfitAnswer")
}
more <- says(200, '{"changes":[],"cursor":"c","more":true}')
same(caught(kb_changes(client = answered(more, more)$client))$code, "UnfitAnswer")
same(caught(kb_changes(client = answered(says(200, '{"changes":[]}'))$client))$code, "UnfitAnswer")

# A metric that is called like a column of captures does not vanish behind it.
body <- '{"captures":[{"session_id":"a","status":"completed","footedness":"left","error":null,"metrics":{
  "status":{"value":1.5},"error":{"text":"e"},"metric_error":{"value":3},"height":{"value":2}}},
  {"session_id":"b","status":"completed","metrics":{"footedness":{"value":4}}}],"next_offset":null}'
table <- kb_metrics("p", client = answered(says(200, body))$client)
same(table$status, c("completed", "completed"))
same(table$metric_status, c(1.5, NA))
same(table$metric_error, c(3, NA))
same(table$metric_metric_error, c("e", NA))
same(table$height, c(2, NA))
same(table$footedness, c("left", NA))
same(table$metric_footedness, c(NA, 4))

# A year has four digits, in a body and in a query.
with <- answered(says(200, '{"athlete":{"id":"a"}}'), says(200, page))
invisible(kb_update_athlete("a", date_of_birth = as.Date("0500-01-02"), client = with$client))
same(said(with$seen$requests[[1]]), '{"date_of_birth":"0500-01-02"}')
invisible(kb_captures(captured_from = as.Date("0500-01-02"), client = with$client))
stopifnot(grepl("captured_from=0500-01-02&", with$seen$requests[[2]]$url))

# Numbers are the nearest doubles, in exports and in frames.
one <- '{"sessionid":"s_9007199254740993","session_seq":9007199254740993,"x":0.1,"y":1e22,"text":"","none":null}'
two <- '{"sessionid":"s_1","session_seq":1,"x":5e-324,"y":123456789012345678,"text":null,"none":null}'
job <- '{"jobId":"j","status":"COMPLETED"}'
exported <- function(...) {
  lines <- if (...length()) paste0(c(...), "\n", collapse = "") else ""
  all <- says(200, lines, `Content-Length` = as.character(nchar(lines)))
  kb_export(client = answered(says(200, job), says(200, job), all)$client)
}
table <- exported(one, two)
same(table$session_seq, c("9007199254740993", "1"))
same(table$x, c(0.1, 5e-324))
same(table$y, c(1e22, 123456789012345678))
same(table$text, c("", NA))
same(exported(two)$session_seq, 1)
same(dim(exported()), c(0L, 12L))
rows <- sprintf('{"sessionid":"s_%d","session_seq":%d,"n":%s,"c":"%d"}', 1:5001, 1:5001,
                c(rep("null", 5000), "1.5"), 1:5001)
table <- exported(rows)
same(nrow(table), 5001L)
same(table$n[5001], 1.5)
same(table$c, as.character(1:5001))

# An export that failed says why.
with <- answered(says(200, job), says(200, '{"jobId":"j","status":"FAILED","errorMessage":"no such column"}'))
error <- caught(kb_export(client = with$client))
stopifnot(inherits(error, "kb_export_failed"), conditionMessage(error) == "no such column", error$job$jobId == "j")
stopifnot(grepl("must end in", conditionMessage(caught(kb_download_export("j", "golf.xlsx", client = with$client)))))
to <- file.path(tempdir(), "golf.csv")
with <- answered(says(409, '{"error":"Conflict","message":"not ready"}'))
stopifnot(grepl("not ready", conditionMessage(caught(kb_download_export("j", to, client = with$client)))))
stopifnot(!any(file.exists(to, paste0(to, ".part"))))
