# Values as the interface writes them.

given <- function(values) values[!vapply(values, is.null, NA)]

# A value as text: texts, numbers, times, and several joined by commas.
text_of <- function(value) {
  if (anyNA(value)) stop("a value that is sent is missing (NA)", call. = FALSE)
  texts <- if (inherits(value, "Date")) {
    day_text(value)
  } else if (inherits(value, "POSIXt")) {
    iso_of(value)
  } else if (is.logical(value)) {
    ifelse(value, "true", "false")
  } else if (is.numeric(value)) {
    digits_of(value)
  } else {
    as.character(value)
  }
  paste(enc2utf8(texts), collapse = ",")
}

# The fewest decimal digits that are the same number again.
digits_of <- function(x) {
  vapply(as.double(x), function(v) {
    if (!is.finite(v)) stop("a number that is sent is not finite", call. = FALSE)
    for (digits in 15:17) {
      text <- sprintf("%.*g", digits, v)
      if (as.double(json_in(paste0("[", text, "]"))) == v) break
    }
    text
  }, "", USE.NAMES = FALSE)
}

query_of <- function(query) {
  query <- given(query)
  lapply(query[lengths(query) > 0], text_of)
}

# A body as JSON. What is NULL is left out, a vector in I() is a list also where it has one value, a list without
# names and values is an object.
json_of <- function(said) {
  as.character(jsonlite::toJSON(plain(said), auto_unbox = TRUE, json_verbatim = TRUE))
}

plain <- function(value) {
  if (is.list(value)) {
    value <- given(value)
    return(if (length(value)) lapply(value, plain) else structure("{}", class = "json"))
  }
  if (anyNA(value)) stop("a value that is sent is missing (NA)", call. = FALSE)
  if (inherits(value, "Date")) return(day_text(value))
  if (inherits(value, "POSIXt")) return(iso_of(value))
  if (is.numeric(value)) {
    digits <- digits_of(value)
    if (length(digits) != 1) digits <- paste0("[", paste(digits, collapse = ","), "]")
    return(structure(digits, class = "json"))
  }
  if (is.character(value)) value[] <- enc2utf8(value)
  value
}

# A list of names; one name alone is a list of one.
names_of <- function(value) if (length(value)) I(as.character(value))
