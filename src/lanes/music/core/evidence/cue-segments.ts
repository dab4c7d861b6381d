/** From a CUE sheet to the stretches of an album image, or why it is none. */
import type { FileTags } from '#core/media.ts';
import { clock } from '#core/text/duration.ts';
import { CUE_FRAMES, type CueSheet, type CueTrack } from './cue.ts';
import { baseName } from '#core/ingest/paths.ts';

/** A track of an album image. */
export interface CueSegment {
  /** Milliseconds into the file, not rounded: a frame is 13.333. The last one ends where the file does (null). */
  start_ms: number;
  end_ms: number | null;
  track: number;
  /** Tracks of the sheet. */
  of: number;
  tags: FileTags;
}

/** Shorter stretches are no tracks but a slip in the sheet. Milliseconds. */
const SHORTEST = 100;
/** Sound before the first track that is worth a word. Milliseconds. */
const HIDDEN = 2_000;

/**
 * The tracks of a file of `durationMs`: each from its INDEX 01 to the next one's, so that a pause belongs to the track
 * before it. `why` says what stands against it, a clause to follow "because "; `note` what a person may want to know.
 */
export function segmentsOf(
  sheet: CueSheet,
  durationMs: number,
): { segments: CueSegment[]; note: string | null } | { why: string } {
  const files = sheet.files.filter(({ tracks }) => tracks.length > 0);
  const tracks = (files[0]?.tracks ?? []).filter(({ audio }) => audio);
  if (files.length > 1) return { why: `it describes ${files.length} files, not one` };
  if (tracks.length < 2) return { why: 'it has only one track' };
  const starts: number[] = [];
  for (const { number, start } of tracks) {
    if (start === null) return { why: `its track ${number} does not say where it begins (INDEX 01)` };
    const ms = (start * 1000) / CUE_FRAMES;
    const before = starts.at(-1);
    if (before !== undefined && ms < before + SHORTEST)
      return { why: `its track ${number} begins at ${clock(ms)}, not after the track before it` };
    if (ms + SHORTEST > durationMs)
      return { why: `its track ${number} begins at ${clock(ms)}, but the file is ${clock(durationMs)} long` };
    starts.push(ms);
  }
  const first = starts[0] ?? 0;
  return {
    segments: tracks.map((track, at) => ({
      start_ms: starts[at] ?? 0,
      end_ms: starts[at + 1] ?? null,
      track: track.number,
      of: tracks.length,
      tags: tagsOf(sheet, track, tracks.length),
    })),
    note: first > HIDDEN ? `The first ${clock(first)} of the file are in none of its tracks.` : null,
  };
}

/** What the sheet says of a file that is one track of it; null when it says nothing of it. */
export function tagsOfFile(sheet: CueSheet, name: string): FileTags | null {
  const files = sheet.files.filter(({ tracks }) => tracks.length > 0);
  const file = files.find((one) => sameStem(one.name, name));
  const [track] = file?.tracks ?? [];
  if (files.length < 2 || !track || file?.tracks.length !== 1) return null;
  return tagsOf(sheet, track, files.length);
}

/** True for a name and the same with another ending, in any case, whatever folder stands before it. */
export function sameStem(one: string, other: string): boolean {
  return stem(one) !== '' && stem(one) === stem(other);
}

function stem(name: string): string {
  return baseName(name.replaceAll('\\', '/'))
    .replace(/\.[^.]{1,5}$/, '')
    .normalize('NFC')
    .trim()
    .toLowerCase();
}

function tagsOf(sheet: CueSheet, track: CueTrack, of: number): FileTags {
  const tags: FileTags = { track: track.number, tracktotal: of };
  const text = (
    key: 'title' | 'artist' | 'album' | 'albumartist' | 'genre',
    value: string | null | undefined,
  ): void => {
    if (value) tags[key] = value.slice(0, 1000);
  };
  const number = (key: 'disc' | 'disctotal' | 'year', value: string | undefined, pattern: RegExp): void => {
    const whole = Number.parseInt(pattern.exec(value ?? '')?.[0] ?? '', 10);
    if (whole > 0) tags[key] = whole;
  };
  text('title', track.title);
  text('artist', track.performer ?? sheet.performer);
  text('album', sheet.title);
  text('albumartist', sheet.performer);
  text('genre', sheet.rem.get('GENRE'));
  number('year', sheet.rem.get('DATE') ?? sheet.rem.get('YEAR'), /\d{4}/);
  number('disc', sheet.rem.get('DISCNUMBER'), /^\d{1,3}/);
  number('disctotal', sheet.rem.get('TOTALDISCS'), /^\d{1,3}/);
  const ids: Record<string, string> = {};
  if (track.isrc !== null) ids['isrc'] = track.isrc;
  if (sheet.barcode !== null) ids['barcode'] = sheet.barcode;
  if (Object.keys(ids).length > 0) tags.external_ids = ids;
  return tags;
}
