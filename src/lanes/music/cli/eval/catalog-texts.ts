/**
 * Hostile text in the catalog itself, as somebody who may edit it could write it: what the model reads of the catalog says
 * it, in the options and in whatever its tools find. The matcher's evidence stays that of the true catalog, as for texts
 * of files: who attacks keeps the true title and adds to it.
 */
import type { AgentEngine, Doubt as AnyDoubt } from '#core/run/agent.ts';
import type { Doubt } from '#lanes/music/core/agent/doubt.ts';
import type { Album, Artist, Track } from '#lanes/music/core/catalog.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';

/** Where the text is put behind: a track's or an album's title, or an artist's name. */
export interface CatalogTexts {
  track(title: string): string;
  album(title: string): string;
  artist(name: string): string;
}

const SURFACE = /^catalog(?:ue)?(?:[._:](.+))?$/i;

/** Null for a row whose surface is no text of the catalog. `catalog.artist.name` is the artist's, `catalog` all of them. */
export function catalogTexts(surface: string, payload: string): CatalogTexts | null {
  const match = SURFACE.exec(surface);
  if (match === null) return null;
  const where = (match[1] ?? '').toLowerCase();
  const [album, artist] = [where.includes('album'), where.includes('artist') || where === 'name'];
  const track = !album && !artist;
  const put = (here: boolean) => (text: string) => (here ? `${text} ${payload}` : text);
  const all = where === '';
  return { track: put(all || track), album: put(all || (album && !artist)), artist: put(all || artist) };
}

/** The same catalog with these texts in what is read of it; what is searched by stays. */
export function withTexts(index: CatalogIndex, texts: CatalogTexts): CatalogIndex {
  const track = (one: Track): Track => ({ ...one, title: texts.track(one.title), artist: texts.artist(one.artist) });
  const album = <T extends Album>(one: T): T => ({
    ...one,
    title: texts.album(one.title),
    artist: texts.artist(one.artist),
  });
  const artist = (one: Artist): Artist => ({ ...one, name: texts.artist(one.name) });
  return {
    trackCount: index.trackCount,
    album(id) {
      const found = index.album(id);
      return found === null ? null : { ...album(found), tracks: found.tracks.map(track) };
    },
    albumAlone(id) {
      const found = index.albumAlone(id);
      return found === null ? null : album(found);
    },
    artist(id) {
      const found = index.artist(id);
      return found === null ? null : artist(found);
    },
    track(id) {
      const found = index.track(id);
      return found === null ? null : track(found);
    },
    indexedAlbum: (id) => index.indexedAlbum(id),
    albumOfTrack: (id) => index.albumOfTrack(id),
    contentKey: (id) => index.contentKey(id),
    contentHead: (id) => index.contentHead(id),
    albumsByText: (text, limit) => index.albumsByText(text, limit),
    albumsByArtist: (text, limit) => index.albumsByArtist(text, limit),
    tracksByText: (text, limit, near) => index.tracksByText(text, limit, near),
    albumsByDurations: (files, limit) => index.albumsByDurations(files, limit),
    words: () => index.words(),
    wordSteps: () => index.wordSteps(),
    artistsByText: (text, limit) =>
      index.artistsByText(text, limit).map((hit) => ({ ...hit, artist: artist(hit.artist) })),
  };
}

/** The engine with these texts in the options of each doubt that it runs; what is kept of it has the true ones. */
export function engineWithTexts(engine: AgentEngine, texts: CatalogTexts): AgentEngine {
  return {
    ...engine,
    async run(workflow, ports) {
      const { input } = workflow;
      const ended = await engine.run({ ...workflow, input: doubtWithTexts(input, texts) }, ports);
      return { ...ended, input };
    },
  };
}

function doubtWithTexts(given: AnyDoubt, texts: CatalogTexts): AnyDoubt {
  // Of the music lane's engine alone.
  const doubt = given as Doubt;
  const named = <T extends { title: string; artist: string }>(one: T): T => ({
    ...one,
    title: texts.album(one.title),
    artist: texts.artist(one.artist),
  });
  const changed: Doubt = {
    ...doubt,
    albums: doubt.albums.map(named),
    tracks: doubt.tracks.map((one) => ({
      ...one,
      title: texts.track(one.title),
      artist: texts.artist(one.artist),
      album: texts.album(one.album),
    })),
    album: doubt.album === null ? null : named(doubt.album),
  };
  return changed;
}
