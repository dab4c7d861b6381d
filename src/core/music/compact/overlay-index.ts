/**
 * A catalog's index and what changed since it was built, as one index:
 *
 *   base   rows that no longer hold are masked; an album that differs in anything is masked as an album
 *   top    a small index of the changed tracks and of every such album, with the base's weights, so that scores compare
 *
 * It answers as an index of the whole would that has the base's weights (property test).
 */
import type { AlbumWithTracks, Artist, Track } from '../catalog.ts';
import type { CatalogIndex, Hit, IndexedAlbum } from '../search.ts';
import { textSimilarity, type TextKey } from '../similarity.ts';
import { CompactBuilder, compareTexts } from './build.ts';
import { Bounded, contentKeyOf, indexAlbum, MOST_TIES, openCompactIndex, type CompactIndex } from './compact-index.ts';
import { albumsByLengths, countBetween, densityOf, windowOf } from './length-index.ts';
import { masksOf, type CatalogChanges, type Masks } from './overlay-changes.ts';
import { finishSteps } from './steps.ts';
import { joinHits, SLICE, type TextIndex } from './text-index.ts';

const MOST_ALBUMS = 3000;

export function openOverlayIndex(base: CompactIndex, changes: CatalogChanges): CatalogIndex {
  return finishSteps(overlaySteps(base, changes));
}

/** As `openOverlayIndex`, pausing (`yield`) every few milliseconds. */
export function* overlaySteps(base: CompactIndex, changes: CatalogChanges): Generator<void, CatalogIndex> {
  const masks = yield* masksOf(base, changes);
  const builder = new CompactBuilder();
  for (const artist of changes.artists) builder.addArtist(artist);
  for (const album of changes.albums) builder.addAlbum(album);
  let added = 0;
  for (const id of masks.touched) {
    if (added++ % SLICE === 0) yield;
    const row = base.rows.albumRow(id);
    // The first row of an id counts: what changed stands already.
    if (row >= 0) builder.addAlbum(base.rows.albumAt(row));
  }
  for (const track of changes.tracks) builder.addTrack(track);
  const { catalog } = yield* builder.steps(null, base.compact);
  const top = openCompactIndex(catalog, base.compact);
  const namesakes = yield* namesakeChanges(base, top, masks);
  const albumsOf = yield* touchedAlbumsByArtist(base, top, masks);
  return new OverlayIndex(base, top, masks, namesakes, albumsOf);
}

/** Tracks more or less of each folded title; most changes leave the title as it is, and need no folding. */
function* namesakeChanges(base: CompactIndex, top: CompactIndex, masks: Masks): Generator<void, Map<string, number>> {
  const byTitle = new Map<string, number>();
  const count = ({ rows, compact }: CompactIndex, row: number, by: number): void => {
    const title = rows.text(compact.tracks.title, row);
    byTitle.set(title, (byTitle.get(title) ?? 0) + by);
  };
  for (const row of masks.deadTracks) count(base, row, -1);
  yield;
  for (let row = 0; row < top.trackCount; row++) count(top, row, 1);
  const changes = new Map<string, number>();
  let folded = 0;
  for (const [title, by] of byTitle) {
    if (by === 0) continue;
    if (folded++ % SLICE === 0) yield;
    const { compact } = base.keyOf(title);
    changes.set(compact, (changes.get(compact) ?? 0) + by);
  }
  return changes;
}

function* touchedAlbumsByArtist(
  base: CompactIndex,
  top: CompactIndex,
  masks: Masks,
): Generator<void, Map<string, Set<string>>> {
  const out = new Map<string, Set<string>>();
  const known = new Map<number, string>();
  let done = 0;
  for (const id of masks.touched) {
    if (done++ % SLICE === 0) yield;
    const ids = new Set<string>();
    for (const [index, gone] of [[base, masks.tracks] as const, [top, null] as const]) {
      const { albums, tracks, strings } = index.compact;
      const row = index.rows.albumRow(id);
      // The album's own row stands in the top.
      if (gone === null && row >= 0) ids.add(index.rows.text(albums.artistId, row));
      for (let at = albums.firstTrack[row] ?? 0; at < (albums.firstTrack[row + 1] ?? 0); at++) {
        if (gone?.[at] === 1) continue;
        const number = tracks.artistId[at] ?? 0;
        if (gone === null) ids.add(strings.text(number));
        else {
          const text = known.get(number) ?? strings.text(number);
          known.set(number, text);
          ids.add(text);
        }
      }
    }
    for (const artist of ids) {
      const list = out.get(artist);
      if (list) list.add(id);
      else out.set(artist, new Set([id]));
    }
  }
  return out;
}

class OverlayIndex implements CatalogIndex {
  readonly trackCount: number;
  readonly #base: CompactIndex;
  readonly #top: CompactIndex;
  readonly #masks: Masks;
  readonly #namesakes: ReadonlyMap<string, number>;
  readonly #touchedOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #albums = new Bounded<string, AlbumWithTracks>(MOST_ALBUMS);
  readonly #indexed = new Bounded<string, IndexedAlbum>(MOST_ALBUMS);
  readonly #contentKeys = new Bounded<string, string>(MOST_ALBUMS);
  /** Rows of the pattern search: those of the base, then albums that only the top has. */
  readonly #slots: { ofTop: Uint32Array; sizes: Uint16Array; added: number[] };

