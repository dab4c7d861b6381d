import type { FileEvidence } from '../evidence/evidence.ts';
import { parseName } from '../names/names.ts';
import { repairText } from '../names/repair.ts';
import { gatedSimilarity, textKey, type TextKey, textSimilarity } from '#core/text/similarity.ts';
import { quiet } from '#core/agent/prompt/instruction-text.ts';
import { majority } from '../names/reading.ts';
import type { AlbumTracks } from './tools.ts';

/** What the agent reads off one file: names, numbers and length; never a comment, a lyric or another free tag. */
export interface ReadFile {
  name: string | null;
  folder: string | null;
  titles: string[];
  /** The first of them, made ready for comparison. */
  keys: TextKey[];
  artist: string | null;
  album: string | null;
  /** Parts of the name that may be the artist or the album. */
  parts: string[];
  track: number | null;
  duration_ms: number | null;
}

export function readFile(file: FileEvidence): ReadFile {
  const name = parseName(file.path);
  const path = file.path.split('/');
  const tag = (text: string | undefined): string | null => (text === undefined ? null : quiet(repairText(text)));
  const title = tag(file.tags.title);
  const fromName = name.titles.flatMap((text) => quiet(text) ?? []).slice(0, 3);
  const titles = [...new Set([...(title === null ? [] : [title]), ...fromName])];
  return {
    name: quiet(path.at(-1)),
    folder: quiet(path.at(-2)),
    titles,
    keys: titles.slice(0, 3).map(textKey),
    artist: tag(file.tags.artist) ?? tag(file.tags.albumartist),
    album: tag(file.tags.album),
    parts: name.segments.flatMap((text) => quiet(text) ?? []),
    track: file.tags.track ?? name.positions[0]?.position ?? null,
    duration_ms: file.duration_ms,
  };
}

/** How alike the file's title is to a track's, 0..1; 0 for a file without one. */
export function titleLikeness(file: ReadFile, title: TextKey): number {
  return Math.max(0, ...file.keys.map((key) => gatedSimilarity(key, title)));
}

export interface AlbumFacts {
  /** Files that found a track of their own by title or length. */
  fitting: number;
  /** Of those, by title. */
  titled: number;
  /** Of those, with a length within 3 s; null where no length can be compared. */
  timed: number | null;
  /** How alike the artist is to what most files say, 0..1; null where none says one. */
  artist: number | null;
}

const SAME_TITLE = 0.75;
/** Milliseconds, as the matcher's bound of approval. */
const SAME_LENGTH = 3000;

/** A plain count for a model to read, not the matcher's evidence: each track is given to the first file that takes it. */
export function albumFacts(files: readonly ReadFile[], album: AlbumTracks): AlbumFacts {
  const keys = album.tracks.map((track) => textKey(track.title));
  const taken = new Set<number>();
  const comparable =
    files.some((file) => file.duration_ms !== null) && album.tracks.some((track) => track.duration_ms !== null);
  let fitting = 0;
  let titles = 0;
  let lengths = 0;
  for (const file of files) {
    let best: { at: number; score: number; titled: boolean; timed: boolean } | null = null;
    for (const [at, track] of album.tracks.entries()) {
      const key = keys[at];
      if (taken.has(at) || !key) continue;
      const likeness = titleLikeness(file, key);
      const titled = likeness >= SAME_TITLE;
      const off = file.duration_ms === null || track.duration_ms === null ? null : file.duration_ms - track.duration_ms;
      const timed = off !== null && Math.abs(off) <= SAME_LENGTH;
      const score = (titled ? 2 + likeness : 0) + (timed ? 1 : 0) + (file.track === track.position ? 0.1 : 0);
      if ((titled || timed) && score > (best?.score ?? 0)) best = { at, score, titled, timed };
    }
    if (best === null) continue;
    taken.add(best.at);
    fitting++;
    if (best.titled) titles++;
    if (best.timed) lengths++;
  }
  return { fitting, titled: titles, timed: comparable ? lengths : null, artist: artistLikeness(files, album) };
}

function artistLikeness(files: readonly ReadFile[], album: AlbumTracks): number | null {
  const said = majority(files.map((file) => file.artist));
  if (said === null) return null;
  const names = new Set([album.album.artist, ...album.tracks.map((track) => track.artist)]);
  return Math.max(...[...names].map((name) => textSimilarity(textKey(said), textKey(name))));
}
