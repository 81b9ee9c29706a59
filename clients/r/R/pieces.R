# A file in pieces, by tus 1.0, which goes on where it was when a connection breaks or a server dies.

piece <- 8388608
fruitless <- 8

# Gives up when nothing has come `fruitless` times in a row.
send_pieces <- function(client, place, path, size, progress) {
  from <- file(path, "rb")
  on.exit(close(from))
  came <- -1
  failures <- 0
  repeat {
    stopped <- tryCatch({
      at <- parsed(send(client, request_of(client, "GET", place), safe = TRUE))$offset
      repeat {
        if (at > came) {
          came <- at
          failures <- 0
          if (is.function(progress)) progress(at, size)
        }
        if (at == size) return(invisible(NULL))
        length <- min(piece, size - at)
        seek(from, at)
        patch(client, place, at, readBin(from, "raw", length))
        at <- at + length
      }
    }, kb_error = function(e) e)
    # Another place than was thought (409), a piece that was cut (400): the place says where to go on.
    failures <- failures + 1
    wait <- if (is.na(stopped$retry_after)) min(0.25 * 2^failures, 30) else stopped$retry_after
    final <- stopped$status > 0 && stopped$status < 500 && !stopped$status %in% c(400L, 408L, 409L, 429L)
    if (final || failures > fruitless || wait > client$longest_wait) stop(stopped)
    client$sleep(wait)
  }
}

patch <- function(client, place, at, bytes) {
  req <- request_of(client, "PATCH", place, headers = list(`Tus-Resumable` = "1.0.0", `Upload-Offset` = text_of(at)))
  req <- httr2::req_body_raw(req, bytes, type = "application/offset+octet-stream")
  send(client, req, safe = FALSE, retries = 0)
}
