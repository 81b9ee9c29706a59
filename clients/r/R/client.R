# Where a server is, the token for it, and how often a call is made again.

kb_client <- function(url = Sys.getenv("KINEBASE_URL"), token = Sys.getenv("KINEBASE_TOKEN"), retries = 5,
                      longest_wait = 60, timeout = 60) {
  url <- sub("/+$", "", url)
  if (!nzchar(url)) {
    stop("the address of the server is missing: set KINEBASE_URL, such as http://127.0.0.1:8080/v1, or give url =",
         call. = FALSE)
  }
  if (!nzchar(token)) {
    stop("the token is missing: set KINEBASE_TOKEN, or give token =", call. = FALSE)
  }
  structure(list(url = url, token = token, secret = "", retries = retries, longest_wait = longest_wait,
                 timeout = timeout, perform = httr2::req_perform, sleep = Sys.sleep), class = "kb_client")
}

print.kb_client <- function(x, ...) {
  cat("<kb_client>", x$url, "\n")
  invisible(x)
}
