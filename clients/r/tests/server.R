# The client against a real server, which KINEBASE_URL and KINEBASE_TOKEN name.
library(kinebase)
options(warn = 2)

if (!nzchar(Sys.getenv("KINEBASE_TOKEN"))) {
  message("KINEBASE_URL and KINEBASE_TOKEN name no server: nothing is asked")
  quit("no")
}

same <- function(is, should) if (!isTRUE(identical(is, should))) stop(deparse(is), " is not ", deparse(should))
caught <- function(code) tryCatch({ code; NULL }, error = identity)
folder <- tempfile()
dir.create(file.path(folder, "deep", "er"), recursive = TRUE)

# A TRC file of two markers in millimetres; B is missing in every fifth frame.
walk <- function(name, shift, frames = 250) {
  i <- seq_len(frames) - 1
  b <- ifelse(i %% 5 == 0, "\t\t", paste(i, 2 * i, 3 * i, sep = "\t"))
  path <- file.path(folder, name)
  writeLines(c(
    "PathFileType\t4\t(X/Y/Z)\twalk.trc",
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
    sprintf("100\t100\t%d\t2\tmm\t100\t1\t%d", frames, frames), "Frame#\tTime\tA\t\t\tB\t\t",
    "\t\tX1\tY1\tZ1\tX2\tY2\tZ2", "",
    sprintf("%d\t%.2f\t%.3f\t1000\t%d\t%s", i + 1, i / 100, i + shift, -i, b)
  ), path)
  path
}

person <- kb_create_athlete("Ann", last_name = "\u00c9mile", height = 70, custom_attributes = list(team = "red"))
same(c(person$last_name, person$custom_attributes$team), c("\u00c9mile", "red"))

# A file comes back as the numbers that it had, to the last bit of what the interface prints.
told <- NULL
capture <- kb_upload(walk("walk.trc", 0.125), athlete_ids = person$id, activity = "squat", movement = "single_leg",
                     dimensions = list(footedness = "left"), capture_time = "2026-03-04T05:06:07.089Z",
                     progress = function(done, size) told <<- c(done, size))
same(c(capture$status, capture$footedness), c("completed", "left"))
same(told[1], told[2])
table <- kb_frames(capture$session_id, channels = c("A", "B"))
same(names(table), c("frame", "time", "A_x", "A_y", "A_z", "B_x", "B_y", "B_z"))
same(table$frame, 0:249)
same(which(is.na(table$B_z)), seq(1L, 250L, 5L))
stopifnot(all.equal(table$A_x, (0:249 + 0.125) / 1000, tolerance = 1e-6))
printed <- httr2::request(paste0(Sys.getenv("KINEBASE_URL"), "/captures/", capture$session_id, "/frames"))
printed <- httr2::req_headers(printed, Accept = "text/csv")
printed <- httr2::req_perform(httr2::req_auth_bearer_token(printed, Sys.getenv("KINEBASE_TOKEN")))
cells <- strsplit(strsplit(httr2::resp_body_string(printed), "\r?\n")[[1]][-1], ",", fixed = TRUE)
for (column in seq_along(table)) {
  text <- vapply(cells, function(row) if (is.na(row[column]) || row[column] == "") "null" else row[column], "")
  numbers <- jsonlite::parse_json(paste0("[", paste(text, collapse = ","), "]"), simplifyVector = TRUE)
  same(as.double(table[[column]]), as.double(numbers))
}
same(kb_frames(capture$session_id, channels = "A", start = 10, stop = 20, every = 5)$frame, c(10L, 15L))
same(kb_motion(capture$session_id)$frames, 250L)
same(as.numeric(kb_captures(activity = "squat")$capture_time), 1772600767.089)

