/** A pasted list of tracks, one a line, in the forms that people copy from booklets, shops and wikis. */
import { bareTitle, numberOfLine } from '#ui/editor/list-lines.ts';
import { emptyTrack, parseLength, type TrackDraft } from './album-draft.ts';

const DISC_LINE = /^(?:disc|disk|cd|dvd|side|lp)\s*#?\s*(\d{1,2}|[a-d])\b[^\d]*$/i;
/** `1-02 `, `1.02 `, `2x05 `: disc and position. */
const DISC_AND_NUMBER = /^(\d{1,2})[-.x](\d{2})(?:[.):\s-]+|\t)/i;
const LENGTH_AT_END = /[\s([–—-]+((?:\d{1,2}:)?\d{1,3}:[0-5]\d)[)\]]?\s*$/;

/**
 * The tracks of a list. Numbers and lengths are taken off the lines; a line `Disc 2` begins a disc.
 * A line without a number follows the one before it.
 */
export function parseTrackList(text: string): TrackDraft[] {
  const rows: TrackDraft[] = [];
  let disc = 1;
  let next = 1;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (line === '') continue;
    const heading = DISC_LINE.exec(line);
    if (heading !== null) {
      // Sides of a record count on; discs begin anew.
      if (/^\d/.test(heading[1] ?? '') && !/^side/i.test(line)) {
        disc = Number(heading[1]);
        next = 1;
      }
      continue;
    }
    const row = parseLine(line, disc, next);
    if (row === null) continue;
    rows.push(row);
    disc = Number(row.disc);
    next = Number(row.position) + 1;
  }
  return rows;
}

function parseLine(line: string, disc: number, next: number): TrackDraft | null {
  let rest = line;
  let position = next;
  let on = disc;
  const both = DISC_AND_NUMBER.exec(rest);
  const one = numberOfLine(rest, next);
  if (both !== null) {
    on = Number(both[1]);
    position = Number(both[2]);
    rest = rest.slice(both[0].length);
  } else if (one !== null) {
    position = one.number;
    rest = one.rest;
  }
  const length = LENGTH_AT_END.exec(` ${rest}`);
  if (length !== null) rest = ` ${rest}`.slice(0, length.index);
  const title = bareTitle(rest);
  if (title === '') return null;
  const ms = parseLength(length?.[1] ?? '');
  return {
    ...emptyTrack(String(on), String(Math.max(1, position))),
    title,
    length: length?.[1] ?? '',
    ms: Number.isNaN(ms) ? null : ms,
  };
}
