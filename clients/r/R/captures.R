# Captures of the organization, and what their recordings have.

kb_captures <- function(athlete_id = NULL, source = NULL, status = NULL, activity = NULL, movement = NULL,
                        captured_from = NULL, captured_to = NULL, q = NULL, include = NULL, order = NULL,
                        page_size = 500, client = kb_client()) {
  rows <- every_row(client, "/captures", "captures", list(
    athlete_id = athlete_id, source = source, status = status, activity = activity, movement = movement,
    captured_from = captured_from, captured_to = captured_to, q = q, include = c("next", include), order = order,
    limit = page_size
  ))
  rows_frame(rows, always$capture)
}

kb_capture <- function(id, client = kb_client()) {
  get_json(client, paste0("/captures/", segment(id)))
}

kb_delete_capture <- function(id, client = kb_client()) {
  delete(client, paste0("/captures/", segment(id)))
}

kb_motion <- function(id, client = kb_client()) {
  get_json(client, paste0("/captures/", segment(id), "/motion"))
}

kb_columns <- function(activity = NULL, movement = NULL, kind = NULL, q = NULL, page_size = 500,
                       client = kb_client()) {
  rows <- every_row(client, "/columns", "columns", list(activity = activity, movement = movement, kind = kind, q = q,
                                                        limit = page_size))
  rows_frame(rows, always$column)
}
