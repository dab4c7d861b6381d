/** The case set of agent-eval: batches with the truth about each file. One JSON object a line. */
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import { contextOf } from '../match.ts';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import type { MatchContext } from '#lanes/music/core/match/match.types.ts';

const text = v.exactOptional(v.string());
const number = v.exactOptional(v.number());

/** Further tags (`comment`) are kept as they are: what the agent makes of them is part of what is measured. */
export const TagsSchema = v.looseObject({
  title: text,
  artist: text,
  album: text,
  albumartist: text,
  track: number,
  tracktotal: number,
  disc: number,
  disctotal: number,
  year: number,
  genre: text,
  compilation: v.exactOptional(v.boolean()),
  external_ids: v.exactOptional(v.record(v.string(), v.string())),
});

const CaseSchema = v.object({
  case_id: v.string(),
  cls: v.optional(v.string(), ''),
  files: v.array(
    v.object({
      file_id: v.string(),
      path: v.string(),
      /** Milliseconds. */
      duration_ms: v.nullish(v.number(), null),
      size_bytes: v.optional(v.number()),
      tags: v.optional(TagsSchema, {}),
    }),
  ),
  context: v.optional(
    v.object({
      type: v.string(),
      request_album_id: v.optional(v.string()),
      request_track_id: v.optional(v.string()),
    }),
    { type: 'spontaneous' },
  ),
  truth: v.array(
    v.object({
      file_id: v.string(),
      /** null: the catalog does not have it. */
      track_id: v.nullable(v.string()),
      also_ok: v.optional(v.array(v.string()), []),
    }),
  ),
});

/** What is true of one file: the tracks that are a right answer; none of them where the catalog does not have it. */
export type Truth = readonly string[];

export interface EvalCase {
  case_id: string;
  cls: string;
  files: FileEvidence[];
  context: MatchContext;
  /** By file. */
  truth: ReadonlyMap<string, Truth>;
}

/** Reads a case set. Throws AccessionError `file_unreadable` or `invalid` with the line. */
export async function readCases(path: string): Promise<EvalCase[]> {
  return (await readJsonLines(path, CaseSchema)).map((line) => ({
    case_id: line.case_id,
    cls: line.cls,
    files: line.files.map(evidenceOf),
    context: contextOf(line.context),
    truth: new Map(line.truth.map((one) => [one.file_id, one.track_id === null ? [] : [one.track_id, ...one.also_ok]])),
  }));
}

type CaseLine = v.InferOutput<typeof CaseSchema>;

function evidenceOf({ file_id, path, duration_ms, size_bytes, tags }: CaseLine['files'][number]): FileEvidence {
  const size = size_bytes === undefined ? {} : { size_bytes };
  return { file_id, path, duration_ms, ...size, tags };
}
