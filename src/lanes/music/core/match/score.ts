import type { FileReading } from '../names/reading.ts';
import type { CatalogIndex, IndexedAlbum, IndexedTrack } from '../index/catalog-index.ts';
import {
  textSimilarity,
  compactTextKey,
  editSimilarity,
  gatedSimilarity,
  type TextKey,
} from '#core/text/similarity.ts';
import { compareVersions, versionsIn } from '../names/versions.ts';
import { compareArtist, type ArtistMemory } from './artists.ts';

/** A title that is the same but for writing. */
export const SAME_TITLE = 0.93;

/** How like a file's name or tag is to a track's title, and by which reading. */
interface TitleLikeness {
  /** 0..1; null when the file's name says nothing. */
  similarity: number | null;
  reading: string | null;
}

/** What a movement's own name is worth without the work's: other works have an Allegro too. */
const MOVEMENT = 0.8;
/** Letters that a name cut to eight must have left to say anything. */
const LEAST_CUT = 4;

/** The best of a file's title readings against one track. */
function titleLikeness(file: FileReading, track: IndexedTrack, album: IndexedAlbum): TitleLikeness {
  let similarity: number | null = null;
  let reading: string | null = null;
  const show = (value: number, title: TextKey): boolean => {
    if (similarity === null || value > similarity) {
      similarity = value;
      reading = title.folded;
    }
    return similarity === 1;
  };
  for (const title of readingsFor(file, track, album)) {
    if (show(gatedSimilarity(title, track.title), title)) break;
    // MATCH-39: `Symphony No. 5: II. Andante` is `II. Andante` in the work's own folder.
    if (track.movement) show(MOVEMENT * textSimilarity(title, track.movement), title);
    if (file.name.cut) show(cutLikeness(title.compact, track.title.compact), title);
  }
  return { similarity, reading };
}

/** MATCH-40: `TIGERE~1` is the beginning of a name, and nothing more was ever there. */
function cutLikeness(seen: string, known: string): number {
  if (seen.length < LEAST_CUT || !known.startsWith(seen)) return 0;
  return 0.72 + 0.22 * (seen.length / known.length);
}

/** The title readings, and what is left of each when this album's artist or title is before or behind it. */
function readingsFor(file: FileReading, track: IndexedTrack, album: IndexedAlbum): TextKey[] {
  const readings = file.titles.map((title) => title.key);
  const first = file.titles.find((title) => title.source === 'name')?.key;
  const number = numberTitle(file, track);
  if (number !== null) readings.push(number);
  if (file.untitled?.compact === track.title.compact) readings.push(file.untitled);
  if (first === undefined) return readings;
  for (const known of [track.artist, album.artist, album.title]) {
    const word = known.compact;
    if (word.length < 3 || first.compact.length <= word.length) continue;
    const left = [
      ...(first.compact.startsWith(word) ? [first.compact.slice(word.length)] : []),
      ...(first.compact.endsWith(word) ? [first.compact.slice(0, -word.length)] : []),
    ];
    for (const rest of left) if (rest.length > 1 || /\d/.test(rest)) readings.push(compactTextKey(rest));
  }
  return readings;
}

/** MATCH-41: where titles are numbers, `03 - 3` says one; in other cases numbers alone are no title. */
function numberTitle(file: FileReading, track: IndexedTrack): TextKey | null {
  if (!/^\d{1,3}$/.test(track.title.compact)) return null;
  const number = /^[\d\s_.()-]*?0*(\d{1,3})$/.exec(file.name.base)?.[1];
  return number === undefined ? null : compactTextKey(number);
}

