/** What is wrong with the editor's form, said at the field: the same bounds as the server's. */
import { parseLength, type AlbumDraft, type DraftErrors, type TrackDraft } from './album-draft.ts';

const LONGEST_TEXT = 1000;
const LARGEST = 9999;

/** Empty when the draft can be sent. */
export function checkDraft(draft: AlbumDraft): DraftErrors {
  const errors: DraftErrors = {};
  const say = (field: string, words: string | null): void => {
    if (words !== null) errors[field] = words;
  };
  say('title', text(draft.title, 'Say what the album is called.'));
  say('artist', text(draft.artist, 'Say who the album is by. "Various Artists" for a compilation.'));
  say('year', draft.year.trim() === '' ? null : whole(draft.year, 0, 'A year like 1997.'));
  if (draft.tracks.length === 0) say('tracks', 'Add at least one track: files are matched by their tracks.');
  const taken = new Map<string, number>();
  for (const [at, row] of draft.tracks.entries()) {
    for (const [field, words] of Object.entries(checkTrack(row))) say(`${row.key}.${field}`, words);
    const place = `${Number(row.disc)}/${Number(row.position)}`;
    const holder = taken.get(place);
    if (holder === undefined) taken.set(place, at);
    else if (errors[`${row.key}.position`] === undefined) {
      say(`${row.key}.position`, `Row ${holder + 1} has this position on this disc.`);
    }
  }
  return errors;
}

function checkTrack(row: TrackDraft): Record<string, string | null> {
  return {
    title: text(row.title, 'Give the track a title.'),
    disc: whole(row.disc, 0, 'A disc is a whole number.'),
    position: whole(row.position, 1, 'A position is a whole number from 1.'),
    length: Number.isNaN(parseLength(row.length)) ? 'A length looks like 4:07.' : null,
    artist: row.artist.length > LONGEST_TEXT ? tooLong() : null,
  };
}

function text(value: string, missing: string): string | null {
  if (value.trim() === '') return missing;
  return value.trim().length > LONGEST_TEXT ? tooLong() : null;
}

function tooLong(): string {
  return `At most ${LONGEST_TEXT} characters.`;
}

function whole(value: string, least: number, words: string): string | null {
  const number = Number(value);
  return /^\d{1,4}$/.test(value.trim()) && number >= least && number <= LARGEST ? null : words;
}

/**
 * The field that a server's message is about, or null. The server writes `body "year": ...`,
 * `body "tracks.3.title": ...` or `tracks[3] "position": ...`, counting from 0.
 */
export function fieldOfMessage(message: string, draft: AlbumDraft): string | null {
  const row = /^tracks\[(\d+)\] "(\w+)"/.exec(message) ?? /^body "tracks\.(\d+)\.(\w+)"/.exec(message);
  if (row !== null) {
    const track = draft.tracks[Number(row[1])];
    return track === undefined ? 'tracks' : `${track.key}.${TRACK_FIELDS[row[2] ?? ''] ?? 'title'}`;
  }
  return ALBUM_FIELDS[/^(?:body )?"(\w+)"/.exec(message)?.[1] ?? ''] ?? null;
}

/** The server's names of fields -> the form's. */
const ALBUM_FIELDS: Record<string, string> = {
  title: 'title',
  artist: 'artist',
  artist_id: 'artist',
  year: 'year',
  tracks: 'tracks',
};
const TRACK_FIELDS: Record<string, string> = {
  title: 'title',
  artist: 'artist',
  artist_id: 'artist',
  disc: 'disc',
  position: 'position',
  duration_ms: 'length',
};
