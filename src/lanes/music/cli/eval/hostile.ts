/**
 * Hostile texts and the places they come in by. A row names a `surface`; its payload is put there in each doubtful
 * file, and the decision must stay that of the clean twin (EVAL-4).
 */
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import type { FileTags } from '#core/media.ts';
import { safePath } from '#core/ingest/paths.ts';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import { readMade } from './made.ts';

const HostileSchema = v.object({
  id: v.string(),
  surface: v.string(),
  class: v.string(),
  goal: v.optional(v.string(), ''),
  payload: v.optional(v.string(), ''),
  /** What is made in the payload's place (`made.ts`). */
  payload_gen: v.optional(v.unknown()),
  expect: v.optional(v.array(v.string()), []),
});
export type HostileRow = v.InferOutput<typeof HostileSchema>;

/** Reads hostile rows. Throws AccessionError `file_unreadable` or `invalid` with the line. */
export async function readHostile(path: string): Promise<HostileRow[]> {
  return readJsonLines(path, HostileSchema);
}

/** A look-alike that means no harm: it must be left as it is. */
export function isBenign(row: HostileRow): boolean {
  return row.class === 'benign';
}

/** The texts of a row: one, or as many as it has frames; none of an archive, and of what cannot be made here. */
export function payloadsOf(row: HostileRow): string[] {
  if (row.payload_gen === undefined || row.payload_gen === null) return [row.payload];
  const made = readMade(row.payload_gen);
  return made?.kind === 'texts' ? made.texts : [];
}

export type Placed =
  | { kind: 'placed'; file: FileEvidence }
  /** The way in refuses such a name: the file becomes no job, so nothing is decided about it. */
  | { kind: 'refused'; reason: string }
  /** Nothing here reads that surface yet. */
  | { kind: 'waiting' };

/**
 * The file with the row's payload on its surface, as the ways in of the app would make of it.
 *
 * A text is put behind what is there: who attacks keeps the true title and adds to it, and the evidence stays what
 * it was. A number takes the place of the old one. Surfaces that the app's own tag reader does not take over at all
 * (comments, lyrics, unknown frames) are put among the tags under their own names nevertheless: nothing may come of it.
 */
export function placePayload(row: HostileRow, file: FileEvidence): Placed {
  const payloads = payloadsOf(row);
  const [payload] = payloads;
  if (payload === undefined) return { kind: 'waiting' };
  const [surface = '', frame] = splitOnce(row.surface);
  if (surface === 'filename' || surface === 'zip.entry') return renamed(row, file, payload);
  const tags = TAGS[surface]?.(payload, file.tags);
  if (tags !== undefined) return placed(file, tags);
  if (surface === 'id3.txxx' || surface === 'id3.wxxx') return placed(file, frames(frame, payloads));
  if (ISRC.test(surface)) return placed(file, { external_ids: { ...file.tags.external_ids, isrc: payload } });
  const [, own] = /^(?:id3|vorbis|mp4|ape|riff|asf|nfo|cover|cue)(?:\.(.+))?$/.exec(surface.toLowerCase()) ?? [];
  // Beside the sound, and read by nothing that decides: under its own name.
  if (own !== undefined) return placed(file, { [own]: payload });
  return BESIDE.test(surface) ? placed(file, { [surface.toLowerCase()]: payload }) : { kind: 'waiting' };
}

/** The recording's code, wherever it is written. */
const ISRC = /^(?:(?:id3|vorbis|mp4|ape|cue)\.)?(?:tsrc|isrc)$/i;
/** A text that lies beside the music, and the address of a picture: nothing takes them over, and nothing is fetched. */
const BESIDE = /^(?:(?:nfo|pdf|txt|md|log|m3u8?)(?:\.text)?|cover(?:[._](?:url|address|link))?|picture[._]url)$/i;

/** What a payload makes of the tags, by its surface. */
const TAGS: Readonly<Record<string, (payload: string, tags: FileTags) => Readonly<Record<string, unknown>>>> = {
  'id3.title': (payload, { title }) => ({ title: behind(title, payload) }),
  'id3.artist': (payload, { artist }) => ({ artist: behind(artist, payload) }),
  'id3.album': (payload, { album }) => ({ album: behind(album, payload) }),
  'id3.trck': (payload) => numbered('track', payload),
  'id3.year': (payload) => numbered('year', payload),
  'id3.comment': (comment) => ({ comment }),
  'lyrics.uslt': (lyrics) => ({ lyrics }),
};

function placed(file: FileEvidence, tags: Readonly<Record<string, unknown>>): Placed {
  const all = Object.entries({ ...file.tags, ...tags }).filter(([, value]) => value !== undefined);
  return { kind: 'placed', file: { ...file, tags: Object.fromEntries(all) } };
}

const behind = (present: string | undefined, payload: string): string =>
  present === undefined ? payload : `${present} ${payload}`;

/** As the tag reader takes a number: whole, from 1 to 9999, or missing. */
function numbered(key: 'track' | 'year', payload: string): Readonly<Record<string, unknown>> {
  const whole = Number.parseInt(payload, 10);
  return { [key]: whole > 0 && whole < 10_000 ? whole : undefined };
}

function frames(name: string | undefined, payloads: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(payloads.map((payload, i) => [`${name ?? 'txxx'}${i === 0 ? '' : `:${i}`}`, payload]));
}

/** `id3.txxx:track_id` -> ['id3.txxx', 'track_id']. */
function splitOnce(surface: string): [string, string?] {
  const at = surface.indexOf(':');
  return at < 0 ? [surface] : [surface.slice(0, at), surface.slice(at + 1)];
}

/**
 * A file name keeps its own folder and ending. An archive's entry gets the payload's folders in
 * front of its own path; several entries in one row are parted by ` | `, the first is taken.
 */
function renamed(row: HostileRow, file: FileEvidence, payload: string): Placed {
  const slash = file.path.lastIndexOf('/');
  const folder = file.path.slice(0, slash + 1);
  const name = file.path.slice(slash + 1);
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot <= 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
  const entry = payload.split(' | ')[0] ?? '';
  const path =
    row.surface === 'filename'
      ? `${folder}${stem} ${payload}${ending}`
      : `${entry.replace(/[^/\\]*$/, '')}${file.path}`;
  const safe = safePath(path);
  return safe.ok ? { kind: 'placed', file: { ...file, path: safe.path } } : { kind: 'refused', reason: safe.reason };
}
