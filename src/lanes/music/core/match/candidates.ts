import type { Track } from '../catalog.ts';
import { Best } from '../index/text-index.ts';
import type { FileReading } from '../names/reading.ts';
import type { CatalogIndex } from '../index/catalog-index.ts';
import { quickSimilarity, textKey, type TextKey } from '#core/text/similarity.ts';

/** What was looked for and how much came, for the trace. */
export interface SearchNote {
  query: string;
  found: number;
}

export interface Candidates {
  /** Album ids, best first by a rough vote. */
  albums: string[];
  searches: SearchNote[];
  /** Files whose title and length some track meets. */
  named: Set<FileReading>;
  /** Tracks found by their titles, for each file, with how near (0..1). */
  hits: Map<FileReading, Map<string, number>>;
  /** Albums that are compared in any case, on top of the likeliest of the others. */
  hinted: string[];
}

/** Most albums that a hint adds: each is compared in full. */
const MOST_HINTED = 24;
/** Most albums that are compared in full. */
const MOST_ALBUMS = 24;

/**
 * MATCH-4: albums worth comparing with these files, found in five ways: the pending request, texts of folder and
 * tags, artists, titles of tracks, and the pattern of lengths. What the agent asked to compare comes on top and
 * takes no other's place (AGENT-5).
 */
export function findCandidates(
  files: readonly FileReading[],
  index: CatalogIndex,
  wanted: string | null,
  lookAt: readonly string[] = [],
): Candidates {
  const searches: SearchNote[] = [];
  const named = new Set<FileReading>();
  const hits = new Map<FileReading, Map<string, number>>();
  const ways: Map<string, number>[] = [
    byTitles(files, index, searches, named, hits),
    byTexts(files, index, searches),
    byArtists(files, index, searches),
    byLengths(files, index, searches),
  ];
  const votes = new Map<string, number>();
  for (const way of ways) for (const [id, score] of way) votes.set(id, (votes.get(id) ?? 0) + score);
  const chosen = new Set<string>(wanted === null ? [] : [wanted]);
  // Each way puts its best forward, so that no way of looking is drowned by another; the rest is by the sum.
  const perWay = files.length === 1 ? 8 : 5;
  for (const way of ways) for (const id of ranked(way, perWay, index, votes)) chosen.add(id);
  const most = MOST_ALBUMS + Math.min(40, Math.floor(files.length / 4));
  for (const id of ranked(votes, most, index, votes)) {
    if (chosen.size >= most) break;
    chosen.add(id);
  }
  const hinted = [...new Set(lookAt)].filter((id) => index.indexedAlbum(id) !== null).slice(0, MOST_HINTED);
  const more = hinted.filter((id) => !chosen.has(id)).length;
  if (more > 0) searches.push({ query: 'albums that the agent came upon', found: more });
  return { albums: [...chosen], searches, named, hits, hinted };
}

/** The best `most` by their own scores, then by the sum of all ways, then by what the albums are. */
function ranked(
  scores: ReadonlyMap<string, number>,
  most: number,
  index: CatalogIndex,
  votes: ReadonlyMap<string, number>,
): string[] {
  interface Entry {
    id: string;
    score: number;
    votes: number;
  }
  const best = new Best<Entry>(most, (a, b) =>
    a.score !== b.score ? a.score > b.score : a.votes !== b.votes ? a.votes > b.votes : isBefore(index, a.id, b.id),
  );
  for (const [id, score] of scores) best.show({ id, score, votes: votes.get(id) ?? 0 });
  return best.all.map((entry) => entry.id);
}

/** By content; the beginnings nearly always differ, and cost less than the whole. */
function isBefore(index: CatalogIndex, a: string, b: string): boolean {
  const [one, other] = [index.contentHead(a), index.contentHead(b)];
  if (!one.startsWith(other) && !other.startsWith(one)) return one < other;
  return index.contentKey(a) < index.contentKey(b);
}

