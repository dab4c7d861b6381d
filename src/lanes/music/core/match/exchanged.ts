/** MATCH-102: tags whose title and artist were exchanged, as programs do that split names at the wrong side. */
import type { CatalogIndex } from '../index/catalog-index.ts';
import type { FileReading } from '../names/reading.ts';
import { remixersIn, versionsOf } from '../names/versions.ts';
import { textKey } from '#core/text/similarity.ts';

/** Tracks looked at that have the text of the artist's tag for a title. */
const MOST = 8;

/**
 * The file read with title and artist exchanged, where the catalog has a track that is called as the artist's tag, by
 * whom the title's tag names; the file itself where it has none, or where name, folder or another tag say the same as
 * the tags do.
 */
export function withTagsTurned(file: FileReading, index: CatalogIndex): FileReading {
  const { title = '', artist = '', albumartist } = file.evidence.tags;
  if (title === '' || file.tagArtist === null || albumartist === artist) return file;
  const [song, name] = [textKey(artist), textKey(title)];
  if (
    song.compact === '' ||
    name.compact === '' ||
    song.compact === name.compact ||
    isSaid(file, name.compact, song.compact)
  )
    return file;
  const isTurned = index.tracksByText(song, MOST, file.evidence.duration_ms).some((hit) => {
    const track = index.track(hit.id);
    return (
      track !== null && textKey(track.title).compact === song.compact && textKey(track.artist).compact === name.compact
    );
  });
  if (!isTurned) return file;
  return {
    ...file,
    titles: [{ key: song, text: artist, source: 'tag' }, ...file.titles.filter(({ source }) => source !== 'tag')],
    artists: [{ key: name, source: 'tag' }, ...file.artists.filter(({ source }) => source !== 'tag')],
    tagArtist: title,
    shownTitle: artist,
    tagVersions: versionsOf(artist),
    remixers: remixersIn(artist),
  };
}

/** The name of the file has the title, or a folder the artist, where the tags have them. */
function isSaid(file: FileReading, title: string, artist: string): boolean {
  const names = file.titles.some(({ source, key }) => source === 'name' && key.compact === title);
  return names || file.artists.some(({ source, key }) => source === 'folder' && key.compact === artist);
}
