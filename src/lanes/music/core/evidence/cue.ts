/** CUE sheets: which stretch of which file is which track, or why it is none. Lines that are not known are left out. */
import type { FileTags } from '#core/media.ts';
import type { Segment } from './evidence.ts';
import { clock } from '#core/text/duration.ts';
import { baseName } from '#core/ingest/paths.ts';

/** Frames of a CUE sheet in a second. */
const CUE_FRAMES = 75;

interface CueTrack {
  number: number;
  /** False for a data track. */
  audio: boolean;
  title: string | null;
  performer: string | null;
  isrc: string | null;
  /** Where it begins (INDEX 01) in its file, in frames of 1/75 s; null when the sheet does not say. */
  start: number | null;
}

export interface CueFile {
  /** As the sheet calls it; often with another ending than the file has. */
  name: string;
  tracks: CueTrack[];
}

export interface CueSheet {
  title: string | null;
  performer: string | null;
  /** CATALOG: the barcode. */
  barcode: string | null;
  /** REM fields by their upper-case name: DATE, GENRE, DISCNUMBER, TOTALDISCS, DISCID, ... */
  rem: Map<string, string>;
  files: CueFile[];
}

/** A CD has 99 tracks at most. */
const MOST_TRACKS = 99;
const MOST_LINES = 20_000;

/** Null when nothing in the text is a CUE sheet's. A byte order mark may be before it. */
export function parseCue(text: string): CueSheet | null {
  const sheet: CueSheet = { title: null, performer: null, barcode: null, rem: new Map(), files: [] };
  let file: CueFile | null = null;
  let track: CueTrack | null = null;
  let count = 0;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/, MOST_LINES)) {
    const [command = '', ...words] = wordsOf(line);
    const value = (words[0] ?? '').trim();
    switch (command.toUpperCase()) {
      case 'FILE':
        file = { name: fileName(line, words), tracks: [] };
        sheet.files.push(file);
        break;
      case 'TRACK': {
        if (count >= MOST_TRACKS) return sheet;
        const number = Number.parseInt(value, 10);
        // A sheet in a file's own tags may leave its name out: there is only one.
        if (file === null) sheet.files.push((file = { name: '', tracks: [] }));
        const audio = (words[1] ?? 'AUDIO').toUpperCase() === 'AUDIO';
        track = {
          number: number > 0 ? number : count + 1,
          audio,
          title: null,
          performer: null,
          isrc: null,
          start: null,
        };
        file.tracks.push(track);
        count += 1;
        break;
      }
      case 'INDEX':
        if (track !== null && Number.parseInt(value, 10) === 1) {
          track.start ??= framesOf(words[1] ?? '');
          track = settle(sheet, track, file);
        }
        break;
      case 'TITLE':
        (track ?? sheet).title ??= orNull(value);
        break;
      case 'PERFORMER':
        (track ?? sheet).performer ??= orNull(value);
        break;
      case 'ISRC':
        if (track !== null) track.isrc ??= orNull(value);
        break;
      case 'CATALOG':
        sheet.barcode ??= /^\d{8,14}$/.test(value) && !/^0+$/.test(value) ? value : null;
        break;
      case 'REM':
        if (words[1] !== undefined && !sheet.rem.has(value.toUpperCase()))
          sheet.rem.set(value.toUpperCase(), words.slice(1).join(' ').trim());
        break;
    }
  }
  return sheet.files.some(({ tracks }) => tracks.length > 0) ? sheet : null;
}

/**
 * A track belongs to the file in which it begins: where the pause before it (INDEX 00) ends the file before, its own
 * FILE is between its TRACK and its INDEX 01.
 */
function settle(sheet: CueSheet, track: CueTrack, file: CueFile | null): CueTrack {
  if (file === null || file.tracks.includes(track)) return track;
  for (const other of sheet.files) other.tracks = other.tracks.filter((one) => one !== track);
  file.tracks.push(track);
  return track;
}

/** Words between blanks; what is in quotes is one, whatever is in it. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"?|(\S+)/g)].map((found) => found[1] ?? found[2] ?? '');
}

/** Names without quotes may have blanks: all between the command and the type. */
function fileName(line: string, words: readonly string[]): string {
  if (line.includes('"') || words.length < 3) return words[0] ?? '';
  return words.slice(0, -1).join(' ');
}

/** `mm:ss:ff`; null for what is none. Minutes may be more than an hour. */
function framesOf(text: string): number | null {
  const found = /^(\d{1,4}):(\d{1,2}):(\d{1,2})$/.exec(text);
  if (!found) return null;
  const [minutes = 0, seconds = 0, frames = 0] = found.slice(1).map(Number);
  return seconds < 60 && frames < CUE_FRAMES ? (minutes * 60 + seconds) * CUE_FRAMES + frames : null;
}

function orNull(value: string): string | null {
  return value === '' ? null : value;
}

/** A track of an album image. */
type CueSegment = Omit<Segment, 'file' | 'content'>;

/** Shorter stretches are no tracks but a slip in the sheet. Milliseconds. */
const SHORTEST = 100;
/** Sound before the first track that is worth a word. Milliseconds. */
const HIDDEN = 2_000;

/**
 * The tracks of a file of `durationMs`: each from its INDEX 01 to the next one's, so that a pause belongs to the track
 * before it. `why` says what contradicts it, a clause to follow "because "; `note` what a person may want to know.
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

/** True for a name and the same with another ending, in any case, whatever folder is before it. */
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
