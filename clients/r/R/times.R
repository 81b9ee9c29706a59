# Times: on the wire ISO 8601 in UTC with milliseconds, in R POSIXct in UTC.

# The nearest number of seconds that a double has.
time_of <- function(text) {
  whole <- as.numeric(as.POSIXct(substr(text, 1, 19), format = "%Y-%m-%dT%H:%M:%S", tz = "UTC"))
  milliseconds <- ifelse(grepl("^.{19}\\.[0-9]{3}Z$", text), suppressWarnings(as.numeric(substr(text, 21, 23))), 0)
  as.POSIXct((whole * 1000 + milliseconds) / 1000, origin = "1970-01-01", tz = "UTC")
}

day_of <- function(text) as.Date(substr(text, 1, 10), format = "%Y-%m-%d")

# format() leaves the zeros of a year before 1000 out.
day_text <- function(day) {
  at <- as.POSIXlt(day)
  sprintf("%04d-%02d-%02d", at$year + 1900L, at$mon + 1L, at$mday)
}

# To the nearest millisecond; format() would cut the digits off.
iso_of <- function(time) {
  milliseconds <- round(as.numeric(as.POSIXct(time)) * 1000)
  at <- as.POSIXlt(as.POSIXct(floor(milliseconds / 1000), origin = "1970-01-01", tz = "UTC"), tz = "UTC")
  sprintf("%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", at$year + 1900L, at$mon + 1L, at$mday, at$hour, at$min,
          as.integer(at$sec), as.integer(milliseconds %% 1000))
}
