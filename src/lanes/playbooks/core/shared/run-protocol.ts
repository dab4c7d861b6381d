/**
 * Runs of a catalog server, on the wire. The server keeps them and computes nothing: a worker takes one under a lease, writes
 * its journal and files there, and says how it ended; a lease that is not renewed ends, and the next worker goes on.
 */
import * as v from 'valibot';
import { isPattern } from '#core/domains.ts';
import { Count, IdSchema, listOf, Text, Time } from '#core/sync/fields.ts';
import { END_STATES } from '../run/states.ts';
import { LIMIT_KEYS } from '../read/playbook.types.ts';

/** Bytes of a playbook with its config and files. */
export const MOST_RUN_BYTES = 16 * 1024 * 1024;
/** Characters of a file that a run is begun with. */
const MOST_FILE_TEXT = 1_500_000;
/** Files that a run is begun with. */
export const MOST_RUN_FILES = 1000;
/** Runs of a person that have no end. */
export const MOST_RUNS_WAITING = 20;
/** Bytes of all that runs of a person have here. */
export const MOST_RUN_BYTES_KEPT = 1024 * 1024 * 1024;
/** Bytes of what a worker sends at once. */
export const MOST_PIECE_BYTES = 10 * 1024 * 1024;
/** Characters of a text, and texts, of one piece of a file or a journal. */
const TEXT_LENGTH = 100_000;
const TEXTS = 15;
/** Faults and units left out that an end tells of: all of them stand in the journal. */
export const MOST_SAID = 200;
const MOST_WORDS = 1000;

const Mapping = v.record(v.string(), v.unknown());
const Path = Text(1000);
const Limits = v.record(v.picklist(LIMIT_KEYS), v.pipe(v.number(), v.finite(), v.minValue(0)));
const Worker = Text(100);
const StepKeys = v.strictObject({
  verbosity: v.exactOptional(v.unknown()),
  max_requery_iterations: v.exactOptional(v.unknown()),
  agent: v.exactOptional(Mapping),
});
/** Steps of which none is taken over: one and all after it, and some by their names. */
const AgainSchema = v.strictObject({
  from: v.exactOptional(Text(200)),
  steps: v.exactOptional(v.pipe(v.array(Text(200)), v.maxLength(50))),
});
const Domains = v.pipe(v.array(v.pipe(Text(253), v.check(isPattern, 'is no domain'))), v.maxLength(100));

export const NewRunSchema = v.object({
  /** As lists show it; the playbook's own name without it. */
  name: v.exactOptional(Text(200)),
  playbook: v.pipe(v.string(), v.maxLength(256 * 1024)),
  config: v.exactOptional(Mapping),
  /** As `--set` says them. */
  set: v.exactOptional(Mapping),
  /** Texts that its steps read, by their paths below the root. */
  files: v.exactOptional(
    v.pipe(
      v.array(v.object({ path: Path, text: v.pipe(v.string(), v.maxLength(MOST_FILE_TEXT)) })),
      v.maxLength(MOST_RUN_FILES),
    ),
  ),
  limits: v.exactOptional(Limits),
  parallel: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(8))),
  seed: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31 - 1))),
  /** As `--step` says them: `verbosity`, `max_requery_iterations` and `agent` of all steps that ask a model. */
  step: v.exactOptional(StepKeys),
  /** Patterns of hosts that its steps may ask: who begins it agrees to them. The worker lets through what it may ask itself. */
  domains: v.exactOptional(Domains),
  /** A run of the same person whose units are taken over. */
  reuse: v.exactOptional(IdSchema),
  /** Of these steps everything is asked anew, as `--from` and `--again` say them. */
  again: v.exactOptional(AgainSchema),
});
export type NewRun = v.InferOutput<typeof NewRunSchema>;

const Words = v.pipe(
  v.string(),
  v.transform((words) => words.slice(0, MOST_WORDS)),
);
const FaultSchema = v.object({
  ...{ code: Words, key: Words, step: v.nullable(Words), message: Words, remedy: Words },
  at: v.nullable(v.object({ line: Count, column: Count })),
});
const SkippedSchema = v.object({ step: Words, unit: Count, code: Words, message: Words });

