# What a server refuses, as conditions that tryCatch tells apart.

status_class <- function(status) {
  switch(as.character(status), "400" = , "422" = "kb_bad_request", "401" = "kb_unauthorized", "403" = "kb_forbidden",
         "404" = "kb_not_found", "409" = , "412" = "kb_conflict", "410" = "kb_gone", "429" = , "503" = "kb_busy",
         "0" = "kb_no_answer", NULL)
}

kb_error <- function(status, code, message, messages = NULL, request_id = NA_character_, retry_after = NA_real_) {
  told <- if (is.null(messages)) message else messages
  structure(
    class = c(status_class(status), "kb_error", "error", "condition"),
    list(message = if (status == 0) message else paste0(status, " ", code, ": ", told), call = NULL,
         status = as.integer(status), code = code, request_id = request_id, retry_after = retry_after)
  )
}

# The error of an answer. Where the body went to a file, it is read from there.
refusal <- function(resp, save_to = NULL) {
  body <- tryCatch({
    text <- if (is.null(save_to)) {
      httr2::resp_body_string(resp, "UTF-8")
    } else {
      paste(readLines(save_to, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
    }
    json_in(text)
  }, error = function(e) NULL)
  if (!is.list(body)) body <- list()
  status <- httr2::resp_status(resp)
  kb_error(status, if (is.null(body$error)) "Error" else body$error,
           if (is.null(body$message)) paste("the server answered", status) else body$message, body$messages,
           header_of(resp, "X-Request-Id"), seconds_of(header_of(resp, "Retry-After")))
}

# The seconds of a Retry-After, which are a number or end at a date. Of what is past or nothing at all it is NA.
seconds_of <- function(text) {
  if (is.na(text)) return(NA_real_)
  if (grepl("^[0-9]+$", text)) return(as.numeric(text))
  # Month names of the interface, whatever the language here.
  at <- regmatches(text, regexec("^..., (..) (...) (....) (..):(..):(..) GMT$", text))[[1]]
  if (!length(at)) return(NA_real_)
  end <- ISOdatetime(at[4], match(at[3], month.abb), at[2], at[5], at[6], at[7], tz = "UTC")
  seconds <- as.numeric(end) - as.numeric(Sys.time())
  if (is.na(seconds) || seconds < 0) NA_real_ else seconds
}

# The error of a connection that failed.
lost <- function(error, req) {
  why <- conditionMessage(if (is.null(error$parent)) error else error$parent)
  kb_error(0, "NoAnswer", paste0("no answer to ", req$method, " ", req$url, ": ", why))
}

header_of <- function(resp, name) {
  value <- httr2::resp_header(resp, name)
  if (is.null(value)) NA_character_ else value
}

# The error of an export or a file that ended badly; `what` is its last state.
failed <- function(class, message, ...) {
  structure(class = c(class, "error", "condition"), list(message = message, call = NULL, ...))
}
