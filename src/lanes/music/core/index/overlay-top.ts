/** A small index of what the base does not have, with the base's weights, so that scores compare. */
import type { Album, Artist, Track } from '../catalog.ts';
import type { CompactIndex } from './compact-index.ts';
import type { LengthArrays } from './length-index.ts';
import type { Laid } from './overlay-changes.ts';
import { buildTextArrays, openTextIndex, PRICEY_SLICE, SLICE, type TextArrays, type TextIndex } from './text-index.ts';

export interface Top {
  artists: readonly Artist[];
  albums: readonly Album[];
  tracks: readonly Track[];
  artistNames: TextIndex;
  albumTitles: TextIndex;
  albumNames: TextIndex;
  /** Distinct folded titles in order of the alphabet, and the tracks (of `tracks`) that have each. */
  titles: { index: TextIndex; texts: readonly string[]; tracks: readonly (readonly number[])[] };
  /** `albums` are slots: rows of the base, then albums that it does not have (`added`). */
  lengths: LengthArrays;
  added: readonly string[];
}

/** Builds it, pausing (`yield`) every few milliseconds. */
export function* topSteps(base: CompactIndex, laid: Laid): Generator<void, Top> {
  const { artists, albums, tracks } = laid.found;
  const { compact, keyOf } = base;
  const byTitle = new Map<string, number[]>();
  for (const [n, track] of tracks.entries()) {
    if (n % PRICEY_SLICE === 0) yield;
    const { leet } = keyOf(track.title);
    const list = byTitle.get(leet);
    if (list) list.push(n);
    else byTitle.set(leet, [n]);
  }
  const texts = [...byTitle.keys()].sort();
  const titleOf = (doc: number): string => keyOf(albums[doc]?.title ?? '').leet;
  const artistOf = (doc: number): string => keyOf(albums[doc]?.artist ?? '').leet;
  return {
    artists,
    albums,
    tracks,
    artistNames: yield* textIndex(artists.length, (doc) => keyOf(artists[doc]?.name ?? '').leet, compact.artistNames),
    albumTitles: yield* textIndex(albums.length, titleOf, compact.albumTitles),
    albumNames: yield* textIndex(albums.length, (doc) => artistOf(doc) + titleOf(doc), compact.albumNames),
    titles: {
      index: yield* textIndex(texts.length, (doc) => texts[doc] ?? '', compact.titles.text),
      texts,
      tracks: texts.map((text) => byTitle.get(text) ?? []),
    },
    ...(yield* lengthsOf(base, laid)),
  };
}

function* textIndex(count: number, text: (doc: number) => string, like: TextArrays): Generator<void, TextIndex> {
  for (let doc = 0; doc < count; doc++) {
    // Folds and keeps: what follows asks twice, in larger slices.
    if (doc % PRICEY_SLICE === 0) yield;
    text(doc);
  }
  const arrays = yield* buildTextArrays(count, text, like);
  yield;
  return openTextIndex(arrays, like);
}

function* lengthsOf(base: CompactIndex, laid: Laid): Generator<void, { lengths: LengthArrays; added: string[] }> {
  const { albums, tracks, lengths } = base.compact;
  const slots = new Map<string, number>();
  const added: string[] = [];
  const slotOf = (id: string): number => {
    const known = slots.get(id);
    if (known !== undefined) return known;
    const row = base.rows.albumRow(id);
    const slot = row >= 0 ? row : albums.id.length + added.push(id) - 1;
    slots.set(id, slot);
    return slot;
  };
  const entries: { length: number; slot: number; position: number }[] = [];
  for (const [n, { album_id, duration_ms, position }] of laid.found.tracks.entries()) {
    if (n % SLICE === 0) yield;
    const slot = slotOf(album_id);
    const length = duration_ms === null ? 0 : Math.round(duration_ms);
    if (length > 0) entries.push({ length, slot, position });
  }
  entries.sort((a, b) => a.length - b.length);
  const sizes = new Uint16Array(albums.id.length + added.length);
  sizes.set(lengths.sizes);
  for (const row of laid.deadTracks) {
    const album = tracks.album[row] ?? 0;
    if ((tracks.length[row] ?? 0) > 1) sizes[album] = (sizes[album] ?? 0) - 1;
  }
  for (const { slot } of entries) sizes[slot] = (sizes[slot] ?? 0) + 1;
  return {
    lengths: {
      lengths: Uint32Array.from(entries, (entry) => entry.length),
      albums: Uint32Array.from(entries, (entry) => entry.slot),
      positions: Uint16Array.from(entries, (entry) => entry.position),
      sizes,
    },
    added,
  };
}
