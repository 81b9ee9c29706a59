# Motion files and videos that are sent.

# A file of up to so many bytes is sent at once, a larger one in pieces.
whole <- 1048576

motion_files <- "\\.(c3d|trc|mot|sto|bvh|csv|mov|mp4)$"

# What is said of a file when a place is reserved for it.
captured <- function(athlete_ids = NULL, activity = NULL, movement = NULL, dimensions = NULL, session_group_id = NULL,
                     camera_configuration = NULL, capture_time = NULL) {
  if (inherits(capture_time, "Date")) capture_time <- as.POSIXct(capture_time) # its midnight in UTC
  attributes <- given(c(list(activity = activity, movement = movement), as.list(dimensions)))
  given(list(athlete_ids = names_of(athlete_ids), movement_attributes = if (length(attributes)) attributes,
             session_group_id = session_group_id, camera_configuration = camera_configuration,
             capture_time = capture_time))
}

kb_upload <- function(path, ..., wait = TRUE, progress = NULL, client = kb_client()) {
  size <- file.size(path)
  if (is.na(size)) stop("there is no file ", path, call. = FALSE)
  said <- c(list(file_name = basename(path)), captured(...))
  if (size > whole) {
    place <- post_json(client, "/captures", c(said, list(file_size = size)), list(include = "resumable"))
    send_pieces(client, place$upload_resumable_url, path, size, progress)
  } else {
    place <- post_json(client, "/captures", said)
    # Without the token, for the form may go to a bucket of somebody else.
    req <- request_of(client, "POST", place$upload_url, accept = "*/*")
    form <- c(place$upload_fields, list(file = curl::form_file(path, type = "application/octet-stream")))
    send(client, do.call(httr2::req_body_multipart, c(list(req), form)), safe = FALSE)
    if (is.function(progress)) progress(size, size)
  }
  read_in(client, place$session_id, wait)
}

# Waits until the file of a capture has been read.
read_in <- function(client, id, wait) {
  pause <- 0.1
  repeat {
    capture <- kb_capture(id, client)
    if (!wait || capture$status == "completed") return(capture)
    if (capture$status == "error") {
      why <- if (is.null(capture$error)) "the file could not be read" else capture$error
      stop(failed("kb_capture_failed", why, capture = capture))
    }
    client$sleep(pause)
    pause <- min(pause * 1.5, 2)
  }
}

kb_upload_folder <- function(folder, ..., progress = NULL, client = kb_client()) {
  if (!dir.exists(folder)) stop(folder, " is no folder", call. = FALSE)
  captured(...) # what is wrong with it is wrong with every file
  paths <- sort(list.files(folder, motion_files, recursive = TRUE, full.names = TRUE, ignore.case = TRUE),
                method = "radix")
  ids <- errors <- rep(NA_character_, length(paths))
  for (i in seq_along(paths)) {
    tryCatch(
      ids[i] <- kb_upload(paths[i], ..., client = client)$session_id,
      kb_capture_failed = function(e) {
        ids[i] <<- e$capture$session_id
        errors[i] <<- conditionMessage(e)
      },
      error = function(e) errors[i] <<- conditionMessage(e)
    )
    if (is.function(progress)) progress(i, length(paths))
  }
  frame_of(list(path = paths, session_id = ids, error = errors), length(paths))
}