function byTitles(
  files: readonly FileReading[],
  index: CatalogIndex,
  searches: SearchNote[],
  named: Set<FileReading>,
  hits: Map<FileReading, Map<string, number>>,
): Map<string, number> {
  const totals = new Map<string, number>();
  let found = 0;
  const seen = tracksSeen(index);
  for (const file of files) {
    const best = new Map<string, number>();
    const own = new Map<string, number>();
    hits.set(file, own);
    const titles = file.titles.slice(0, files.length > 40 ? 3 : 5).map((reading) => reading.key);
    for (const key of file.untitled === null ? titles : [...titles, file.untitled]) {
      for (const hit of index.tracksByText(key, 12, file.evidence.duration_ms)) {
        const known = seen(hit.id);
        if (!known) continue;
        const { track } = known;
        found++;
        if (hit.score > (own.get(hit.id) ?? 0)) own.set(hit.id, hit.score);
        let score = hit.score * hit.score;
        const off =
          track.duration_ms === null || file.evidence.duration_ms === null
            ? null
            : Math.abs(track.duration_ms - file.evidence.duration_ms);
        if (off !== null && off < 3000) {
          score *= 2.2;
          if (hit.score > 0.5 && quickSimilarity(key, known.title()) >= 0.85) named.add(file);
        }
        if (score > (best.get(track.album_id) ?? 0)) best.set(track.album_id, score);
      }
    }
    for (const [id, score] of best) totals.set(id, (totals.get(id) ?? 0) + score);
  }
  searches.push({ query: 'titles of tracks', found });
  return totals;
}

/** Tracks that several readings and files find are read once. */
function tracksSeen(index: CatalogIndex): (id: string) => { track: Track; title: () => TextKey } | null {
  const seen = new Map<string, { track: Track; title: () => TextKey } | null>();
  return (id) => {
    let known = seen.get(id);
    if (known === undefined) {
      const track = index.track(id);
      let key: TextKey | undefined;
      seen.set(id, (known = track && { track, title: () => (key ??= textKey(track.title)) }));
    }
    return known;
  };
}

function byTexts(files: readonly FileReading[], index: CatalogIndex, searches: SearchNote[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { key, text, count } of distinct(files.map((file) => file.albums))) {
    const hits = index.albumsByText(key, 8);
    searches.push({ query: `album "${text.slice(0, 80)}"`, found: hits.length });
    for (const hit of hits)
      totals.set(hit.id, Math.max(totals.get(hit.id) ?? 0, hit.score * (1 + Math.log(1 + count))));
  }
  return totals;
}

function byArtists(files: readonly FileReading[], index: CatalogIndex, searches: SearchNote[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { key, text, count } of distinct(
    files.map((file) => file.artists.map((entry) => ({ ...entry, text: entry.key.folded }))),
  )) {
    const hits = index.albumsByArtist(key, 16);
    searches.push({ query: `artist "${text.slice(0, 80)}"`, found: hits.length });
    for (const hit of hits)
      totals.set(hit.id, Math.max(totals.get(hit.id) ?? 0, hit.score * 0.5 * (1 + Math.log(1 + count))));
  }
  return totals;
}

function byLengths(files: readonly FileReading[], index: CatalogIndex, searches: SearchNote[]): Map<string, number> {
  const timed = files.flatMap((file) =>
    file.evidence.duration_ms === null
      ? []
      : [{ duration_ms: file.evidence.duration_ms, positions: file.positions.map((reading) => reading.position) }],
  );
  const hits = timed.length === 0 ? [] : index.albumsByDurations(timed, 20);
  searches.push({ query: `lengths of ${timed.length} files`, found: hits.length });
  return new Map(hits.map((hit) => [hit.id, hit.score / 8]));
}

/** Texts that several files share come first; those of one file alone only while the batch is small. */
function distinct(
  lists: readonly (readonly { key: TextKey; text: string }[])[],
): { key: TextKey; text: string; count: number }[] {
  const seen = new Map<string, { key: TextKey; text: string; count: number }>();
  for (const list of lists) {
    for (const { key, text } of list) {
      if (key.compact.length < 2) continue;
      const known = seen.get(key.compact);
      if (known) known.count++;
      else seen.set(key.compact, { key, text, count: 1 });
    }
  }
  const most = 16 + Math.min(40, lists.length);
  return [...seen.values()]
    .sort((a, b) => b.count - a.count || (a.key.compact < b.key.compact ? -1 : 1))
    .slice(0, most);
}
