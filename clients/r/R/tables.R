# Rows of lists as data frames.

always <- list(
  capture = c("session_id", "athlete_id", "activity", "movement", "status", "error", "capture_time", "fps_detected"),
  column = c("activity", "movement", "name", "kind", "unit", "captures"),
  athlete = c("id", "first_name", "last_name", "date_of_birth", "email", "height", "weight", "custom_attributes",
              "created_at", "updated_at"),
  job = c("jobId", "status", "createdAt", "completedAt"),
  change = c("kind", "id", "change", "changed_at"),
  share = c("id", "name", "kind", "captures", "view", "names", "created_at", "expires_at", "uses", "last_used_at"),
  result = c("sessionid", "session_uuid", "session_seq", "athleteid", "athlete_name", "orgid", "activity", "movement",
             "capture_datetime", "fps", "frame", "time")
)

# Columns of the interface with one kind of value whatever rows there are; the others that are known are texts.
kinds <- list(
  time = c("capture_time", "updated_at", "created_at", "createdAt", "completedAt", "changed_at", "capture_datetime",
           "expires_at", "last_used_at"),
  day = "date_of_birth",
  double = c("fps_detected", "fps", "time", "height", "weight", "session_seq", "value"),
  integer = c("captures", "warning_count", "frame", "version"),
  list = c("custom_attributes", "object")
)

frame_of <- function(columns, rows) {
  structure(columns, class = "data.frame", row.names = .set_row_names(rows))
}

# Rows, each a list, as a data frame: the columns that a list always has, then every one that any row has. Columns
# that are not known take their kind from their values.
rows_frame <- function(rows, always, known = known_of(always)) {
  names <- unique(c(always, unlist(lapply(rows, names), use.names = FALSE)))
  pick <- picker(rows, names)
  columns <- lapply(names, function(name) column_of(pick(name), if (name %in% known) name else ""))
  names(columns) <- names
  frame_of(columns, length(rows))
}

known_of <- function(always) c(always, "updated_at", "warning_count", "file_name", "athlete_name")

# A function that gives the values of a column, a list. Rows of exports all have the same fields in the same order,
# which spares looking for each by its name.
picker <- function(rows, names) {
  if (!length(rows) || !identical(unique(lapply(rows, base::names)), list(names))) {
    return(function(name) lapply(rows, `[[`, name))
  }
  cells <- matrix(unlist(rows, recursive = FALSE, use.names = FALSE), nrow = length(names))
  function(name) cells[match(name, names), ]
}

column_of <- function(values, known) {
  if (known %in% kinds$list) return(values)
  values[lengths(values) == 0] <- NA
  flat <- unlist(values, recursive = FALSE, use.names = FALSE)
  if (is.list(flat)) return(values)
  values <- if (length(values)) flat else NA[0]
  if (known == "") return(if (is.integer(values)) as.double(values) else values)
  if (known %in% kinds$time) return(time_of(as.character(values)))
  if (known %in% kinds$day) return(day_of(as.character(values)))
  if (known %in% kinds$double) return(as.double(values))
  if (known %in% kinds$integer) return(as.integer(values))
  as.character(values)
}