# A long recording is read in as many calls as it needs, and a large file goes in pieces over a line that breaks.
client <- kb_client()
breaks <- 2
calls <- 0
client$perform <- function(req, path = NULL) {
  calls <<- calls + 1
  if (identical(req$method, "PATCH") && breaks > 0) {
    breaks <<- breaks - 1
    if (breaks == 0) httr2::req_perform(req, path = path)
    stop("the line broke")
  }
  httr2::req_perform(req, path = path)
}
client$sleep <- function(seconds) Sys.sleep(min(seconds, 0.1))
long <- kb_upload(walk("long.trc", 3, 130000), client = client)
same(c(long$status, as.character(breaks)), c("completed", "0"))
calls <- 0
table <- kb_frames(long$session_id, client = client)
same(dim(table), c(130000L, 8L))
same(table$frame, 0:129999)
same(calls, 3)
table <- kb_frames(long$session_id, every = 1000)
same(table$frame, seq(0L, 129999L, 1000L))

# A link shows its captures and the bones by which they are drawn, to who has its secret alone.
put <- httr2::req_method(httr2::request(paste0(Sys.getenv("KINEBASE_URL"), "/skeletons")), "PUT")
put <- httr2::req_auth_bearer_token(put, Sys.getenv("KINEBASE_TOKEN"))
invisible(httr2::req_perform(httr2::req_body_json(put, list(skeletons = list(
  list(name = "drawn", bones = list(list("A", "B")))
)))))
same(kb_skeletons(), list(list(name = "drawn", bones = data.frame(from = "A", to = "B"))))
share <- kb_create_share(capture$session_id, name = "For a visitor")
visitor <- kb_visit(share$secret)
same(kb_shared(visitor)$captures$session_id, "1")
same(kb_capture("1", visitor)$status, "completed")
same(kb_motion("1", visitor)$frames, 250L)
same(kb_frames("1", channels = "A", stop = 2, client = visitor)$frame, 0:1)
same(kb_skeletons(visitor)[[1]]$bones, data.frame(from = "A", to = "B"))
stopifnot(inherits(caught(kb_capture("2", visitor)), "kb_not_found"))
shares <- kb_shares()
same(shares$uses[shares$id == share$id], 1)
same(shares$captures[shares$id == share$id], list(capture$session_id))
kb_delete_share(share$id)
stopifnot(inherits(caught(kb_shared(visitor)), "kb_not_found"))

# A link to progress shows one metric of an athlete.
linked <- kb_create_athlete("Linked")
invisible(kb_upload(walk("progress.trc", 8), activity = "jump", movement = "countermovement", athlete_ids = linked$id,
                    dimensions = list(arm_position = "arm-swing")))
course <- list(athlete_id = linked$id, activity = "jump", movement = "countermovement", metric = "jump_height")
share <- kb_create_share(kind = "progress", progress = course)
same(kb_shares()$progress[[1]], course)
visitor <- kb_visit(share$secret)
same(kb_shared(visitor)$progress$metric, "jump_height")
same(kb_metrics("1", shape = "metrics", client = visitor)[, c("session_id", "metric")],
     data.frame(session_id = "1", metric = "jump_height"))
kb_delete_athlete(linked$id)
stopifnot(inherits(caught(kb_shared(visitor)), "kb_not_found"))

# Lists are tables with times.
for (n in 1:3) {
  kb_upload(walk(paste0("list", n, ".trc"), n), activity = "lunge", movement = "side",
            capture_time = if (n == 1) as.Date("2026-02-01") else as.POSIXct(sprintf("2026-02-%02d", n), tz = "UTC"))
}
listed <- kb_captures(activity = "lunge", include = "file", page_size = 2)
same(listed$file_name, c("list3.trc", "list2.trc", "list1.trc"))
same(kb_captures(activity = "lunge", order = "oldest", page_size = 2)$session_id, rev(listed$session_id))
same(format(listed$capture_time), c("2026-02-03", "2026-02-02", "2026-02-01"))
same(kb_captures(activity = "lunge", captured_from = as.Date("2026-02-02"), captured_to = "2026-02-03",
                 include = c("file", "updated"))$file_name, "list2.trc")
same(names(kb_captures(activity = "nonesuch"))[1:2], c("session_id", "athlete_id"))
day <- kb_create_athlete("Day", date_of_birth = as.Date("1967-03-28"))
same(kb_athletes(q = "Day")$date_of_birth, as.Date("1967-03-28"))
same(kb_athletes(attributes = list(team = "red"))$height, 70)
same(kb_columns(activity = "lunge", q = "A_x")$captures, 3L)

