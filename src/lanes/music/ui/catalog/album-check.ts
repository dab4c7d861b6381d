/** What is wrong with the editor's form, said at the field: the same bounds as the server's. */
import { parseLength, type AlbumDraft, type TrackDraft } from './album-draft.ts';
import { textProblem, wholeProblem, type DraftErrors } from '#ui/editor/field-check.ts';

/** Empty when the draft can be sent. */
export function checkDraft(draft: AlbumDraft): DraftErrors {
  const errors: DraftErrors = {};
  const say = (field: string, words: string | null): void => {
    if (words !== null) errors[field] = words;
  };
  say('title', textProblem(draft.title, 'Say what the album is called.'));
  say('artist', textProblem(draft.artist, 'Say who the album is by. "Various Artists" for a compilation.'));
  say('year', draft.year.trim() === '' ? null : wholeProblem(draft.year, 0, 'A year like 1997.'));
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
    title: textProblem(row.title, 'Give the track a title.'),
    disc: wholeProblem(row.disc, 0, 'A disc is a whole number.'),
    position: wholeProblem(row.position, 1, 'A position is a whole number from 1.'),
    length: Number.isNaN(parseLength(row.length)) ? 'A length looks like 4:07.' : null,
    artist: textProblem(row.artist, null),
  };
}

/**
 * The field that a server's message is about, or null. The server writes `body "year": ...`,
 * `body "tracks.3.title": ...` or `tracks[3] "position": ...`, counting from 0.
 */
export function fieldOfMessage(message: string, draft: AlbumDraft): string | null {
  const row = /^tracks\[(\d+)\] "(\w+)"/.exec(message) ?? /^body "tracks\.(\d+)\.(\w+)"/.exec(message);
  if (row !== null) {
    const track = draft.tracks[Number(row[1])];
    return track === undefined ? 'tracks' : `${track.key}.${fieldAmong(TRACK_FIELDS, row[2]) ?? 'title'}`;
  }
  return fieldAmong(ALBUM_FIELDS, /^(?:body )?"(\w+)"/.exec(message)?.[1]) ?? null;
}

/** The server's names of fields -> the form's, where they differ. */
const RENAMED = new Map([
  ['artist_id', 'artist'],
  ['duration_ms', 'length'],
]);
const ALBUM_FIELDS = ['title', 'artist', 'year', 'tracks'];
const TRACK_FIELDS = ['title', 'artist', 'disc', 'position', 'length'];

function fieldAmong(fields: readonly string[], name = ''): string | undefined {
  return fields.find((field) => field === (RENAMED.get(name) ?? name));
}