/** How a run ended. `faults`: why it was refused. */
export const RunEndSchema = v.object({
  state: v.picklist(END_STATES),
  error: v.nullable(FaultSchema),
  skipped: v.pipe(v.array(SkippedSchema), v.maxLength(MOST_SAID)),
  faults: v.pipe(v.array(FaultSchema), v.maxLength(MOST_SAID)),
});
export type SaidEnd = v.InferOutput<typeof RunEndSchema>;

export const SHARED_STATES = ['waiting', 'running', ...END_STATES] as const;
export const SharedRunSchema = v.object({
  id: IdSchema,
  user_id: v.string(),
  name: v.string(),
  state: v.picklist(SHARED_STATES),
  /** It is to be cancelled, and its worker has not said yet that it is. */
  cancelling: v.boolean(),
  created_at: Time,
  updated_at: Time,
  /** Who works on it now. */
  worker: v.nullable(v.string()),
  bytes: Count,
  end: v.nullable(RunEndSchema),
});
export type SharedRun = v.InferOutput<typeof SharedRunSchema>;
export const SharedRunsSchema = listOf(SharedRunSchema);

export const RunFilesSchema = v.object({
  /** `made`: a step wrote it. */
  items: v.array(v.object({ path: v.string(), bytes: Count, made: v.boolean() })),
});

export const ResumeRunSchema = v.object({ limits: v.exactOptional(Limits) });
export const NothingSchema = v.object({});

/** What a worker asks for. */
export const TakeRunSchema = v.object({
  worker: Worker,
  /** false: it has no tools, and takes no run whose steps name some. */
  tools: v.exactOptional(v.boolean()),
});
export const TakenRunSchema = v.object({
  run: v.nullable(
    v.object({
      lease_id: IdSchema,
      /** How long it holds without being renewed, milliseconds. */
      lease_ms: Count,
      id: IdSchema,
      name: v.string(),
      playbook: v.string(),
      config: Mapping,
      set: Mapping,
      /** A server of before says none of these three. */
      step: v.optional(Mapping, {}),
      again: v.optional(AgainSchema, {}),
      domains: v.optional(v.array(v.string()), []),
      limits: Limits,
      parallel: v.nullable(Count),
      seed: Count,
      reuse: v.nullable(v.string()),
      /** Pieces of its journal that are there: 0, it was not begun. */
      pieces: Count,
    }),
  ),
});
export type TakenRun = NonNullable<v.InferOutput<typeof TakenRunSchema>['run']>;

const Texts = v.pipe(v.array(v.pipe(v.string(), v.maxLength(TEXT_LENGTH))), v.minLength(1), v.maxLength(TEXTS));
/** Pieces of the journal from this one on are replaced by the texts. Lines may go on in the next piece. */
export const LinesSchema = v.object({ n: Count, texts: Texts });
/** Parts of a file from this one on are replaced by the texts: 0 is the whole file. */
export const FilePartSchema = v.object({ path: Path, part: Count, texts: Texts });

/** A text as pieces of texts, as they are sent; one at least. No sign is cut in two. */
export function piecesOf(text: string): string[][] {
  const texts: string[] = [];
  let from = 0;
  do {
    let to = Math.min(text.length, from + TEXT_LENGTH);
    if (to < text.length && /[\ud800-\udbff]/.test(text[to - 1] ?? '')) to -= 1;
    texts.push(text.slice(from, to));
    from = to;
  } while (from < text.length);
  return Array.from({ length: Math.ceil(texts.length / TEXTS) }, (_, at) => texts.slice(at * TEXTS, (at + 1) * TEXTS));
}

/** What a worker hears with each answer. */
export const HeardSchema = v.object({ cancel: v.boolean() });
export const FileFoundSchema = v.object({ text: v.nullable(v.string()) });
