/**
 * What every recipe stands on, in R: `.run` calls a recipe with its input and answers JSON, so that one text crosses the border
 * with every digit of every number. `I(...)` marks a list of JSON, a named list is an object, a single value itself.
 */
export const PRELUDE = String.raw`
.text <- function(x) {
  x <- gsub("\\", "\\\\", enc2utf8(x), fixed = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE)
  x <- gsub("\t", "\\t", gsub("\n", "\\n", x, fixed = TRUE), fixed = TRUE)
  paste0("\"", gsub("[[:cntrl:]]", " ", x), "\"")
}
.one <- function(x) {
  if (is.null(x) || is.na(x)) "null"
  else if (is.logical(x)) if (x) "true" else "false"
  else if (is.numeric(x)) if (is.finite(x)) sprintf("%.17g", as.numeric(x)) else "null"
  else .text(as.character(x))
}
.json <- function(x) {
  if (is.null(x)) return("null")
  if (is.list(x) && !is.null(names(x)))
    return(paste0("{", paste0(.text(names(x)), ":", vapply(x, .json, ""), collapse = ","), "}"))
  if (is.list(x)) return(paste0("[", paste(vapply(x, .json, ""), collapse = ","), "]"))
  if (inherits(x, "AsIs") || length(x) != 1)
    return(paste0("[", paste(vapply(unclass(x), .one, "", USE.NAMES = FALSE), collapse = ","), "]"))
  .one(x)
}
refuse <- function(field, message)
  stop(structure(class = c("refused", "error", "condition"), list(message = message, call = NULL, field = field)))
.run <- function(recipe, input) {
  said <- character()
  out <- tryCatch(
    withCallingHandlers(list(value = recipe(input)), warning = function(w) {
      said <<- c(said, conditionMessage(w))
      invokeRestart("muffleWarning")
    }),
    refused = function(e) list(field = e$field, message = conditionMessage(e)),
    error = function(e) list(field = NULL, message = conditionMessage(e)))
  if (!is.null(out$value)) out$value$warnings <- I(unique(c(out$value$warnings, said)))
  .json(out)
}
`;
