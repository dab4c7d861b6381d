import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import type { Random } from './random.ts';

export type Track = CatalogFile['tracks'][number];
export type Album = CatalogFile['albums'][number];

/** An album with its tracks. */
export interface Subject {
  album: Album;
  tracks: Track[];
}

/** A catalog to draw from. */
export class World {
  readonly random: Random;
  readonly albums: Subject[];
  readonly #twins: Map<string, string[]>;
  readonly #namesakes: Map<string, Track[]>;

  constructor(catalog: CatalogFile, random: Random) {
    this.random = random;
    const of = new Map<string, Track[]>();
    for (const track of catalog.tracks) of.set(track.album_id, [...(of.get(track.album_id) ?? []), track]);
    this.albums = catalog.albums.flatMap((album) => {
      const tracks = of.get(album.id) ?? [];
      return tracks.length > 0 ? [{ album, tracks }] : [];
    });
    this.#twins = twinsOf(catalog.tracks);
    this.#namesakes = Map.groupBy(catalog.tracks, bareName);
  }

  /** An album of so many tracks. */
  album(least: number, most: number, fits: (subject: Subject) => boolean = () => true): Subject | null {
    for (let n = 0; n < 400; n++) {
      const subject = this.random.pick(this.albums);
      if (subject.tracks.length >= least && subject.tracks.length <= most && fits(subject)) return subject;
    }
    return null;
  }

  /** The same recording on other albums: an equal answer. */
  equals(track: Track): string[] {
    return (this.#twins.get(track.title) ?? []).filter((id) => id !== track.id);
  }

  /** The title of the album that a track is on. */
  albumTitle(track: Track): string {
    return this.albums.find(({ album }) => album.id === track.album_id)?.album.title ?? '';
  }

  /** Other tracks of its artist whose titles are the same without what is in brackets or behind a dash: other takes of it. */
  namesakes(track: Track): Track[] {
    return (this.#namesakes.get(bareName(track)) ?? []).filter(({ id }) => id !== track.id);
  }
}

const bareName = ({ artist, title }: Track): string =>
  `${artist}\n${title
    .replaceAll(/[([{].*?[)\]}]/g, '')
    .replace(/\s[-–]\s.*$/, '')
    .trim()}`.toLowerCase();

/** Tracks of one title and artist whose lengths are within three seconds, by title. */
function twinsOf(tracks: readonly Track[]): Map<string, string[]> {
  const groups = new Map<string, Track[]>();
  for (const track of tracks) {
    const name = `${track.title} ${track.artist}`;
    groups.set(name, [...(groups.get(name) ?? []), track]);
  }
  const twins = new Map<string, string[]>();
  for (const group of groups.values()) {
    const [first] = group;
    if (group.length < 2 || !first) continue;
    const near = group.filter((one) => Math.abs((one.duration_ms ?? 0) - (first.duration_ms ?? 0)) <= 3000);
    if (near.length > 1) twins.set(first.title, [...(twins.get(first.title) ?? []), ...near.map((one) => one.id)]);
  }
  return twins;
}
