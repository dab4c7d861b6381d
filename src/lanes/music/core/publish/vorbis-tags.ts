import type { Album, Track } from '../catalog.ts';

/**
 * Vorbis comments of a published file, from the catalog alone (never from the file).
 * Field names: https://www.xiph.org/vorbis/doc/v-comment.html and Picard's mapping for the MusicBrainz ids.
 */
export function vorbisTags(track: Track, album: Album | undefined): Record<string, string> {
  const tags: Record<string, string> = {
    TITLE: track.title,
    ARTIST: track.artist,
    TRACKNUMBER: String(track.position),
    DISCNUMBER: String(track.disc),
  };
  if (album) {
    tags['ALBUM'] = album.title;
    tags['ALBUMARTIST'] = album.artist;
    if (album.year !== null) tags['DATE'] = String(album.year);
    if (album.discs > 1) tags['DISCTOTAL'] = String(album.discs);
    else if (album.track_count > 0) tags['TRACKTOTAL'] = String(album.track_count);
    if (album.is_compilation) tags['COMPILATION'] = '1';
    addId(tags, 'MUSICBRAINZ_ALBUMID', album.external_ids?.['musicbrainz_albumid']);
    addId(tags, 'BARCODE', album.external_ids?.['barcode']);
  }
  addId(tags, 'MUSICBRAINZ_TRACKID', track.external_ids?.['musicbrainz_recordingid']);
  addId(tags, 'ISRC', track.external_ids?.['isrc']);
  return tags;
}

function addId(tags: Record<string, string>, name: string, value: string | undefined): void {
  if (value !== undefined && value !== '') tags[name] = value;
}
