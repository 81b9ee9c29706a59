# What changed since a cursor.

kb_changes <- function(after = NULL, kinds = NULL, objects = FALSE, wait = 0, page_size = 500, client = kb_client()) {
  rows <- list()
  client$timeout <- max(client$timeout, wait + 30) # while the server waits, nothing comes
  repeat {
    page <- get_json(client, "/changes", list(
      after = after, kind = kinds, include = if (objects) "object", wait = if (wait > 0) wait, limit = page_size
    ))
    rows[[length(rows) + 1]] <- page$changes
    if (!is.character(page$cursor) || !is.logical(page$more)) stop(unfit("changes without a cursor"))
    if (page$more && identical(page$cursor, after)) stop(unfit("more changes, but not behind these"))
    after <- page$cursor
    if (!page$more) break
    wait <- 0
  }
  columns <- c(always$change, if (objects) "object")
  list(changes = rows_frame(unlist(rows, recursive = FALSE), columns), cursor = after)
}