# An export is a table and a file.
kb_upload(walk("out.trc", 5), activity = "golf", movement = "swing", athlete_ids = person$id)
same(kb_estimate_export(activity = "golf")$rows, 250L)
table <- kb_export(activity = "golf")
golf <- kb_captures(activity = "golf")$session_id
own <- kb_frames(golf)
for (name in names(own)) same(table[[name]], own[[name]])
same(class(table$capture_datetime), c("POSIXct", "POSIXt"))
same(unique(table$athlete_name), "Ann \u00c9mile")
same(nrow(kb_export(activity = "golf", shape = "captures", athletes = person$id)), 1L)
same(dim(kb_export(activity = "nonesuch")), c(0L, 12L))
same(unique(kb_export(captures = golf)$sessionid), golf)
stopifnot(grepl("captures must hold 1 to", conditionMessage(caught(kb_estimate_export(captures = character())))))
path <- file.path(folder, "golf.csv")
same(kb_save_export(path, activity = "golf")$rowCount, 250L)
same(nrow(read.csv(path)), 250L)
stopifnot("COMPLETED" %in% kb_exports()$status)
job <- kb_wait_for_export(kb_start_export(activity = "golf")$jobId)
kb_delete_export(job$jobId)
stopifnot(inherits(caught(kb_export_job(job$jobId)), "kb_not_found"))

# Two athletes become one.
one <- kb_create_athlete("One")
other <- kb_create_athlete("Other", last_name = "Rivera")
linked <- kb_upload(walk("one.trc", 2), athlete_ids = other$id)
merged <- kb_merge_athletes(one$id, from = other$id)
same(c(merged$id, merged$first_name, merged$last_name), c(one$id, "One", "Rivera"))
same(kb_capture(linked$session_id)$athlete_id, one$id)
stopifnot(inherits(caught(kb_athlete(other$id)), "kb_not_found"))

# An athlete's metrics are a table, wide or long.
jump <- kb_upload(walk("m.trc", 9), activity = "jump", movement = "broad", athlete_ids = person$id)
same(kb_metrics(person$id, activity = "jump")$session_id, jump$session_id)
stopifnot(c("metric", "value", "unit", "withheld") %in% names(kb_metrics(person$id, shape = "metrics")))

# A folder is sent, and what could not be read is said.
invisible(file.copy(walk("a.trc", 1), file.path(folder, "deep", "er", "a.trc")))
writeLines(c("name", "no numbers"), file.path(folder, "deep", "er", "b.csv"))
writeLines("no motion", file.path(folder, "deep", "notes.txt"))
sent <- kb_upload_folder(file.path(folder, "deep"), activity = "tennis")
same(basename(sent$path), c("a.trc", "b.csv"))
same(is.na(sent$error), c(TRUE, FALSE))
same(kb_capture(sent$session_id[2])$status, "error")

# Changes name what is new and what is gone.
gone <- kb_create_athlete("Gone")
before <- kb_changes(kinds = "athlete", page_size = 1)
stopifnot(all(c(person$id, gone$id) %in% before$changes$id))
same(nrow(kb_changes(before$cursor, kinds = "athlete")$changes), 0L)
stopifnot(inherits(caught(kb_changes(before$cursor)), "kb_gone"))
day <- kb_update_athlete(day$id, first_name = "Days")
kb_delete_athlete(gone$id)
after <- kb_changes(before$cursor, kinds = "athlete", objects = TRUE, wait = 30)
same(after$changes$id, c(day$id, gone$id))
same(after$changes$change, c("changed", "deleted"))
same(after$changes$object[[1]]$first_name, "Days")
stopifnot(inherits(caught(kb_athlete(gone$id)), "kb_not_found"))
kb_delete_capture(jump$session_id)
same(nrow(kb_captures(activity = "jump")), 0L)
unlink(folder, recursive = TRUE)
