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

/** Editions that a catalog tells track by track: files need not name them. */
const SAID_BY_TRACKS = new Set(['remix', 'demo', 'tempo']);
const PLAYED_BY_OTHERS = new Set(['karaoke', 'tempo']);

/** How well the files' album texts, totals and years fit the album. */
export function albumEvidence(files: readonly FileReading[], album: IndexedAlbum): AlbumEvidence {
  const tally = { tagged: 0, agreeing: 0, years: 0, yearsAgree: 0, totals: 0, totalsAgree: 0, foldered: 0 };
  let best: number | null = null;
  let nearest = '';
  const said = new Set<string>();
  const discs = new Map<number, number>();
  for (const { track } of album.tracks) discs.set(track.disc, (discs.get(track.disc) ?? 0) + 1);
  const discTotals = new Set(discs.values());
  const seen = new Map<string, number>();
  for (const file of files) {
    if (file.albums.some((text) => text.source === 'folder')) tally.foldered++;
    for (const text of file.albums) {
      let value = seen.get(text.key.compact);
      if (value === undefined) {
        seen.set(text.key.compact, (value = albumSimilarity(text.key, album)));
        if (text.source !== 'name') for (const edition of editionsIn(text.key.folded)) said.add(edition);
      }
      if (best === null || value > best) {
        best = value;
        nearest = text.key.folded;
      }
      if (text.source === 'tag') {
        tally.tagged++;
        if (value >= 0.75) tally.agreeing++;
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
  for (const edition of editionsIn(nearest)) said.add(edition);
  // Only a text that means this album says which edition of it the files are.
  const means = best !== null && best >= 0.55;
  const editionConflict = means
    ? [
        ...known.filter((name) => !said.has(name) && !SAID_BY_TRACKS.has(name)),
        ...[...said].filter((name) => !known.includes(name)),
      ]
    : // A tribute to somebody, or somebody's songs played faster, is no album of theirs, however it is called.
      [...said].filter((name) => PLAYED_BY_OTHERS.has(name) && !known.includes(name));
  if (editionConflict.length > 0) weight -= 2.5;
  const named = tally.foldered >= files.length * 0.5 || tally.tagged >= files.length * 0.5;
  return { weight, similarity: best, totalAgrees, editionConflict, namesAnother: named && (best ?? 0) < 0.6 };
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