  constructor(
    base: CompactIndex,
    top: CompactIndex,
    masks: Masks,
    namesakes: ReadonlyMap<string, number>,
    touchedOf: ReadonlyMap<string, ReadonlySet<string>>,
  ) {
    this.#base = base;
    this.#top = top;
    this.#masks = masks;
    this.#namesakes = namesakes;
    this.#touchedOf = touchedOf;
    this.trackCount = base.trackCount - masks.deadTracks.length + top.trackCount;
    this.#slots = slotsOf(base, top, masks);
  }

  album(id: string): AlbumWithTracks | null {
    const { albums } = this.#base.compact;
    const own = this.#top.album(id);
    const row = this.#base.rows.albumRow(id);
    if (own === null) return row < 0 || this.#masks.albums[row] === 1 ? null : this.#base.album(id);
    return this.#albums.get(id, () => {
      const tracks = [...own.tracks];
      for (let at = albums.firstTrack[row] ?? 0; at < (albums.firstTrack[row + 1] ?? 0); at++)
        if (this.#masks.tracks[at] !== 1) tracks.push(this.#base.rows.trackAt(at));
      tracks.sort(inPlayingOrder);
      return { ...own, track_count: Math.max(own.track_count, tracks.length), tracks };
    });
  }

  track(id: string): Track | null {
    const own = this.#top.track(id);
    if (own !== null) return own;
    const row = this.#livingRow(id);
    return row < 0 ? null : this.#base.rows.trackAt(row);
  }

  albumOfTrack(trackId: string): string | null {
    const own = this.#top.albumOfTrack(trackId);
    if (own !== null) return own;
    return this.#livingRow(trackId) < 0 ? null : this.#base.albumOfTrack(trackId);
  }

  indexedAlbum(id: string): IndexedAlbum | null {
    const album = this.album(id);
    if (album === null) return null;
    return this.#indexed.get(id, () =>
      indexAlbum(album, this.#base.keyOf, this.#density, (track) => this.#namesakesOf(track)),
    );
  }

  contentKey(id: string): string {
    const own = this.#top.rows.albumRow(id) >= 0 ? this.album(id) : null;
    if (own !== null) return this.#contentKeys.get(id, () => contentKeyOf(own));
    return this.album(id) === null ? '' : this.#base.contentKey(id);
  }

  albumsByText(text: TextKey, limit: number): Hit[] {
    const found = new Map<string, number>();
    for (const field of ['albumTitles', 'albumNames'] as const) {
      const { base, top } = this.#search(field, text.leet, limit, this.#masks.albums);
      for (const { id, score } of joinHits(
        base.map(({ doc, score }) => ({ id: this.#base.rows.text(this.#base.compact.albums.id, doc), score })),
        top.map(({ doc, score }) => ({ id: this.#top.rows.text(this.#top.compact.albums.id, doc), score })),
        limit,
      ))
        found.set(id, Math.max(found.get(id) ?? 0, score));
    }
    return [...found].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score);
  }

  albumsByArtist(text: TextKey, limit: number): Hit[] {
    const { albums, albumsOfArtist } = this.#base.compact;
    const found = new Map<string, number>();
    const take = (id: string, score: number): void => {
      found.set(id, Math.max(found.get(id) ?? 0, score));
    };
    for (const { artist, score } of this.artistsByText(text, 6)) {
      if (score < 0.7) continue;
      const row = this.#base.rows.artistRow(artist.id);
      for (let at = albumsOfArtist.starts[row] ?? 0; at < (albumsOfArtist.starts[row + 1] ?? 0); at++) {
        const album = albumsOfArtist.list[at] ?? 0;
        if (this.#masks.albums[album] !== 1) take(this.#base.rows.text(albums.id, album), score);
      }
      for (const id of this.#touchedOf.get(artist.id) ?? []) take(id, score);
    }
    return [...found]
      .map(([id, score]) => ({ id, score }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  artistsByText(text: TextKey, limit: number): (Hit & { artist: Artist })[] {
    const { base, top } = this.#search('artistNames', text.leet, limit, this.#masks.artists);
    return joinHits(
      base.map(({ doc, score }) => ({ artist: this.#base.rows.artistAt(doc), score })),
      top.map(({ doc, score }) => ({ artist: this.#top.rows.artistAt(doc), score })),
      limit,
    ).map(({ artist }) => ({
      id: artist.id,
      artist,
      score: textSimilarity(text, this.#base.keyOf(artist.name)),
    }));
  }

  tracksByText(text: TextKey, limit: number, near: number | null = null): Hit[] {
    const { base, top } = this.#search('titles', text.leet, limit, this.#masks.titles);
    const byTitle = new Map<string, { leet: string; score: number; base: number; top: number }>();
    for (const { doc, score } of base) {
      const leet = leetOf(this.#base, doc);
      byTitle.set(leet, { leet, score, base: doc, top: -1 });
    }
    const added: { leet: string; score: number; base: number; top: number }[] = [];
    for (const { doc, score } of top) {
      const leet = leetOf(this.#top, doc);
      const known = byTitle.get(leet);
      if (known) known.top = doc;
      else added.push({ leet, score, base: -1, top: doc });
    }
    const hits: Hit[] = [];
    const most = limit * MOST_TIES;
    for (const title of joinHits([...byTitle.values()], added, limit, (a, b) => (a.leet < b.leet ? -1 : 1))) {
      if (hits.length >= most) break;
      const tracks = [
        ...tracksOf(this.#base, title.base, near).filter(({ row }) => this.#masks.tracks[row] !== 1),
        ...tracksOf(this.#top, title.top, near),
      ];
      if (tracks.length > most && near !== null) tracks.sort((a, b) => a.off - b.off);
      for (const { index, row } of tracks.slice(0, most))
        hits.push({ id: index.rows.text(index.compact.tracks.id, row), score: title.score });
    }
    return hits;
  }

  albumsByDurations(files: Parameters<CatalogIndex['albumsByDurations']>[0], limit: number): Hit[] {
    const { ofTop, sizes, added } = this.#slots;
    const { albums, lengths } = this.#base.compact;
    const sources = [
      { arrays: lengths, gone: this.#masks.lengths, rows: null },
      { arrays: this.#top.compact.lengths, gone: null, rows: ofTop },
    ];
    return albumsByLengths(sources, sizes, this.#density, files, limit).map(({ row, score }) => ({
      id:
        row < albums.id.length
          ? this.#base.rows.text(albums.id, row)
          : this.#top.rows.text(this.#top.compact.albums.id, added[row - albums.id.length] ?? 0),
      score,
    }));
  }

  #search(
    field: 'titles' | 'albumTitles' | 'albumNames' | 'artistNames',
    text: string,
    limit: number,
    gone: Uint8Array,
  ): Record<'base' | 'top', ReturnType<TextIndex['search']>> {
    return { base: this.#base[field]().search(text, limit, gone), top: this.#top[field]().search(text, limit) };
  }

  #livingRow(trackId: string): number {
    const row = this.#base.rows.trackRow(trackId);
    return row >= 0 && this.#masks.tracks[row] !== 1 ? row : -1;
  }

  #namesakesOf(track: Track): number {
    const key = this.#base.keyOf(track.title);
    const row = this.#livingRow(track.id);
    const before = row < 0 ? this.#base.namesakesOf(key) : (this.#base.compact.tracks.namesakes[row] ?? 1);
    return before + (this.#namesakes.get(key.compact) ?? 0);
  }

  readonly #density = (milliseconds: number): number => {
    const [from, to] = windowOf(milliseconds);
    const dead = { lengths: this.#masks.deadLengths };
    const [base, top] = [this.#base.compact.lengths, this.#top.compact.lengths];
    const near = countBetween(base, from, to) - countBetween(dead, from, to) + countBetween(top, from, to);
    return densityOf(near, base.lengths.length - dead.lengths.length + top.lengths.length, milliseconds);
  };
}

/** As the builder orders them. */
function inPlayingOrder(a: Track, b: Track): number {
  const byPlace = a.disc - b.disc || a.position - b.position;
  return byPlace || compareTexts(a.title, b.title) || (a.duration_ms ?? -1) - (b.duration_ms ?? -1);
}

function leetOf({ compact, rows, keyOf }: CompactIndex, doc: number): string {
  return keyOf(rows.text(compact.tracks.title, compact.titles.tracks[compact.titles.starts[doc] ?? 0] ?? 0)).leet;
}

/** The tracks of a title, with how far off their lengths are. */
function tracksOf(
  index: CompactIndex,
  doc: number,
  near: number | null,
): { index: CompactIndex; row: number; off: number }[] {
  const { titles, tracks } = index.compact;
  if (doc < 0) return [];
  return Array.from(titles.tracks.subarray(titles.starts[doc], titles.starts[doc + 1]), (row) => ({
    index,
    row,
    off: near === null ? 0 : Math.abs((tracks.length[row] ?? 0) - 1 - near),
  }));
}

function slotsOf(
  base: CompactIndex,
  top: CompactIndex,
  masks: Masks,
): { ofTop: Uint32Array; sizes: Uint16Array; added: number[] } {
  const { albums, tracks, lengths } = base.compact;
  const added: number[] = [];
  const ofTop = Uint32Array.from(top.compact.albums.id, (_, row) => {
    const known = base.rows.albumRow(top.rows.text(top.compact.albums.id, row));
    return known >= 0 ? known : albums.id.length + added.push(row) - 1;
  });
  const sizes = new Uint16Array(albums.id.length + added.length);
  sizes.set(lengths.sizes);
  for (const row of masks.deadTracks) {
    const album = tracks.album[row] ?? 0;
    if ((tracks.length[row] ?? 0) > 1) sizes[album] = (sizes[album] ?? 0) - 1;
  }
  ofTop.forEach((slot, row) => (sizes[slot] = (sizes[slot] ?? 0) + (top.compact.lengths.sizes[row] ?? 0)));
  return { ofTop, sizes, added };
}
