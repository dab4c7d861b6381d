/** An album that came into the catalog while somebody was about to create it. Pure. */
import type { AlbumDraft, TrackDraft } from './album-draft.ts';

type Named = Pick<AlbumDraft, 'title' | 'artist'>;
/** Names that are one to a person have one key. */
type Key = (text: string) => string;

/** The id of the one album of this title and artist; null where there is none, or several. */
export function ofName(albums: readonly (Named & { id: string })[], wanted: Named, key: Key): string | null {
  const same = albums.filter(
    ({ title, artist }) => key(title) === key(wanted.title) && key(artist) === key(wanted.artist),
  );
  return wanted.title.trim() === '' || same.length !== 1 ? null : (same[0]?.id ?? null);
}

/** Rows of the files that the album has no track for: at their own place where that is free, else behind its disc's last. */
export function missingTracks(album: AlbumDraft, files: AlbumDraft, key: Key): TrackDraft[] {
  const titles = new Set(album.tracks.map(({ title }) => key(title)));
  const places = new Set(album.tracks.map(placeOf));
  return files.tracks.flatMap((row) => {
    if (titles.has(key(row.title))) return [];
    let place = row;
    for (let next = Number(row.position) + 1; places.has(placeOf(place)); next++)
      place = { ...place, position: String(next) };
    places.add(placeOf(place));
    return [place];
  });
}

const placeOf = ({ disc, position }: Pick<TrackDraft, 'disc' | 'position'>): string => `${disc}-${position}`;
