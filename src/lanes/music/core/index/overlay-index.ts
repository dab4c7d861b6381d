/**
 * A catalog's index and what changed since it was built, as one index:
 *
 *   base   rows that no longer hold are masked; records that changed are read from the changes
 *   top    a small index of what has to be found and is not in the base, with the base's weights
 *
 * It answers as an index of the whole would that has the base's weights (property test).
 */
import { withoutTracks, type Album, type AlbumWithTracks, type Artist, type Track } from '../catalog.ts';
import type { CatalogIndex, Hit, IndexedAlbum } from './catalog-index.ts';
import { textSimilarity, type TextKey } from '#core/text/similarity.ts';
import { compareTexts } from './build.ts';
import { Bounded, contentHeadOf, contentKeyOf, indexAlbum, MOST_TIES, type CompactIndex } from './compact-index.ts';
import { albumsByLengths, countBetween, densityOf, windowOf } from './length-index.ts';
import { layOver, type CatalogChanges, type Laid } from './overlay-changes.ts';
import { topSteps, type Top } from './overlay-top.ts';
import { WordChanges } from './word-changes.ts';
import { openWordIndex, type WordIndex } from './word-index.ts';
import { finishSteps, joinHits, PRICEY_SLICE, SLICE } from './text-index.ts';

const MOST_ALBUMS = 3000;

export function openOverlayIndex(base: CompactIndex, changes: CatalogChanges): CatalogIndex {
  return finishSteps(overlaySteps(base, changes));
}

/** As `openOverlayIndex`, pausing (`yield`) every few milliseconds. */
export function* overlaySteps(base: CompactIndex, changes: CatalogChanges): Generator<void, CatalogIndex> {
  const laid = yield* layOver(base, changes);
  const top = yield* topSteps(base, laid);
  return new OverlayIndex(base, changes, laid, top, yield* namesakeChanges(base, laid));
}

/** Tracks more or less of each folded title; where a title only changed its track, nothing is folded. */
function* namesakeChanges(base: CompactIndex, laid: Laid): Generator<void, Map<string, number>> {
  const byTitle = new Map<string, number>();
  const count = (title: string, by: number): void => void byTitle.set(title, (byTitle.get(title) ?? 0) + by);
  for (const [n, row] of laid.deadTracks.entries()) {
    if (n % SLICE === 0) yield;
    count(base.rows.text(base.compact.tracks.title, row), -1);
  }
  for (const { title } of laid.found.tracks) count(title, 1);
  const changes = new Map<string, number>();
  let folded = 0;
  for (const [title, by] of byTitle) {
    if (by === 0) continue;
    if (folded++ % PRICEY_SLICE === 0) yield;
    const { compact } = base.keyOf(title);
    changes.set(compact, (changes.get(compact) ?? 0) + by);
  }
  return changes;
}

class OverlayIndex implements CatalogIndex {
  readonly trackCount: number;
  readonly #base: CompactIndex;
  readonly #changes: CatalogChanges;
  readonly #laid: Laid;
  readonly #top: Top;
  readonly #gone: ReadonlySet<string>;
  #words: WordIndex | null = null;
  readonly #namesakes: ReadonlyMap<string, number>;
  readonly #albums = new Bounded<string, AlbumWithTracks>(MOST_ALBUMS);
  readonly #indexed = new Bounded<string, IndexedAlbum>(MOST_ALBUMS);
  readonly #contentKeys = new Bounded<string, string>(MOST_ALBUMS);

  constructor(
    base: CompactIndex,
    changes: CatalogChanges,
    laid: Laid,
    top: Top,
    namesakes: ReadonlyMap<string, number>,
  ) {
    this.#base = base;
    this.#changes = changes;
    this.#laid = laid;
    this.#top = top;
    this.#namesakes = namesakes;
    this.trackCount = laid.trackCount;
    this.#gone = new Set(changes.gone.artists);
  }

  artist(id: string): Artist | null {
    return this.#laid.artists.get(id) ?? (this.#gone.has(id) ? null : this.#base.artist(id));
  }

  words(): WordIndex {
    return this.#words ?? finishSteps(this.#makeWords());
  }

  *wordSteps(): Generator<void, void> {
    if (this.#words === null) yield* this.#makeWords();
  }

  *#makeWords(): Generator<void, WordIndex> {
    const { artists, albums, tracks, gone } = this.#changes;
    const changes = new WordChanges(this.#base.wordBase());
    const each = function* <T>(items: readonly T[], take: (item: T) => void): Generator<void, void> {
      for (const [n, item] of items.entries()) {
        if (n % PRICEY_SLICE === 0) yield;
        take(item);
      }
    };
    yield* each(gone.artists, (id) => changes.dropArtist(id));
    yield* each(gone.albums, (id) => changes.dropAlbum(id));
    yield* each(gone.tracks, (id) => changes.dropTrack(id));
    yield* each(artists, (artist) => changes.putArtist(artist));
    yield* each(albums, (album) => changes.putAlbum(album));
    // Of an album that is not there a track is not either.
    yield* each(tracks, (track) => {
      if (this.track(track.id) === null) changes.dropTrack(track.id);
      else changes.putTrack(track);
    });
    this.#words = openWordIndex(this.#base.wordBase(), changes);
    return this.#words;
  }

  album(id: string): AlbumWithTracks | null {
    const row = this.#base.rows.albumRow(id);
    if (!this.#laid.touched.has(id)) return this.#laid.goneAlbums.has(id) ? null : this.#base.album(id);
    return this.#albums.get(id, () => {
      const own = this.#laid.albums.get(id) ?? this.#base.rows.albumAt(row);
      const tracks = this.#tracksOfAlbum(id, row);
      return { ...own, track_count: Math.max(own.track_count, tracks.length), tracks };
    });
  }

