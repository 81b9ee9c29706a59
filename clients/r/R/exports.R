# Exports: asked for, waited for, and read as data frames or saved as files.

parquet <- "application/vnd.apache.parquet"
ndjson <- "application/x-ndjson"

export_request <- function(activity = NULL, movement = NULL, athletes = NULL, start = NULL, end = NULL,
                           date_mode = NULL, metrics = NULL, shape = NULL, row_filter = NULL, captures = NULL) {
  # No capture among some that were looked for is not all of them: the server refuses an empty list.
  if (!is.null(captures)) captures <- I(as.character(captures))
  given(list(captures = captures, activity = activity, movement = movement, athletes = names_of(athletes),
             startTime = start, endTime = end, dateMode = date_mode, metrics = names_of(metrics), shape = shape,
             row_filter_column = row_filter))
}

job_path <- function(job, behind = "") paste0("/data/export/job/", segment(job), behind)

kb_start_export <- function(..., client = kb_client()) {
  post_json(client, "/data/export", export_request(...))
}

kb_estimate_export <- function(..., client = kb_client()) {
  post_json(client, "/data/export/estimate", export_request(...), keyed = FALSE)
}

kb_export_job <- function(job, client = kb_client()) get_json(client, job_path(job))

kb_exports <- function(page_size = 500, client = kb_client()) {
  rows_frame(every_row(client, "/data/export/job", "jobs", list(limit = page_size)), always$job)
}

kb_cancel_export <- function(job, client = kb_client()) post_json(client, job_path(job, "/cancel"), list())

kb_delete_export <- function(job, client = kb_client()) delete(client, job_path(job))

kb_wait_for_export <- function(job, progress = NULL, client = kb_client()) {
  pause <- 0.1
  repeat {
    state <- get_json(client, job_path(job))
    if (is.function(progress)) progress(if (is.null(state$progress)) 0 else state$progress)
    if (state$status == "COMPLETED") return(state)
    if (state$status != "RUNNING") {
      why <- if (is.null(state$errorMessage)) paste("the export is", state$status) else state$errorMessage
      stop(failed("kb_export_failed", why, job = state))
    }
    client$sleep(pause)
    pause <- min(pause * 1.5, 2)
  }
}

kb_download_export <- function(job, path, client = kb_client()) {
  ending <- tolower(sub(".*(\\.[^.]*)$", "\\1", path))
  accept <- unname(c(.csv = "text/csv", .ndjson = ndjson, .parquet = parquet)[ending])
  if (is.na(accept)) stop("the file must end in .csv, .ndjson or .parquet, not ", path, call. = FALSE)
  unfinished <- paste0(path, ".part")
  on.exit(unlink(unfinished))
  fetch(client, job, accept, unfinished)
  if (!file.rename(unfinished, path)) stop("the file ", path, " cannot be written", call. = FALSE)
  invisible(path)
}

# Saves the results of a job. A line that breaks shows where the answer says its length or comes in chunks; where it
# says neither, the file has to be whole by itself.
fetch <- function(client, job, accept, to) {
  req <- request_of(client, "GET", job_path(job, "/results"), accept = accept)
  resp <- send(client, req, safe = TRUE, save_to = to)
  if (!is.na(header_of(resp, "Content-Length")) || !is.na(header_of(resp, "Transfer-Encoding"))) return()
  if (!is_whole(to, accept, function() kb_export_job(job, client)$rowCount)) {
    unlink(to)
    stop(kb_error(0, "NoAnswer", "the results of the export ended before their end"))
  }
}

# Whether a file of results has all rows. A Parquet file has its table of contents at the end, and then four letters.
is_whole <- function(path, format, rows) {
  size <- file.size(path)
  from <- file(path, "rb")
  on.exit(close(from))
  if (format == parquet) {
    if (size < 12) return(FALSE)
    seek(from, size - 4)
    return(identical(readBin(from, "raw", 4), charToRaw("PAR1")))
  }
  # Lines end at line feeds, in CSV at those between an even number of quotes.
  ends <- 0
  quotes <- 0
  last <- as.raw(10)
  while (length(bytes <- readBin(from, "raw", piece))) {
    feeds <- bytes == 10
    if (format != ndjson) {
      quoted <- quotes + cumsum(bytes == 34)
      feeds <- feeds & quoted %% 2 == 0
      quotes <- quoted[length(quoted)] %% 2
    }
    ends <- ends + sum(feeds)
    last <- bytes[length(bytes)]
  }
  if (format != ndjson) ends <- ends - 1 # the names of the columns
  isTRUE(ends == rows()) && last == 10 && quotes == 0
}

kb_save_export <- function(path, ..., progress = NULL, client = kb_client()) {
  job <- kb_wait_for_export(kb_start_export(..., client = client)$jobId, progress, client)
  kb_download_export(job$jobId, path, client)
  job
}

kb_export <- function(..., progress = NULL, client = kb_client()) {
  job <- kb_start_export(..., client = client)
  kb_wait_for_export(job$jobId, progress, client)
  path <- tempfile(fileext = ".ndjson")
  on.exit(unlink(path))
  fetch(client, job$jobId, ndjson, path)
  results_frame(path)
}

# NDJSON says what is missing and what is an empty text, and its numbers become the nearest doubles.
results_frame <- function(path, lines_at_once = 5000) {
  from <- file(path, "r")
  on.exit(close(from))
  parts <- list()
  repeat {
    lines <- readLines(from, lines_at_once, encoding = "UTF-8")
    if (!length(lines)) break
    rows <- json_in(paste0("[", paste(lines, collapse = ","), "]"))
    parts[[length(parts) + 1]] <- rows_frame(rows, names(rows[[1]]), always$result)
  }
  if (!length(parts)) return(rows_frame(list(), always$result))
  whole_numbers(bind(parts))
}

# Data frames with the same columns, one below the other.
bind <- function(parts) {
  names <- names(parts[[1]])
  columns <- lapply(names, function(name) do.call(c, lapply(parts, `[[`, name)))
  names(columns) <- names
  frame_of(columns, length(columns[[1]]))
}

# A double has whole numbers up to 2^53. The number in a group may be larger, and then all of them are digits,
# which stand at the end of the capture's id.
whole_numbers <- function(table) {
  if (any(table$session_seq >= 2^53, na.rm = TRUE)) {
    table$session_seq <- ifelse(is.na(table$session_seq), NA_character_, sub(".*_", "", table$sessionid))
  }
  table
}