/** One file beside one track: what was compared and how much each comparison tells (log-likelihood against chance). */
export interface PairScore {
  total: number;
  title: number;
  duration: number;
  position: number;
  artist: number;
  version: number;
  /** Best similarity 0..1 of any title reading; null when the file's name says nothing. */
  similarity: number | null;
  /** The reading that was nearest. */
  reading: string | null;
  /** Seconds, file minus track (after the speed factor); null when either length is unknown. */
  off: number | null;
  positionAgrees: boolean | null;
  artistSimilarity: number | null;
  /** The file names an artist, and it is another one. */
  artistConflict: boolean;
  versionExtra: readonly string[];
  versionMissing: readonly string[];
}

/** What holds for all pairs of one file group and one album. */
export interface PairContext {
  index: CatalogIndex;
  album: IndexedAlbum;
  /** The album's length over the file's: 1 but for transfers at another speed. */
  speed: number;
  /** Version classes that folder and album say of everything. */
  explained: readonly string[];
  /** Artist comparisons already made for this album: most of its tracks share one artist. */
  artists: ArtistMemory;
  /** Files whose title and length another track of the catalog meets: here a title that differs counts more. */
  named: ReadonlySet<FileReading>;
}

/** Piecewise linear weight of a title similarity; flat where likeness is chance, so that no wrong text is better than another. */
const TITLE_CURVE: readonly (readonly [number, number])[] = [
  [0, -2.5],
  [0.42, -2.5],
  [0.48, -0.6],
  [0.55, 0.6],
  [0.65, 1.8],
  [0.75, 3.2],
  [0.85, 5],
  [0.93, 6.2],
  [1, 7.5],
];

/** What is left of a weight beyond what the rarity of a title allows. */
const BEYOND = 0.1;

function titleWeight(similarity: number, track: IndexedTrack, trackCount: number): number {
  let weight = -2.5;
  for (let i = 1; i < TITLE_CURVE.length; i++) {
    const [x1, y1] = TITLE_CURVE[i] as [number, number];
    const [x0, y0] = TITLE_CURVE[i - 1] as [number, number];
    if (similarity <= x1) {
      weight = y0 + ((similarity - x0) / (x1 - x0)) * (y1 - y0);
      break;
    }
  }
  // A title that many tracks share tells less; so does a very short one unless it is met exactly.
  const rarity = Math.log((trackCount + 10) / (track.namesakes + 1));
  const shortness = similarity >= 0.999 ? 1 : Math.min(1, 0.3 + track.title.compact.length / 8);
  const likeness = weight * (weight > 0 ? shortness : 1);
  const most = Math.max(1.5, rarity);
  // Of two files for one track the nearer title still wins where both tell more than a title can in so small a catalog.
  return likeness <= most ? likeness : most + (likeness - most) * BEYOND;
}

function durationWeight(off: number, density: number): number {
  const likelihood = 0.985 * (Math.exp(-Math.abs(off) / 0.75) / 1.5) + 0.015 * (Math.exp(-Math.abs(off) / 40) / 80);
  return Math.max(-4.5, Math.min(6, Math.log(likelihood / density)));
}

/** A first look: what the file's best track on this album is worth, by titles found in the search, length and number. */
export function roughScore(file: FileReading, album: IndexedAlbum, hits: ReadonlyMap<string, number>): number {
  const seen = file.evidence.duration_ms;
  let best = 0;
  for (const track of album.tracks) {
    const hit = hits.get(track.track.id);
    const length = track.track.duration_ms;
    let score = hit === undefined ? 0 : 8 * hit - 1;
    if (length !== null && seen !== null) score += durationWeight((seen - length) / 1000, track.density);
    if (comparePosition(file, track) === true) score += 2;
    if (score > best) best = score;
  }
  return best;
}

/** The same pair with another speed: only what hangs on the length changes. */
export function atSpeed(pair: PairScore, file: FileReading, track: IndexedTrack, context: PairContext): PairScore {
  const length = track.track.duration_ms;
  const seen = file.evidence.duration_ms;
  if (length === null || seen === null) return pair;
  const off = (seen * context.speed - length) / 1000;
  const duration = durationWeight(off, track.density);
  return { ...pair, off, duration, total: pair.total - pair.duration + duration };
}

