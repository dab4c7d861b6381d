import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { LabelledCase } from './case.types.ts';

const Tags = v.record(v.string(), v.unknown());
const Case = v.object({
  case_id: v.string(),
  tier: v.picklist(['core', 'hard']),
  cls: v.string(),
  context: v.optional(v.object({ type: v.string(), request_album_id: v.optional(v.string()) })),
  files: v.array(
    v.object({
      file_id: v.string(),
      path: v.string(),
      duration_ms: v.optional(v.nullable(v.number())),
      tags: v.optional(Tags),
    }),
  ),
  truth: v.array(
    v.object({
      file_id: v.string(),
      track_id: v.nullable(v.string()),
      expect: v.picklist(['commit', 'review', 'reject']),
      also_ok: v.optional(v.array(v.string()), []),
    }),
  ),
});

/** The cases of a file, one JSON object a line. Throws with the line's number where one is not of the form. */
export function readCases(path: string): LabelledCase[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, number) => {
      if (line.trim() === '') return [];
      const parsed = v.safeParse(Case, JSON.parse(line));
      if (!parsed.success) throw new Error(`${path}, line ${number + 1}: ${parsed.issues[0].message}`);
      const { context, files, ...rest } = parsed.output;
      return [
        {
          ...rest,
          context: {
            type: context?.type === 'download_request' ? ('download_request' as const) : ('spontaneous' as const),
            ...(context?.request_album_id === undefined ? {} : { request_album_id: context.request_album_id }),
          },
          files: files.map((file) => ({ ...file, duration_ms: file.duration_ms ?? null, tags: file.tags ?? {} })),
        },
      ];
    });
}
