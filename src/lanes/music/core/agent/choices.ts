/** What the model may choose from: the matcher's candidates, then what the searches brought. */
import type { Choice, ToolResult, Brief } from '#core/agent/workflow/definition.ts';
import { clock } from '#core/text/duration.ts';
import { signedSeconds } from '../match/reasons.ts';
import { textKey } from '#core/text/similarity.ts';
import { editionsIn } from '../names/versions.ts';
import { albumFacts, type AlbumFacts, readFile, titleLikeness, type ReadFile } from './read-file.ts';
import type { Doubt } from './doubt.ts';
import { knownAlbums, shownBy, type Shown } from './gather.ts';
import { quiet } from '#core/agent/prompt/instruction-text.ts';
import type { AlbumTracks, TrackShape } from './tools.ts';

/** Letters that a small model can keep apart. */
const MOST_CHOICES = 8;
/** The specification's bound of the lengths that are compared, milliseconds. */
const NEAR_LENGTH = 5000;
/** A title of less likeness is another one. */
const NEAR_TITLE = 0.6;

export function choicesOf(doubt: Doubt, results: readonly ToolResult[]): Choice[] {
  const shown = shownBy(results);
  const files = doubt.files.map(readFile);
  const [only] = files;
  const byTrack = doubt.kind === 'track' || (doubt.kind === 'no_match' && files.length === 1);
  const tracks = byTrack && only ? trackChoices(doubt, only, shown) : [];
  const choices = tracks.length > 0 ? tracks : doubt.kind === 'track' ? [] : albumChoices(doubt, files, shown);
  // What is asked about is in doubt, however far one album is ahead of the others.
  return choices
    .slice(0, MOST_CHOICES)
    .map((choice) => ({ ...choice, confidence: Math.min(choice.confidence, doubt.threshold) }));
}

function trackChoices(doubt: Doubt, file: ReadFile, shown: Shown): Choice[] {
  const matched = doubt.tracks.map((option) =>
    trackChoice(file, { ...option, id: option.track_id }, option.confidence),
  );
  const known = new Set(doubt.tracks.map((option) => option.track_id));
  const all = [...shown.tracks, ...shown.read.flatMap(({ tracks }) => tracks)];
  const first = new Map(all.map((track, at) => [track.id, at] as const).reverse());
  const others = all.filter((track, at) => {
    if (known.has(track.id) || first.get(track.id) !== at) return false;
    const near =
      file.duration_ms === null ||
      track.duration_ms === null ||
      Math.abs(file.duration_ms - track.duration_ms) <= NEAR_LENGTH;
    return near && titleLikeness(file, textKey(track.title)) >= NEAR_TITLE;
  });
  const found = others.map((track) => trackChoice(file, track, 0.4 * titleLikeness(file, textKey(track.title))));
  return [...matched, ...found.sort((a, b) => b.confidence - a.confidence)];
}

function trackChoice(file: ReadFile, track: TrackShape, confidence: number): Choice {
  const off =
    file.duration_ms === null || track.duration_ms === null ? null : (file.duration_ms - track.duration_ms) / 1000;
  return {
    option_id: `track:${track.id}`,
    label: quiet(track.title) ?? '?',
    confidence,
    facts: {
      artist: quiet(track.artist),
      album: quiet(track.album),
      track: track.disc > 1 ? `disc ${track.disc}, ${track.position}` : String(track.position),
      length: clock(track.duration_ms),
      length_differs: off === null ? null : signedSeconds(off),
      title_alike: percent(file.titles.length === 0 ? null : titleLikeness(file, textKey(track.title))),
    },
  };
}

const percent = (share: number | null): string | null => (share === null ? null : `${Math.round(share * 100)} %`);

