# The numbers of a recording. They come as JSON, whose decimals the C library turns into the nearest double.

# What one call of frames may give is 1,000,000 values.
values_at_once <- 900000

# A step that no recording has a second row of.
far <- .Machine$integer.max

kb_frames <- function(id, channels = NULL, start = 0, stop = NULL, every = 1, rows = c("frames", "samples"),
                      client = kb_client()) {
  rows <- match.arg(rows)
  path <- paste0("/captures/", segment(id), "/frames")
  ask <- function(...) {
    all <- list(channels = channels, from = start, to = stop, every = every, rows = rows)
    query <- utils::modifyList(all, list(...))
    parsed(send(client, request_of(client, "GET", path, query), safe = TRUE), simple = TRUE)
  }
  # One row, as it lies first: it says how many columns there are, and where the rows end.
  probe <- ask(every = far)
  rows_at_once <- max(1, values_at_once %/% length(probe$columns))
  first <- probe$from
  parts <- list()
  while (!length(parts) || first < probe$to) {
    last <- min(first + rows_at_once * every, probe$to)
    parts[[length(parts) + 1]] <- ask(from = first, to = last)$columns
    first <- last
  }
  names <- names(probe$columns)
  columns <- lapply(names, function(name) {
    kind <- if (name == "frame") as.integer else as.double
    unlist(lapply(parts, function(part) kind(part[[name]])))
  })
  names(columns) <- names
  frame_of(columns, length(columns[[1]]))
}
