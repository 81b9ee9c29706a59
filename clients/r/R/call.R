# Calls, and what is made of their answers.

# A call as a request of httr2. A path that begins with a slash lies below the server's address, and takes
# the token along; any other is the whole address of another place, which does not get it.
request_of <- function(client, method, path, query = list(), accept = "application/json", headers = list()) {
  ours <- startsWith(path, "/")
  req <- httr2::request(if (ours) sub("/$", "", paste0(client$url, path)) else path)
  req <- httr2::req_method(req, method)
  req <- httr2::req_user_agent(req, paste0("kinebase-r/", packageVersion("kinebase")))
  # A large file may take its time, as long as something comes. A redirect is not followed: another address would
  # be handed what is meant for this one.
  req <- httr2::req_options(req, connecttimeout = client$timeout, low_speed_limit = 1, low_speed_time = client$timeout,
                            followlocation = 0)
  req <- httr2::req_error(req, is_error = function(resp) FALSE)
  # Repetitions and waits are those of `send`. httr2 0.2 sleeps after a call that it would make again, also when that
  # was the last one: as long as the answer asks for, and after a lost connection as long as it likes.
  req <- httr2::req_retry(req, max_tries = 1, is_transient = function(resp) FALSE, backoff = function(i) 0)
  query <- query_of(query)
  if (length(query)) req <- do.call(httr2::req_url_query, c(list(req), query))
  req <- do.call(httr2::req_headers, c(list(req, Accept = accept), headers))
  if (ours && nzchar(client$secret)) return(httr2::req_headers(req, `Kinebase-Share` = client$secret))
  if (ours) req <- httr2::req_auth_bearer_token(req, client$token)
  req
}

# Makes a call, and makes it again while the server has no time for it. After a lost connection a call that
# changes something is made again only under an idempotency key, with which the server does it once. The body
# goes to the file save_to, where one is named.
send <- function(client, req, safe, save_to = NULL, retries = client$retries) {
  force(req) # what is wrong with it is no lost connection
  repeated <- 0
  repeat {
    resp <- tryCatch(client$perform(req, path = save_to), error = function(e) lost(e, req))
    if (inherits(resp, "kb_error")) {
      refused <- resp
      again <- safe
      wait <- min(2^repeated / 4, 8)
    } else if (httr2::resp_status(resp) < 300) {
      return(resp)
    } else {
      refused <- refusal(resp, save_to)
      again <- refused$status %in% c(429L, 503L)
      wait <- if (is.na(refused$retry_after)) 1 else refused$retry_after
    }
    if (!again || repeated >= retries || wait > client$longest_wait) stop(refused)
    client$sleep(wait)
    repeated <- repeated + 1
  }
}

# A key that no other call has. It does not come from R's own numbers at random, which set.seed repeats.
new_key <- function() {
  hex <- paste(format(openssl::rand_bytes(16)), collapse = "")
  paste(substring(hex, c(1, 9, 13, 17, 21), c(8, 12, 16, 20, 32)), collapse = "-")
}

get_json <- function(client, path, query = list()) {
  parsed(send(client, request_of(client, "GET", path, query), safe = TRUE))
}

post_json <- function(client, path, said, query = list(), keyed = TRUE) {
  headers <- if (keyed) list(`Idempotency-Key` = new_key()) else list()
  req <- request_of(client, "POST", path, query, headers = headers)
  parsed(send(client, httr2::req_body_raw(req, json_of(said), type = "application/json"), safe = keyed))
}

# A deletion has no key: when its answer is lost, nobody knows whether it was done.
delete <- function(client, path) {
  send(client, request_of(client, "DELETE", path), safe = FALSE)
  invisible(NULL)
}

# The JSON object of an answer as a list. Nothing in it is simplified, unless `simple` has lists of numbers as vectors.
parsed <- function(resp, simple = FALSE) {
  force(resp) # an error of the call is none of its JSON
  said <- tryCatch(json_in(httr2::resp_body_string(resp, "UTF-8"), simple), error = function(e) NULL)
  if (is.list(said) && !is.null(names(said))) return(said)
  stop(kb_error(httr2::resp_status(resp), "NoJSON",
                "the answer is no JSON object; the address of a server ends in /v1",
                request_id = header_of(resp, "X-Request-Id")))
}

# What a text says as JSON. It is never the name of a file or an address to read: jsonlite::fromJSON would open both.
json_in <- function(text, simple = FALSE) jsonlite::parse_json(text, simplifyVector = simple)

# An identifier as a segment of a path.
segment <- function(id) {
  if (!is.character(id) || length(id) != 1 || is.na(id) || !nzchar(id)) {
    stop("an id is one text", call. = FALSE)
  }
  URLencode(enc2utf8(id), reserved = TRUE)
}

# The error of an answer that cannot be what was asked for.
unfit <- function(message) kb_error(200, "UnfitAnswer", message)

# All pages of a list: the rows, each a list.
every_row <- function(client, path, key, query) {
  rows <- list()
  offset <- 0
  repeat {
    page <- get_json(client, path, c(query, list(offset = offset)))
    if (!is.list(page[[key]])) stop(unfit(paste0("a page without ", key)))
    rows[[length(rows) + 1]] <- page[[key]]
    following <- page$next_offset
    if (is.null(following)) return(unlist(rows, recursive = FALSE))
    # Else the same pages would be read for ever.
    if (!is.numeric(following) || following <= offset) stop(unfit("a page whose next one does not lie behind it"))
    offset <- following
  }
}
