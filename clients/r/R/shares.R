# Links that show captures to people without an account, and what they show.

kb_shares <- function(client = kb_client()) {
  said <- get_json(client, "/shares")$shares
  flat <- lapply(said, function(share) share[setdiff(names(share), "progress")])
  shares <- rows_frame(flat, setdiff(always$share, "progress"), kinds$time)
  shares$captures <- lapply(shares$captures, as.character) # a share has several
  shares$progress <- lapply(said, function(share) share$progress)
  shares
}

kb_create_share <- function(captures = NULL, kind = NULL, name = NULL, view = NULL, names = NULL, expires_at = NULL,
                            progress = NULL, client = kb_client()) {
  post_json(client, "/shares", given(list(captures = names_of(captures), kind = kind, progress = progress,
                                          name = name, view = view, names = names, expires_at = expires_at)))
}

kb_delete_share <- function(id, client = kb_client()) {
  delete(client, paste0("/shares/", segment(id)))
}

# A client for who has the secret of a link: calls go below /shared, with the secret in the place of a token.
kb_visit <- function(secret, url = Sys.getenv("KINEBASE_URL"), ...) {
  client <- kb_client(url, secret, ...)
  client$url <- paste0(client$url, "/shared")
  client$token <- ""
  client$secret <- secret
  client
}

kb_shared <- function(client) {
  said <- get_json(client, "/")
  said$captures <- rows_frame(said$captures, always$capture)
  said
}

kb_skeletons <- function(client = kb_client()) {
  lapply(get_json(client, "/skeletons")$skeletons, function(set) {
    bones <- vapply(set$bones, function(bone) c(bone[[1]], bone[[2]]), c("", ""))
    list(name = set$name, bones = data.frame(from = as.character(bones[1, ]), to = as.character(bones[2, ])))
  })
}
