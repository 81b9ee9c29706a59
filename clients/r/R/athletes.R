# Athletes of the organization, and their metrics over time.

kb_athletes <- function(q = NULL, sorted_by = NULL, attributes = NULL, page_size = 500, client = kb_client()) {
  query <- c(as.list(attributes), list(q = q, sorted_by = sorted_by, limit = page_size))
  rows_frame(every_row(client, "/athletes", "athletes", query), always$athlete)
}

kb_athlete <- function(id, client = kb_client()) {
  get_json(client, paste0("/athletes/", segment(id)))$athlete
}

kb_create_athlete <- function(first_name, ..., client = kb_client()) {
  post_json(client, "/athletes", list(first_name = first_name, ...))$athlete
}

kb_update_athlete <- function(id, ..., client = kb_client()) {
  post_json(client, paste0("/athletes/", segment(id)), list(...))$athlete
}

kb_merge_athletes <- function(id, from, client = kb_client()) {
  post_json(client, paste0("/athletes/", segment(id), "/merge"), list(from = from))$athlete
}

kb_delete_athlete <- function(id, client = kb_client()) {
  delete(client, paste0("/athletes/", segment(id)))
}

kb_metrics <- function(athlete, activity = NULL, movement = NULL, metric = NULL, start = NULL, end = NULL,
                       shape = c("captures", "metrics"), page_size = 500, client = kb_client()) {
  shape <- match.arg(shape)
  rows <- every_row(client, paste0("/athletes/", segment(athlete), "/metrics"), "captures", list(
    activity = activity, movement = movement, metric = metric, from = start, to = end, limit = page_size
  ))
  if (shape == "metrics") return(rows_frame(unlist(lapply(rows, long_metrics), recursive = FALSE), long_columns))
  flat_metrics(rows)
}

# Captures with their metrics, each as a column: the number, or the text, or nothing. A metric that is called like a
# column of captures has metric_ before its name.
flat_metrics <- function(rows) {
  captures <- lapply(rows, function(row) row[names(row) != "metrics"])
  taken <- unique(c(known_of(always$capture), unlist(lapply(captures, names), use.names = FALSE)))
  metrics <- unique(unlist(lapply(rows, function(row) names(row$metrics)), use.names = FALSE))
  columns <- list()
  for (name in c(setdiff(metrics, taken), intersect(metrics, taken))) {
    column <- name
    while (column %in% taken) column <- paste0("metric_", column)
    columns[[name]] <- column
    taken <- c(taken, column)
  }
  flat <- Map(function(row, capture) {
    values <- lapply(row$metrics, function(m) if (is.null(m$value)) m$text else m$value)
    names(values) <- unlist(columns[names(values)], use.names = FALSE)
    c(capture, values)
  }, rows, captures)
  rows_frame(flat, always$capture)
}

long_columns <- c("session_id", "capture_time", "metric", "value", "text", "unit", "source", "method", "version",
                  "withheld", "message")

# The metrics of a capture, a row each.
long_metrics <- function(row) {
  lapply(names(row$metrics), function(name) {
    c(list(session_id = row$session_id, capture_time = row$capture_time, metric = name), row$metrics[[name]])
  })
}
