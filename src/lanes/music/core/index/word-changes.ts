/** What is found by other words than when the index of words was made: kept up to date a record at a time. */
import { grams } from '#core/text/question.ts';
import { words } from '#core/text/word-score.ts';
import type { Album, Artist, Track } from '../catalog.ts';
import { distinctOf, partOf } from './build-words.ts';
import { KINDS, type Kind } from './word-arrays.ts';
import type { WordBase } from './word-base.ts';

/** An entry that the base does not have as it is. */
export interface ChangedEntry {
  id: string;
  /** Entries of the base that go before it. */
  before: number;
  fields: number[][];
  /** Its words, each once. */
  terms: number[];
}

interface KindChanges {
  /** 1: this entry of the base does not hold any more. */
  gone: Uint8Array;
  entries: Map<string, ChangedEntry>;
  /** By term, in order. */
  postings: Map<number, ChangedEntry[]>;
}

type TrackTexts = Pick<Track, 'title' | 'artist' | 'album_id'>;

export class WordChanges {
  readonly #base: WordBase;
  readonly #kinds: Record<Kind, KindChanges>;
  /** Words that the base does not have; numbered from where its vocabulary ends. */
  readonly #added: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #frequencies = new Map<number, number>();
  /** Added words by part, and all in order of the alphabet. */
  readonly #parts = new Map<number, number[]>();
  readonly #inOrder: number[] = [];
  /** Titles of albums that changed; what tracks are now that changed, null where they are gone; those by album. */
  readonly #titles = new Map<string, string>();
  readonly #tracks = new Map<string, TrackTexts | null>();
  readonly #tracksOf = new Map<string, Set<string>>();

  constructor(base: WordBase) {
    this.#base = base;
    const none = (kind: Kind): KindChanges => ({
      gone: new Uint8Array(base.arrays[kind].rows.length),
      entries: new Map(),
      postings: new Map(),
    });
    this.#kinds = { artists: none('artists'), albums: none('albums'), tracks: none('tracks') };
  }