/** Compares one file with one track of an album. */
export function scorePair(file: FileReading, track: IndexedTrack, context: PairContext): PairScore {
  const { index, album } = context;
  const { similarity, reading } = titleLikeness(file, track, album);
  let title = similarity === null ? 0 : titleWeight(similarity, track, index.trackCount);
  if (similarity !== null && similarity < 0.55 && context.named.has(file)) title -= 5;

  const length = track.track.duration_ms;
  const seen = file.evidence.duration_ms;
  const off = length === null || seen === null ? null : (seen * context.speed - length) / 1000;
  const duration = off === null ? 0 : durationWeight(off, track.density);

  const positionAgrees = comparePosition(file, track);
  const position = positionAgrees === null ? 0 : positionAgrees ? 2 : -1.2;

  const artist = compareArtist(file, [track.artist, album.artist], context.artists);
  let version = 0;
  let versionMissing: readonly string[] = [];
  const difference = compareVersions(versionsSaid(file, track), track.versions, [
    ...album.versions,
    ...context.explained,
  ]);
  // A band may be called so.
  const ofArtist = difference.extra.length === 0 ? [] : versionsIn(track.artist.folded);
  // MATCH-110: where the title says nothing, or something else, `(Live)` in the name is still said.
  let versionExtra: readonly string[] = difference.extra.filter((name) => !ofArtist.includes(name));
  if (similarity !== null && (similarity > 0.4 || isBegunBy(file.titles, track.title))) {
    if (isOthersRemix(file, track)) versionExtra = [...versionExtra, 'another remix'];
    versionMissing = difference.missing;
    version = -2.5 * versionExtra.length - 1.5 * difference.missing.length - (difference.remaster ? 0.7 : 0);
  }
  return {
    total: title + duration + position + artist.weight + version,
    title,
    duration,
    position,
    artist: artist.weight,
    version,
    similarity,
    reading,
    off,
    positionAgrees,
    artistSimilarity: artist.similarity,
    artistConflict: artist.conflict,
    versionExtra,
    versionMissing,
  };
}

/** Letters of a title that others do not begin with by chance. */
const LEAST_BEGUN = 3;

/** MATCH-94: a title with more behind it: a short one, or one of signs or brackets alone, is little like the whole. */
function isBegunBy(titles: FileReading['titles'], { base, compact }: TextKey): boolean {
  return titles.some(
    ({ key }) => key.base === base || (compact.length >= LEAST_BEGUN && key.compact.startsWith(compact)),
  );
}

/** Letters alike from which on a damaged name is the same one. */
const SAME_WORD = 0.6;

/** MATCH-105: both are remixes, and nobody whose remix the file says it is stands in the track's title or made it. */
function isOthersRemix(file: FileReading, track: IndexedTrack): boolean {
  if (file.remixers.length === 0 || !track.versions.includes('remix')) return false;
  const known = [...track.title.tokens, ...track.artist.tokens];
  return file.remixers.every((word) =>
    known.every((token) => token !== word && editSimilarity(token, word) < SAME_WORD),
  );
}

/** Both sources count, unless the tag speaks of another piece altogether. */
function versionsSaid(file: FileReading, track: IndexedTrack): readonly string[] {
  if (file.tagVersions.length === 0) return file.nameVersions;
  const tag = file.titles.find((title) => title.source === 'tag');
  if (tag && !isBegunBy([tag], track.title) && textSimilarity(tag.key, track.title) < 0.6) return file.nameVersions;
  return [...new Set([...file.nameVersions, ...file.tagVersions])];
}

function comparePosition(file: FileReading, track: IndexedTrack): boolean | null {
  if (file.positions.length === 0) return null;
  return file.positions.some((reading) => {
    if (reading.side !== undefined) return false;
    if (reading.disc !== null) return reading.disc === track.track.disc && reading.position === track.track.position;
    return reading.position === track.track.position || reading.position === track.absolute;
  });
}
