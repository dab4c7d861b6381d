import type { FileReading } from '../names/reading.ts';
import type { IndexedAlbum } from '../index/catalog-index.ts';
import { textSimilarity, type TextKey } from '#core/text/similarity.ts';
import { editionsIn, versionsIn } from '../names/versions.ts';

/** What folder names, tags, totals and years say for one album. */
export interface AlbumEvidence {
  weight: number;
  similarity: number | null;
  totalAgrees: boolean | null;
  editionConflict: readonly string[];
  namesAnother: boolean;
}

/** Texts from here on mean this album, in whatever edition; from `NAMED` on they name it. */
const MEANT = 0.55;
const NAMED = 0.75;
/** Editions that only say how the same recording was sold: nearly the same lengths, no other music. */
const SOLD_AGAIN = new Set(['remaster', 'extended']);

/** True for editions that have the same recordings. */
export const isSoldAgain = (edition: string): boolean => SOLD_AGAIN.has(edition);

/** Editions that a catalog tells track by track: files need not name them. */
const SAID_BY_TRACKS = new Set(['remix', 'demo', 'tempo']);
const PLAYED_BY_OTHERS = new Set(['karaoke', 'tempo']);

/** How well the files' album texts, totals and years fit the album. */
export function albumEvidence(files: readonly FileReading[], album: IndexedAlbum): AlbumEvidence {
  const tally = { tagged: 0, agreeing: 0, years: 0, yearsAgree: 0, totals: 0, totalsAgree: 0, foldered: 0 };
  let best: number | null = null;
  const saying = new Map<string, number>();
  const inNames = new Set<string>();
  let texted = 0;
  const discs = new Map<number, number>();
  for (const { track } of album.tracks) discs.set(track.disc, (discs.get(track.disc) ?? 0) + 1);
  const discTotals = new Set(discs.values());
  const seen: SimilarityMemory = new Map();
  for (const file of files) {
    if (file.albums.some((text) => text.source !== 'name')) texted++;
    for (const edition of editionsSaid(file, album, seen)) saying.set(edition, (saying.get(edition) ?? 0) + 1);
    if (file.albums.some((text) => text.source === 'folder')) tally.foldered++;
    for (const text of file.albums) {
      const value = remembered(text.key, album, seen);
      if (best === null || value > best) best = value;
      if (value >= MEANT && text.source === 'name')
        for (const edition of editionsIn(text.key.folded)) inNames.add(edition);
      if (text.source === 'tag') {
        tally.tagged++;
        if (value >= NAMED) tally.agreeing++;
      }
    }
    const { year, tracktotal } = file.evidence.tags;
    if (year !== undefined && album.album.year !== null) {
      tally.years++;
      if (year === album.album.year) tally.yearsAgree++;
    }
    if (tracktotal !== undefined && tracktotal > 0) {
      tally.totals++;
      if (tracktotal === album.tracks.length || discTotals.has(tracktotal)) tally.totalsAgree++;
    }
  }
  let weight = 0;
  if (best !== null) weight += best >= 0.97 ? 5 : best >= 0.85 ? 4 : best >= 0.7 ? 2.5 : best >= 0.55 ? 0.8 : 0;
  if (tally.tagged > 0 && tally.agreeing < tally.tagged * 0.3) weight -= 2;
  if (tally.years > 0) weight += tally.yearsAgree >= tally.years * 0.6 ? 0.8 : -0.3;
  const totalAgrees = tally.totals === 0 ? null : tally.totalsAgree >= tally.totals * 0.6;
  if (totalAgrees !== null) weight += totalAgrees ? 1.5 : -1;
  const known = editionsIn(album.title.folded);
  // MATCH-65: what one of many files says is no word about the album.
  const said = [...saying].flatMap(([edition, count]) => (count * 2 > texted ? [edition] : []));
  // Only a text that means this album says which edition of it the files are.
  const means = best !== null && best >= (texted > 0 ? MEANT : NAMED);
  const unsaid = means
    ? known.filter((name) => !saying.has(name) && !inNames.has(name) && !SAID_BY_TRACKS.has(name))
    : [];
  const editionConflict = [...unsaid, ...said.filter((name) => !known.includes(name))];
  if (editionConflict.length > 0) weight -= 2.5;
  const named = tally.foldered >= files.length * 0.5 || tally.tagged >= files.length * 0.5;
  return { weight, similarity: best, totalAgrees, editionConflict, namesAnother: named && (best ?? 0) < 0.6 };
}

type SimilarityMemory = Map<string, number>;

function remembered(text: TextKey, album: IndexedAlbum, seen: SimilarityMemory): number {
  let value = seen.get(text.compact);
  if (value === undefined) seen.set(text.compact, (value = albumSimilarity(text, album)));
  return value;
}

/**
 * Editions that a file's tag and folders name of this album. A text that means another album speaks of that one, but a
 * tribute to somebody, or somebody's songs played faster, is no album of theirs, however it is called; a folder says
 * nothing where the tag names the album.
 */
function editionsSaid(file: FileReading, album: IndexedAlbum, seen: SimilarityMemory = new Map()): Set<string> {
  const said = new Set<string>();
  const tagged = file.albums.some((text) => text.source === 'tag' && remembered(text.key, album, seen) >= NAMED);
  for (const text of file.albums) {
    if (text.source === 'name') continue;
    const editions = editionsIn(text.key.folded);
    if (editions.length === 0) continue;
    const means = remembered(text.key, album, seen) >= MEANT;
    for (const edition of editions) if (means || (!tagged && PLAYED_BY_OTHERS.has(edition))) said.add(edition);
  }
  return said;
}

/** Editions with other music that one file alone names of this album, and the album is not. */
export function otherMusicSaid(file: FileReading, album: IndexedAlbum): string[] {
  const known = editionsIn(album.title.folded);
  return [...editionsSaid(file, album)].filter((name) => !isSoldAgain(name) && !known.includes(name));
}

/** Album titles with their edition words count fully; without them a little less. */
function albumSimilarity(seen: TextKey, album: IndexedAlbum): number {
  const plain = textSimilarity(seen, album.title);
  if (plain >= 0.97) return plain;
  // `Artist - Album`, `Artist Album`: the artist's name is taken off.
  const word = album.artist.compact;
  let rest = plain;
  if (word.length >= 3 && seen.compact.includes(word) && seen.compact.length > word.length) {
    const left = seen.compact.replace(word, '');
    rest = left === album.title.compact ? 0.99 : 0;
  }
  if (album.title.compact.length >= 6 && seen.compact.includes(album.title.compact)) rest = Math.max(rest, 0.9);
  const versions = versionsIn(seen.folded);
  const penalty =
    versions.includes('remaster') !== album.versions.includes('remaster') ||
    versions.includes('live') !== album.versions.includes('live')
      ? 0.12
      : 0;
  // Another volume or part is another album.
  const volume =
    seen.numbers !== '' && album.title.numbers !== '' && !shares(seen.numbers, album.title.numbers) ? 0.3 : 0;
  return Math.max(plain, rest) - penalty - volume;
}

const shares = (a: string, b: string): boolean => b.split(' ').every((number) => a.split(' ').includes(number));
