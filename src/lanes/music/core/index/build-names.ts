/** Makes an index of words of a catalog's rows, with what it needs of them and nothing else. */
import type { Album, Artist, Track } from '../catalog.ts';
import { Column, StringTableBuilder, stringTable } from '#core/index/strings.ts';
import { byAlbum } from './build.ts';
import { buildWordArrays, type Named } from './build-words.ts';
import { buildIdTable } from './id-table.ts';
import type { WordArrays } from './word-arrays.ts';

/**
 * Names that are remembered, so that they are kept once: an artist's come one after the other, and some titles come
 * again and again. A map of all would take more memory than keeping the others twice does.
 */
const REMEMBERED = 20_000;

/** Takes artists, then albums, then tracks, no id twice; tracks of unknown albums are left out. */
export class NamesBuilder {
  readonly #strings = new StringTableBuilder();
  readonly #remembered = new Map<string, number>();
  readonly #artists = { id: new Column(), name: new Column() };
  readonly #albums = { id: new Column(), title: new Column(), artist: new Column(), year: new Column() };
  readonly #tracks = { id: new Column(), album: new Column(), title: new Column(), artist: new Column() };
  readonly #albumOf = new Map<string, number>();
  readonly #most: number;

  /** @param most names that are remembered at a time */
  constructor(most = REMEMBERED) {
    this.#most = most;
  }

  addArtist({ id, name }: Pick<Artist, 'id' | 'name'>): void {
    this.#artists.id.push(this.#strings.append(id));
    this.#artists.name.push(this.#name(name));
  }

  addAlbum({ id, title, artist, year }: Pick<Album, 'id' | 'title' | 'artist' | 'year'>): void {
    this.#albumOf.set(id, this.#albumOf.size);
    this.#albums.id.push(this.#strings.append(id));
    this.#albums.title.push(this.#name(title));
    this.#albums.artist.push(this.#name(artist));
    this.#albums.year.push((year ?? -1) + 1);
  }

  addTrack({ id, album_id, title, artist }: Pick<Track, 'id' | 'album_id' | 'title' | 'artist'>): void {
    const album = this.#albumOf.get(album_id);
    if (album === undefined) return;
    this.#tracks.id.push(this.#strings.append(id));
    this.#tracks.album.push(album);
    this.#tracks.title.push(this.#name(title));
    this.#tracks.artist.push(this.#name(artist));
  }

  /** Pauses (`yield`) every few milliseconds. The builder is of no use afterwards. */
  *steps(): Generator<void, { named: Named; words: WordArrays }> {
    this.#remembered.clear();
    const albums = this.#albumOf.size;
    this.#albumOf.clear();
    const { bytes, ends } = this.#strings.build();
    const strings = stringTable(bytes, ends);
    yield;
    const { order, firstTrack } = byAlbum(Int32Array.from(this.#tracks.album.values), albums);
    const inOrder = (column: Column): Uint32Array => {
      const { values } = column;
      const sorted = order.map((at) => values[at] ?? 0);
      column.drop();
      return sorted;
    };
    const artist = { id: this.#artists.id.values, name: this.#artists.name.values };
    const album = { id: this.#albums.id.values, title: this.#albums.title.values, artist: this.#albums.artist.values };
    const tracks = {
      id: inOrder(this.#tracks.id),
      album: inOrder(this.#tracks.album),
      title: inOrder(this.#tracks.title),
      artist: inOrder(this.#tracks.artist),
    };
    const named: Named = {
      strings,
      artists: { ...artist, byId: yield* buildIdTable(strings, artist.id) },
      albums: {
        ...album,
        firstTrack,
        year: Uint16Array.from(this.#albums.year.values),
        byId: yield* buildIdTable(strings, album.id),
      },
      tracks: { ...tracks, byId: yield* buildIdTable(strings, tracks.id) },
    };
    return { named, words: yield* buildWordArrays(named) };
  }

  #name(name: string): number {
    const known = this.#remembered.get(name);
    if (known !== undefined) return known;
    if (this.#remembered.size >= this.#most) this.#remembered.clear();
    const number = this.#strings.append(name);
    this.#remembered.set(name, number);
    return number;
  }
}