function albumChoices(doubt: Doubt, files: readonly ReadFile[], shown: Shown): Choice[] {
  const read = new Map(shown.read.map((album) => [album.album.id, album]));
  const requested = new Set(
    shown.requests.filter(({ id }) => id === doubt.context.request_id).flatMap(({ album_id }) => album_id ?? []),
  );
  const choice = (
    id: string,
    album: Pick<Doubt['albums'][number], 'title' | 'artist' | 'year' | 'track_count'>,
    confidence: number,
    fit: { fitting: number; timed: number | null; more: Choice['facts'] },
    list: AlbumTracks | undefined,
  ): Choice => ({
    option_id: `album:${id}`,
    label: quiet(album.title) ?? '?',
    confidence,
    facts: {
      artist: quiet(album.artist),
      year: album.year,
      tracks: album.track_count,
      files_that_fit: `${fit.fitting} of ${files.length}`,
      lengths_that_fit: percent(fit.timed),
      ...fit.more,
      edition: editionOf(album.title),
      ...(requested.has(id) ? { requested: 'yes' } : {}),
      ...(list ? { track_list: trackList(list) } : {}),
    },
  });
  const matched = doubt.albums.map((option) => {
    const fit = { fitting: option.tracks_fitting, timed: option.duration_share, more: {} };
    return choice(option.album_id, option, option.confidence, fit, read.get(option.album_id));
  });
  const known = new Set(knownAlbums(doubt));
  const found = shown.read
    .filter(({ album }) => !known.has(album.id))
    .map((album) => ({ album, facts: albumFacts(files, album) }))
    .filter(({ facts }) => facts.fitting > 0)
    .sort((a, b) => foundConfidence(b.facts, files.length) - foundConfidence(a.facts, files.length))
    .map(({ album, facts: { fitting, timed, artist }, facts }) => {
      const fit = { fitting, timed: timed && timed / files.length, more: { artist_alike: percent(artist) } };
      return choice(album.album.id, album.album, foundConfidence(facts, files.length), fit, album);
    });
  return [...matched, ...found];
}

/** Not the matcher's evidence: a rough place behind what the matcher itself put forward, 0..0.5. */
function foundConfidence(facts: AlbumFacts, files: number): number {
  const share = (facts.fitting + facts.titled + (facts.timed ?? 0) / 2) / (2.5 * Math.max(1, files));
  const artist = facts.artist === null || facts.artist >= 0.65 ? 1 : 0.5;
  return Math.round(0.5 * share * artist * 1000) / 1000;
}

function editionOf(title: string): string | null {
  const editions = editionsIn(textKey(title).folded);
  return editions.length === 0 ? null : editions.join(', ');
}

/** Long albums are summed up: the first tracks tell them apart. */
function trackList({ album, tracks }: AlbumTracks): string {
  const shown = tracks.slice(0, 12).map((track) => `${quiet(track.title) ?? '?'} ${clock(track.duration_ms)}`);
  const more = album.track_count - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** What the model is told: files, what people said, candidates. Names, numbers and lengths only (AGENT-7). */
export function briefOf(doubt: Doubt, results: readonly ToolResult[]): Brief {
  const choices = choicesOf(doubt, results);
  const sections: Brief['sections'] = [{ heading: 'Files', rows: doubt.files.map(fileRow) }];
  if (doubt.album !== null) {
    sections.push({
      heading: 'Their album, which is settled',
      rows: [{ title: quiet(doubt.album.title), artist: quiet(doubt.album.artist) }],
    });
  }
  const wanted = shownBy(results).requests.find(({ id }) => id === doubt.context.request_id);
  if (wanted?.wants)
    sections.push({ heading: 'They were sent for this request', rows: [{ wants: quiet(wanted.wants) }] });
  const said = doubt.said.flatMap((line) => quiet(line) ?? []);
  if (said.length > 0)
    sections.push({ heading: 'What a person decided before', rows: said.map((line) => ({ said: line })) });
  if (doubt.why !== '') sections.push({ heading: 'What is in doubt', rows: [{ doubt: doubt.why }] });
  return { question: questionOf(doubt, choices[0]?.option_id ?? ''), sections, choices };
}

function questionOf(doubt: Doubt, firstOption: string): string {
  const count = doubt.file_ids.length;
  const files = count === 1 ? 'this file' : `these ${count} files`;
  if (doubt.kind === 'track' || firstOption.startsWith('track:')) return 'Which track of the catalog is this file?';
  return `Which album of the catalog ${count === 1 ? 'is' : 'are'} ${files} from?`;
}

/** `F1` is the first file's handle: files are shown before anything else. */
function fileRow(file: Doubt['files'][number], index: number): Record<string, string | number | null> {
  const read = readFile(file);
  const row = {
    file: `F${index + 1}`,
    name: read.name,
    folder: read.folder,
    title: read.titles[0] ?? null,
    artist: read.artist,
    album: read.album,
    track: read.track,
    length: clock(read.duration_ms),
  };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
