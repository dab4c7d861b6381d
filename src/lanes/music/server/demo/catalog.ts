/**
 * The catalog that the first start loads (unless ACCESSION_DEMO=0): well-known albums, so that a
 * newcomer can try the whole path at once. Facts only, lengths to the second, ids readable and the
 * same on every machine.
 */
import { slugify } from 'transliteration';
import type { Artist, CatalogFile } from '#lanes/music/core/catalog.ts';
import type { DemoAlbum } from './album.ts';
import { classical } from './albums/classical.ts';
import { electronic } from './albums/electronic.ts';
import { folk } from './albums/folk.ts';
import { hipHop } from './albums/hip-hop.ts';
import { jazz } from './albums/jazz.ts';
import { metal } from './albums/metal.ts';
import { pop } from './albums/pop.ts';
import { rock } from './albums/rock.ts';
import { soul } from './albums/soul.ts';
import { soundtrack } from './albums/soundtrack.ts';
import { world } from './albums/world.ts';

const GENRES = [rock, pop, jazz, soul, hipHop, electronic, classical, folk, metal, soundtrack, world];

/** Letters and digits of any script as ASCII, the rest as `-`: part of an id. */
function slug(text: string): string {
  return slugify(text, { lowercase: true, separator: '-' });
}

/**
 * Ids: `ar_radiohead`, `al_ok-computer`, `tr_ok-computer_1-01` (disc, position). Two albums with one
 * title would share an id; a test holds that there are none.
 */
export function buildCatalog(demoAlbums: readonly DemoAlbum[]): CatalogFile {
  const artists = new Map<string, Artist>();
  const artistId = (name: string): string => {
    const id = `ar_${slug(name)}`;
    artists.set(id, { id, name });
    return id;
  };
  const albums: CatalogFile['albums'] = [];
  const tracks: CatalogFile['tracks'] = [];
  for (const { title, artist, year, is_compilation, discs } of demoAlbums) {
    const album_id = `al_${slug(title)}`;
    const albumArtistId = artistId(artist);
    const track_count = discs.flat().length;
    albums.push({
      id: album_id,
      title,
      artist_id: albumArtistId,
      artist,
      year,
      is_compilation,
      discs: discs.length,
      track_count,
    });
    for (const [discIndex, disc] of discs.entries()) {
      for (const [index, track] of disc.entries()) {
        const place = `${discIndex + 1}-${String(index + 1).padStart(2, '0')}`;
        tracks.push({
          id: `tr_${slug(title)}_${place}`,
          album_id,
          title: track.title,
          artist_id: track.artist === null ? albumArtistId : artistId(track.artist),
          artist: track.artist ?? artist,
          disc: discIndex + 1,
          position: index + 1,
          duration_ms: track.duration_ms,
        });
      }
    }
  }
  return { artists: [...artists.values()], albums, tracks };
}

export const demoCatalog: CatalogFile = buildCatalog(GENRES.flat());

/** Pending requests of the demo. *Try it* takes one: a whole album, and one that is done in a minute. */
export const demoRequests: { album_id: string }[] = [
  { album_id: 'al_ok-computer' },
  { album_id: 'al_long-tall-sally' },
];
