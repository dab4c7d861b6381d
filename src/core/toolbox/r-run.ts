/** `r_run`: code of R, off unless a person agreed to its hash. What it left behind ends with it: the next call has a new R. */
import * as v from 'valibot';
import { toBase64 } from './base64.ts';
import { CODE_FIELDS, FigureFileSchema } from './free-code.ts';
import { toolboxTool } from './tool.ts';

const InputSchema = v.strictObject(CODE_FIELDS);

/** By this name the engine knows that R is not what it was. Our own recipe: the code is its argument. */
const RECIPE = String.raw`function(input) {
  plain <- function(x) {
    if (is.null(x)) return(NULL)
    if (is.factor(x)) x <- as.character(x)
    if (is.function(x) || is.environment(x) || is.language(x) || isS4(x)) return(paste(capture.output(print(x)), collapse = "\n"))
    if (is.data.frame(x)) return(lapply(as.list(x), function(column) I(if (is.list(column)) vapply(column, toString, "") else if (is.factor(column) || !is.atomic(column)) as.character(column) else column)))
    if (is.matrix(x) && is.atomic(x)) return(unname(lapply(seq_len(nrow(x)), function(row) I(as.vector(x[row, ])))))
    if (is.list(x) && !is.null(class(x)) && is.object(x)) return(paste(capture.output(print(x)), collapse = "\n"))
    if (is.list(x)) return(lapply(x, plain))
    if (is.complex(x) || is.raw(x) || inherits(x, c("Date", "POSIXt", "difftime"))) x <- as.character(x)
    if (length(x) == 1) x[[1]] else as.vector(x)
  }
  place <- tempfile("figures"); dir.create(place)
  options(device = function(...) pdf(file.path(place, "figure-%02d.pdf"), onefile = FALSE, timestamp = FALSE, producer = FALSE))
  on.exit(while (dev.cur() > 1) dev.off(), add = TRUE)
  names <- new.env(parent = globalenv()); names$data <- input$data
  value <- NULL
  ran <- function(given) tryCatch(given, error = function(e) refuse("code", conditionMessage(e)))
  lines <- ran(parse(text = input$code, keep.source = FALSE))
  printed <- capture.output(for (at in seq_along(lines)) {
    done <- ran(withVisible(eval(lines[[at]], names)))
    value <- done$value
    if (done$visible && at < length(lines)) print(done$value)
  })
  while (dev.cur() > 1) dev.off()
  files <- list.files(place, full.names = TRUE)
  figures <- lapply(files, function(path) list(name = basename(path), hex = paste(readBin(path, "raw", 1e7), collapse = "")))
  list(value = plain(value), output = paste(c(printed, ""), collapse = "\n"), figures = figures)
}`;

export const rRun = toolboxTool<v.InferOutput<typeof InputSchema>>({
  name: 'r_run',
  description:
    'Runs R (its base packages): code, data (JSON, as the name "data"). The last expression is the value, what it draws a PDF each. Each code must be agreed to by a person.',
  runtime: 'r',
  bounds: { memoryMb: 1024 },
  input: InputSchema,
  output: v.looseObject({ value: v.unknown(), output: v.string(), figures: v.array(FigureFileSchema) }),
  example: { code: 'x <- unlist(data)\nmean(x) / sd(x)', data: [1, 2, 3] },
  code: ({ code }) => code,
  job: (input) => ({ program: RECIPE, data: input, free: true }),
  unread: ['figures'],
  finish: ({ figures, ...value }) => ({
    ...value,
    figures: (Array.isArray(figures) ? figures : []).map(({ name, hex }: { name: string; hex: string }) => ({
      name,
      base64: toBase64(ofHex(hex)),
    })),
  }),
});

const ofHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
