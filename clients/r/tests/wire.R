# Calls over a real connection, to a server that says what it is told to.
library(kinebase)
options(warn = 2)

same <- function(is, should) if (!isTRUE(identical(is, should))) stop(deparse(is), " is not ", deparse(should))
caught <- function(code) tryCatch({ code; NULL }, error = identity)

# Another process of R, which gives each connection the next of some answers, byte by byte as they are, and ends. An
# empty one hangs up. It says its port first.
serving <- '
answers <- readRDS(commandArgs(TRUE))
for (port in sample(20000:60000)) {
  at <- tryCatch(serverSocket(port), error = function(e) NULL, warning = function(w) NULL)
  if (!is.null(at)) break
}
cat(port, "\n")
flush(stdout())
for (answer in answers) {
  to <- socketAccept(at, blocking = TRUE, open = "r+b", timeout = 300)
  while (nzchar(readLines(to, 1))) NULL
  if (nzchar(answer)) writeChar(answer, to, eos = NULL, useBytes = TRUE)
  close(to)
}
'
program <- tempfile(fileext = ".R")
writeLines(serving, program)

# What `ask` gives with a client of a server with these answers. No call may sleep but by client$sleep, and none may
# take minutes.
over_the_wire <- function(ask, ...) {
  told <- tempfile()
  saveRDS(c(...), told)
  server <- pipe(paste(shQuote(c(file.path(R.home("bin"), "Rscript"), "--vanilla", program, told)), collapse = " "))
  open(server, "r")
  client <- kb_client(paste0("http://127.0.0.1:", as.integer(readLines(server, 1)), "/v1"), "secret", retries = 2)
  waits <- numeric()
  client$sleep <- function(seconds) waits <<- c(waits, seconds)
  setTimeLimit(elapsed = 300)
  got <- withCallingHandlers(caught(gave <- ask(client)),
                             httr2_sleep = function(s) stop("httr2 sleeps for ", s$seconds, " seconds"))
  setTimeLimit()
  if (!is.null(got)) gave <- got
  close(server)
  list(gave = gave, waits = waits)
}

answer <- function(status, body, ...) {
  headers <- c(..., "Connection: close", paste0("Content-Length: ", nchar(body, "bytes")))
  paste0("HTTP/1.1 ", status, "\r\n", paste0(headers, "\r\n", collapse = ""), "\r\n", body)
}
ask <- function(client) kb_capture("c", client = client)$session_id
found <- answer("200 OK", '{"session_id":"c"}')

# A wait that is too long is not begun.
for (status in c("429 Too Many Requests", "503 Service Unavailable")) {
  with <- over_the_wire(ask, answer(status, "{}", "Retry-After: 99999999"))
  stopifnot(inherits(with$gave, "kb_busy"))
  same(list(with$gave$retry_after, with$waits), list(99999999, numeric()))
}

# The waits are those of the client, as often as it says, also where the server says none that can be kept.
later <- function(...) answer("503 Service Unavailable", "{}", ...)
with <- over_the_wire(ask, later("Retry-After: 7"), later("Retry-After: 0"), found)
same(with, list(gave = "c", waits = c(7, 0)))
for (said in c("Retry-After: -1", "Retry-After: soon", "Retry-After: Thu, 01 Jan 1998 00:00:00 GMT",
               "Retry-After: Xyz, 99 Foo 9999 00:00:00 GMT", "Retry-After: ", "X-Other: 1")) {
  with <- over_the_wire(ask, later(said), later(said), later(said))
  stopifnot(inherits(with$gave, "kb_busy"))
  same(with$waits, c(1, 1))
}
with <- over_the_wire(ask, later("Retry-After: Tue, 01 Jan 2097 00:00:00 GMT"))
stopifnot(inherits(with$gave, "kb_busy"), with$gave$retry_after > 1e6, !length(with$waits))

# Results that end before their end are no results, however they come; whole ones are also without their length.
job <- answer("200 OK", '{"jobId":"j","status":"COMPLETED","rowCount":2}')
rows <- c(.csv = 'sessionid,x\r\n"a\nb",1\r\nc,2\r\n', .ndjson = '{"sessionid":"a","x":1}\n{"sessionid":"c","x":2}\n',
          .parquet = "PAR1 and so on PAR1")
unsaid <- function(body) paste0("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", body)
said <- function(body) sub("\r\n", paste0("\r\nContent-Length: ", nchar(rows[[kind]]), "\r\n"), unsaid(body))
chunks <- function(body) {
  sub("\r\n\r\n.*", paste0("\r\nTransfer-Encoding: chunked\r\n\r\n", sprintf("%x\r\n", nchar(body)), body, "\r\n",
                           if (body == rows[[kind]]) "0\r\n\r\n"), unsaid(body))
}
for (kind in names(rows)) {
  to <- tempfile(fileext = kind)
  save <- function(client) kb_download_export("j", to, client = client)
  for (as in list(unsaid, said, chunks)) {
    again <- if (identical(as, unsaid) && kind != ".parquet") job
    stopifnot(is.character(over_the_wire(save, as(rows[[kind]]), again)$gave))
    same(readChar(to, 1000), rows[[kind]])
    unlink(to)
    for (cut in c(1, 2, 7)) {
      short <- substr(rows[[kind]], 1, nchar(rows[[kind]]) - cut)
      tries <- if (identical(as, unsaid)) c(as(short), again) else rep(as(short), 3)
      stopifnot(inherits(over_the_wire(save, tries)$gave, "kb_no_answer"), !file.exists(to))
    }
  }
}
first <- sub("\n.*", "\n", rows[[".ndjson"]])
with <- over_the_wire(function(client) kb_export(client = client), job, job, unsaid(first), job)
stopifnot(inherits(with$gave, "kb_no_answer"))

# A line that breaks is another reason to ask again.
with <- over_the_wire(ask, "", "", found)
same(with, list(gave = "c", waits = c(0.25, 0.5)))
with <- over_the_wire(function(client) kb_delete_capture("c", client = client), "")
stopifnot(inherits(with$gave, "kb_no_answer"), !length(with$waits))