  /** Entries that differ from the base. */
  get count(): number {
    return KINDS.reduce((sum, kind) => sum + this.#kinds[kind].entries.size, 0);
  }

  goneOf(kind: Kind): Uint8Array {
    return this.#kinds[kind].gone;
  }

  postingsOf(kind: Kind, term: number): readonly ChangedEntry[] {
    return this.#kinds[kind].postings.get(term) ?? [];
  }

  /** More or fewer entries than the base has that have this term. */
  frequency(term: number): number {
    return this.#frequencies.get(term) ?? 0;
  }

  term(number: number): string {
    return this.#added[number - this.#base.size] ?? '';
  }

  find(word: string): number {
    return this.#numbers.get(word) ?? -1;
  }

  /** Added words that have a part. */
  having(part: number): readonly number[] {
    return this.#parts.get(part) ?? [];
  }

  /** Added words that begin with a text, in order. */
  beginningWith(text: string): readonly number[] {
    const from = this.#placeOf(text);
    let to = from;
    while (to < this.#inOrder.length && this.term(this.#inOrder[to] as number).startsWith(text)) to++;
    return this.#inOrder.slice(from, to);
  }

  putArtist({ id, name }: Artist): void {
    this.#put('artists', id, [name]);
  }

  /** Its tracks are found by its title, too. */
  putAlbum({ id, title, artist, year }: Album): void {
    this.#put('albums', id, [title, artist, String(year ?? '')]);
    if (this.#titleOf(id) === title) return;
    this.#titles.set(id, title);
    const { named, rows } = this.#base;
    for (const row of this.#rowsOf(id))
      this.#putTrack(rows.text(named.tracks.id, row), {
        title: rows.text(named.tracks.title, row),
        artist: rows.text(named.tracks.artist, row),
        album_id: id,
      });
    for (const track of this.#tracksOf.get(id) ?? []) {
      const now = this.#tracks.get(track);
      if (now) this.#putTrack(track, now);
    }
  }

  putTrack({ id, title, artist, album_id }: { id: string } & TrackTexts): void {
    this.#moveTrack(id, { title, artist, album_id });
    this.#putTrack(id, { title, artist, album_id });
  }

  dropArtist(id: string): void {
    this.#drop('artists', id);
  }

  /** With the tracks that it had. */
  dropAlbum(id: string): void {
    this.#drop('albums', id);
    const { named, rows } = this.#base;
    for (const row of this.#rowsOf(id)) this.dropTrack(rows.text(named.tracks.id, row));
    for (const track of this.#tracksOf.get(id) ?? []) this.dropTrack(track);
    this.#titles.set(id, '');
  }

  dropTrack(id: string): void {
    this.#moveTrack(id, null);
    this.#drop('tracks', id);
  }

  /** Rows of an album's tracks that are as the base has them. */
  #rowsOf(album: string): number[] {
    const { named, rows } = this.#base;
    const row = rows.albumRow(album);
    if (row < 0) return [];
    const { firstTrack } = named.albums;
    const all = Array.from(
      { length: (firstTrack[row + 1] ?? 0) - (firstTrack[row] ?? 0) },
      (_, at) => (firstTrack[row] ?? 0) + at,
    );
    return all.filter((at) => !this.#tracks.has(rows.text(named.tracks.id, at)));
  }

  #titleOf(album: string): string {
    const { named, rows } = this.#base;
    const row = rows.albumRow(album);
    return this.#titles.get(album) ?? (row < 0 ? '' : rows.text(named.albums.title, row));
  }

  #moveTrack(id: string, now: TrackTexts | null): void {
    const before = this.#tracks.get(id);
    if (before) this.#tracksOf.get(before.album_id)?.delete(id);
    this.#tracks.set(id, now);
    if (now === null) return;
    const list = this.#tracksOf.get(now.album_id);
    if (list) list.add(id);
    else this.#tracksOf.set(now.album_id, new Set([id]));
  }

  #putTrack(id: string, { title, artist, album_id }: TrackTexts): void {
    this.#put('tracks', id, [title, artist, this.#titleOf(album_id)]);
  }

  #put(kind: Kind, id: string, texts: readonly string[]): void {
    this.#drop(kind, id);
    const { entries, gone, postings } = this.#kinds[kind];
    const fields = texts.map((text) => words(text).map((word) => this.#numberOf(word)));
    const terms: number[] = [];
    distinctOf(fields, terms);
    this.#count(terms, 1);
    const known = this.#base.entryOf(kind, id);
    if (known >= 0 && isSame(fields, this.#base.fields(kind, known))) {
      gone[known] = 0;
      return;
    }
    const entry: ChangedEntry = { id, before: this.#entriesBefore(kind, terms.length, id), fields, terms };
    entries.set(id, entry);
    for (const term of terms) {
      const list = postings.get(term);
      if (list) list.splice(placeAmong(list, entry), 0, entry);
      else postings.set(term, [entry]);
    }
  }

  #drop(kind: Kind, id: string): void {
    const { entries, gone, postings } = this.#kinds[kind];
    const changed = entries.get(id);
    if (changed) {
      entries.delete(id);
      this.#count(changed.terms, -1);
      for (const term of changed.terms) {
        const list = postings.get(term) ?? [];
        list.splice(placeAmong(list, changed), 1);
        if (list.length === 0) postings.delete(term);
      }
      return;
    }
    const known = this.#base.entryOf(kind, id);
    if (known < 0 || gone[known] === 1) return;
    gone[known] = 1;
    const terms: number[] = [];
    distinctOf(this.#base.fields(kind, known), terms);
    this.#count(terms, -1);
  }

  #count(terms: readonly number[], by: number): void {
    for (const term of terms) this.#frequencies.set(term, this.frequency(term) + by);
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word) ?? this.#base.find(word);
    if (known >= 0) return known;
    const number = this.#base.size + this.#added.length;
    this.#inOrder.splice(this.#placeOf(word), 0, number);
    this.#added.push(word);
    this.#numbers.set(word, number);
    for (const gram of grams(word)) {
      const list = this.#parts.get(partOf(gram));
      if (list) list.push(number);
      else this.#parts.set(partOf(gram), [number]);
    }
    return number;
  }

  /** Where a text stands or would stand among the added words. */
  #placeOf(text: string): number {
    let low = 0;
    let high = this.#inOrder.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.term(this.#inOrder[middle] as number) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Entries of the base with fewer words, or as many and a lesser id. */
  #entriesBefore(kind: Kind, terms: number, id: string): number {
    const found: number[] = [];
    let low = 0;
    let high = this.#base.arrays[kind].rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const size = distinctOf(this.#base.fields(kind, middle), found);
      if (size < terms || (size === terms && this.#base.idOf(kind, middle) < id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Below zero where `a` goes first. */
export const compareEntries = (a: ChangedEntry, b: ChangedEntry): number =>
  a.before - b.before || a.terms.length - b.terms.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

function placeAmong(list: readonly ChangedEntry[], entry: ChangedEntry): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareEntries(list[middle] as ChangedEntry, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isSame = (a: readonly ArrayLike<number>[], b: readonly ArrayLike<number>[]): boolean =>
  a.every((field, at) => {
    const other = b[at];
    return other?.length === field.length && Array.from(field).every((word, place) => word === other[place]);
  });
