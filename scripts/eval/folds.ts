/** Which cases a calibration may be fitted on, so that what is held out is new to it. */
import { fnv1a } from '#core/fnv1a.ts';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import type { LabelledCase } from './case.types.ts';

/** Numbers of cases that are held out, and of those that may be fitted on. */
export interface Fold {
  held: number[];
  fitted: number[];
}

/** Which album a track is on, by the catalog's rows. */
export function albumOf({ tracks }: Pick<CatalogFile, 'tracks'>): (trackId: string) => string | null {
  const albums = new Map(tracks.map(({ id, album_id }) => [id, album_id]));
  return (id) => albums.get(id) ?? null;
}

/** So many parts by album: what is fitted on shares no album with what is held out. */
export function byAlbum(
  cases: readonly LabelledCase[],
  albumOf: (trackId: string) => string | null,
  parts: number,
): Fold[] {
  const albums = cases.map(
    ({ truth, case_id }) =>
      new Set(truth.map(({ track_id }) => (track_id === null ? null : albumOf(track_id)) ?? case_id)),
  );
  const part = albums.map((set) => fnv1a([...set].sort()[0] ?? '') % parts);
  return split(part, parts, (held, n) => {
    const seen = new Set(held.flatMap((at) => [...(albums[at] ?? [])]));
    return [...(albums[n] ?? [])].every((album) => !seen.has(album));
  });
}

/** So many parts by class: what is fitted on has no case of a class that is held out. */
export function byClass(cases: readonly LabelledCase[], parts: number): Fold[] {
  const classes = [...new Set(cases.map(({ cls }) => cls))];
  return split(
    cases.map(({ cls }) => classes.indexOf(cls) % parts),
    parts,
    () => true,
  );
}

function split(part: readonly number[], parts: number, isNew: (held: number[], n: number) => boolean): Fold[] {
  return Array.from({ length: parts }, (_, fold) => {
    const held = part.flatMap((one, n) => (one === fold ? [n] : []));
    return { held, fitted: part.flatMap((one, n) => (one !== fold && isNew(held, n) ? [n] : [])) };
  }).filter(({ held, fitted }) => held.length > 0 && fitted.length > 0);
}