  #tracksOfAlbum(id: string, row: number): Track[] {
    const { rows, compact } = this.#base;
    const { firstTrack } = compact.albums;
    const out: Track[] = [];
    for (let at = firstTrack[row] ?? 0; at < (firstTrack[row + 1] ?? 0); at++) {
      if (this.#laid.changed[at] !== 1) {
        out.push(rows.trackAt(at));
        continue;
      }
      const now = this.#laid.tracks.get(rows.text(compact.tracks.id, at));
      if (now?.album_id === id) out.push(now);
    }
    for (const track of this.#laid.added.get(id) ?? []) {
      const now = this.#laid.tracks.get(track);
      if (now) out.push(now);
    }
    return out.sort(inPlayingOrder);
  }

  albumAlone(id: string): Album | null {
    if (!this.#laid.touched.has(id)) return this.#laid.goneAlbums.has(id) ? null : this.#base.albumAlone(id);
    const album = this.album(id);
    return album === null ? null : withoutTracks(album);
  }

  track(id: string): Track | null {
    const own = this.#laid.tracks.get(id);
    if (own) return own;
    const row = this.#base.rows.trackRow(id);
    return row < 0 || this.#laid.changed[row] === 1 ? null : this.#base.rows.trackAt(row);
  }

  albumOfTrack(trackId: string): string | null {
    const own = this.#laid.tracks.get(trackId);
    if (own) return own.album_id;
    const row = this.#base.rows.trackRow(trackId);
    return row < 0 || this.#laid.changed[row] === 1 ? null : this.#base.albumOfTrack(trackId);
  }

  indexedAlbum(id: string): IndexedAlbum | null {
    const album = this.album(id);
    if (album === null) return null;
    return this.#indexed.get(id, () =>
      indexAlbum(album, this.#base.keyOf, this.#density, (track) => this.#namesakesOf(track)),
    );
  }

  contentKey(id: string): string {
    const album = this.#laid.touched.has(id) ? this.album(id) : null;
    if (album !== null) return this.#contentKeys.get(id, () => contentKeyOf(album));
    return this.#laid.goneAlbums.has(id) ? '' : this.#base.contentKey(id);
  }

  contentHead(id: string): string {
    const album = this.#laid.touched.has(id) ? this.album(id) : null;
    if (album !== null) return contentHeadOf(album);
    return this.#laid.goneAlbums.has(id) ? '' : this.#base.contentHead(id);
  }

  albumsByText(text: TextKey, limit: number): Hit[] {
    const found = new Map<string, number>();
    const { rows, compact } = this.#base;
    for (const field of ['albumTitles', 'albumNames'] as const) {
      const index = this.#base[field]();
      const old = index.search(text.leet, limit, this.#laid.texts);
      const now = this.#top[field].search(text.leet, limit);
      for (const { id, score } of joinHits(
        old.map(({ doc, score }) => ({ id: rows.text(compact.albums.id, doc), score })),
        now.map(({ doc, score }) => ({ id: this.#top.albums[doc]?.id ?? '', score })),
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
    for (const { id: artist, score } of this.artistsByText(text, 6)) {
      if (score < 0.7) continue;
      const row = this.#base.rows.artistRow(artist);
      for (let at = albumsOfArtist.starts[row] ?? 0; at < (albumsOfArtist.starts[row + 1] ?? 0); at++) {
        const album = albumsOfArtist.list[at] ?? 0;
        if (this.#laid.credits[album] !== 1) take(this.#base.rows.text(albums.id, album), score);
      }
      for (const id of this.#laid.creditsOf.get(artist) ?? []) take(id, score);
    }
    return [...found]
      .map(([id, score]) => ({ id, score }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  artistsByText(text: TextKey, limit: number): (Hit & { artist: Artist })[] {
    const { rows } = this.#base;
    const now = (artist: Artist): Artist => this.#laid.artists.get(artist.id) ?? artist;
    return joinHits(
      this.#base
        .artistNames()
        .search(text.leet, limit, this.#laid.names)
        .map(({ doc, score }) => ({ artist: now(rows.artistAt(doc)), score })),
      this.#top.artistNames
        .search(text.leet, limit)
        .flatMap(({ doc, score }) => this.#top.artists.slice(doc, doc + 1).map((artist) => ({ artist, score }))),
      limit,
    ).map(({ artist }) => ({
      id: artist.id,
      artist,
      score: textSimilarity(text, this.#base.keyOf(artist.name)),
    }));
  }

  tracksByText(text: TextKey, limit: number, near: number | null = null): Hit[] {
    const { titles } = this.#top;
    const byTitle = new Map<string, { leet: string; score: number; base: number; top: number }>();
    for (const { doc, score } of this.#base.titles().search(text.leet, limit, this.#laid.titles)) {
      const leet = leetOf(this.#base, doc);
      byTitle.set(leet, { leet, score, base: doc, top: -1 });
    }
    const added: { leet: string; score: number; base: number; top: number }[] = [];
    for (const { doc, score } of titles.index.search(text.leet, limit)) {
      const leet = titles.texts[doc] ?? '';
      const known = byTitle.get(leet);
      if (known) known.top = doc;
      else added.push({ leet, score, base: -1, top: doc });
    }
    const hits: Hit[] = [];
    const most = limit * MOST_TIES;
    const byLeet = (a: { leet: string }, b: { leet: string }): number => (a.leet < b.leet ? -1 : 1);
    for (const title of joinHits([...byTitle.values()], added, limit, byLeet)) {
      if (hits.length >= most) break;
      const tracks = [...this.#tracksOfBase(title.base, near), ...this.#tracksOfTop(title.top, near)];
      if (tracks.length > most && near !== null) tracks.sort((a, b) => a.off - b.off);
      for (const { index, row } of tracks.slice(0, most)) {
        const id = index === 'top' ? (this.#top.tracks[row]?.id ?? '') : this.#idOfRow(row);
        hits.push({ id, score: title.score });
      }
    }
    return hits;
  }

  #idOfRow(row: number): string {
    return this.#base.rows.text(this.#base.compact.tracks.id, row);
  }

  /** The living tracks of a title of the base, with how far off their lengths are. */
  #tracksOfBase(doc: number, near: number | null): Near[] {
    const { titles, tracks } = this.#base.compact;
    if (doc < 0) return [];
    const out: Near[] = [];
    for (let at = titles.starts[doc] ?? 0; at < (titles.starts[doc + 1] ?? 0); at++) {
      const row = titles.tracks[at] ?? 0;
      if (this.#laid.dead[row] === 1) continue;
      out.push({ index: 'base', row, off: near === null ? 0 : Math.abs((tracks.length[row] ?? 0) - 1 - near) });
    }
    return out;
  }

  #tracksOfTop(doc: number, near: number | null): Near[] {
    return (this.#top.titles.tracks[doc] ?? []).map((row) => {
      const length = this.#top.tracks[row]?.duration_ms ?? -1;
      return { index: 'top', row, off: near === null ? 0 : Math.abs(length - near) };
    });
  }

  albumsByDurations(files: Parameters<CatalogIndex['albumsByDurations']>[0], limit: number): Hit[] {
    const { albums, lengths } = this.#base.compact;
    const sources = [
      { arrays: lengths, gone: this.#laid.lengths },
      { arrays: this.#top.lengths, gone: null },
    ];
    return albumsByLengths(sources, this.#top.lengths.sizes, this.#density, files, limit).map(({ row, score }) => ({
      id:
        row < albums.id.length ? this.#base.rows.text(albums.id, row) : (this.#top.added[row - albums.id.length] ?? ''),
      score,
    }));
  }

  #namesakesOf(track: Track): number {
    const key = this.#base.keyOf(track.title);
    const row = this.#base.rows.trackRow(track.id);
    const before =
      row < 0 || this.#laid.dead[row] === 1
        ? this.#base.namesakesOf(key)
        : (this.#base.compact.tracks.namesakes[row] ?? 1);
    return before + (this.#namesakes.get(key.compact) ?? 0);
  }

  readonly #density = (milliseconds: number): number => {
    const [from, to] = windowOf(milliseconds);
    const dead = { lengths: this.#laid.deadLengths };
    const [base, top] = [this.#base.compact.lengths, this.#top.lengths];
    const near = countBetween(base, from, to) - countBetween(dead, from, to) + countBetween(top, from, to);
    return densityOf(near, base.lengths.length - dead.lengths.length + top.lengths.length, milliseconds);
  };
}

interface Near {
  index: 'base' | 'top';
  row: number;
  off: number;
}

/** As the builder orders them. */
function inPlayingOrder(a: Track, b: Track): number {
  const byPlace = a.disc - b.disc || a.position - b.position;
  return byPlace || compareTexts(a.title, b.title) || (a.duration_ms ?? -1) - (b.duration_ms ?? -1);
}

function leetOf({ compact, rows, keyOf }: CompactIndex, doc: number): string {
  return keyOf(rows.text(compact.tracks.title, compact.titles.tracks[compact.titles.starts[doc] ?? 0] ?? 0)).leet;
}
