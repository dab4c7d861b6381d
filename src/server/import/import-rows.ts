/** The rows of an import, checked one by one; what is wrong is collected by row, so that a person can mend the file. */
import * as v from 'valibot';
import { AlbumSchema, ArtistSchema, TrackSchema } from '#core/sync/protocol.ts';
import { HttpError } from '../http/http-error.ts';

export type ArtistInput = v.InferOutput<typeof ArtistSchema>;
export type AlbumInput = v.InferOutput<typeof AlbumSchema>;
export type TrackInput = v.InferOutput<typeof TrackSchema>;

export interface ImportFile {
  artists: ArtistInput[];
  albums: AlbumInput[];
  tracks: TrackInput[];
}

/** One thing wrong with the file. */
export interface Problem {
  /** `conflict` for what stands there twice, `invalid` for everything else. */
  code: 'invalid' | 'conflict';
  /** `tracks[17] "id": why`. */
  message: string;
}

/** Problems that an answer names; the rest is counted. */
const NAMED_PROBLEMS = 20;

/** Checks what a row can say about itself, and that no id stands there twice. */
export function checkRows(file: { artists: unknown[]; albums: unknown[]; tracks: unknown[] }): {
  rows: ImportFile;
  problems: Problem[];
} {
  const problems: Problem[] = [];
  const rows: ImportFile = {
    artists: checkList('artists', ArtistSchema, file.artists, problems),
    albums: checkList('albums', AlbumSchema, file.albums, problems),
    tracks: checkList('tracks', TrackSchema, file.tracks, problems),
  };
  return { rows, problems };
}

/** The rows of one list that are right; what is wrong with the others is added to `problems`. */
export function checkList<S extends v.GenericSchema<unknown, { id: string }>>(
  list: string,
  schema: S,
  rows: readonly unknown[],
  problems: Problem[],
): v.InferOutput<S>[] {
  const good: v.InferOutput<S>[] = [];
  const seen = new Map<string, number>();
  rows.forEach((row, at) => {
    const result = v.safeParse(schema, row, { abortEarly: true });
    if (!result.success) {
      problems.push({ code: 'invalid', message: describeIssue(`${list}[${at}]`, result.issues[0]) });
      return;
    }
    const first = seen.get(result.output.id);
    if (first !== undefined) {
      problems.push({
        code: 'conflict',
        message: `${list}[${at}] "id": "${result.output.id}" stands in ${list}[${first}] already`,
      });
      return;
    }
    seen.set(result.output.id, at);
    good.push(result.output);
  });
  return good;
}

/** `where "field": why`. */
export function describeIssue(where: string, issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  return `${where}${path === null ? '' : ` "${path}"`}: ${issue.message}`;
}

/** Throws HttpError 422 `invalid` or 409 `conflict` that names the problems, if there are any. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const named = problems.slice(0, NAMED_PROBLEMS).map((problem) => problem.message);
  const rest = problems.length - named.length;
  const message = `Nothing was imported. ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
  const conflict = problems.every((problem) => problem.code === 'conflict');
  throw new HttpError(conflict ? 'conflict' : 'invalid', message, { status: conflict ? 409 : 422 });
}
