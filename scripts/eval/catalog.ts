/**
 * A synthetic catalog of any size: several scripts, names by Zipf's law, titles that repeat, lengths as albums have
 * them, and what makes matching hard: second editions, live albums, remixes, compilations, several discs.
 */
import type { Album, Artist, CatalogFile } from '#lanes/music/core/catalog.ts';
import { seeded, type Random } from './random.ts';
import { GENERIC_TITLES, VOCABULARIES, type Vocabulary } from './words.ts';

type SyntheticTrack = CatalogFile['tracks'][number];

interface Made {
  album: Album;
  tracks: SyntheticTrack[];
}

/** `tracks` is reached within one album. The same seed gives the same rows. */
export function syntheticCatalog(options: { seed: number; tracks: number }): CatalogFile {
  const random = seeded(options.seed);
  const out: CatalogFile = { artists: [], albums: [], tracks: [] };
  const taken = new Set<string>();
  while (out.tracks.length < options.tracks) {
    const vocabulary = vocabularyOf(random);
    const artist: Artist = { id: `ar_${out.artists.length}`, name: artistName(random, vocabulary) };
    out.artists.push(artist);
    const albums = 1 + random.below(1 + Math.floor(random.next() ** 3 * 14));
    for (let n = 0; n < albums && out.tracks.length < options.tracks; n++) {
      const made = newAlbum(random, vocabulary, artist, out.albums.length, taken);
      for (const one of [made, ...relatives(random, vocabulary, made, out.albums.length + 1)]) {
        out.albums.push(one.album);
        for (const track of one.tracks) out.tracks.push(track);
      }
    }
  }
  return out;
}

function vocabularyOf(random: Random): Vocabulary {
  let left = random.next();
  return VOCABULARIES.find((one) => (left -= one.share) < 0) ?? random.pick(VOCABULARIES);
}

const titled = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function artistName(random: Random, vocabulary: Vocabulary): string {
  if (random.chance(0.5)) {
    const [given, family] = [random.pick(vocabulary.given), random.pick(vocabulary.family)];
    const middle = random.chance(0.3) && vocabulary.joint === ' ' ? ` ${titled(made(random))} ` : vocabulary.joint;
    return vocabulary.joint === '' ? `${family}${given}${random.pick(vocabulary.words)}` : `${given}${middle}${family}`;
  }
  const name = random.pick(vocabulary.band).replaceAll('{}', () => titled(random.pick(vocabulary.words)));
  return random.chance(0.6) && vocabulary.joint === ' ' ? `${name} ${titled(made(random))}` : name;
}

/** A word that is in no dictionary, as bands like them. */
function made(random: Random): string {
  const syllable = (): string =>
    random.pick(['b', 'd', 'k', 'l', 'm', 'n', 'r', 's', 't', 'v', 'z', 'sh', 'tr', 'gl']) +
    random.pick(['a', 'e', 'i', 'o', 'u', 'ou', 'ei']);
  return Array.from({ length: 2 + random.below(2) }, syllable).join('') + random.pick(['', 'n', 'x', 's', 'th']);
}

function title(random: Random, vocabulary: Vocabulary): string {
  if (random.chance(0.03)) return random.common(GENERIC_TITLES);
  const few = vocabulary.words.length < 100 ? 1 : 0;
  const count = few + 1 + Math.min(4, Math.floor(Math.abs(random.normal()) * 1.9));
  const word = (): string => (random.chance(0.25) ? random.common(vocabulary.words) : random.pick(vocabulary.words));
  const words = Array.from({ length: count }, () => titled(word()));
  if (vocabulary.joint === ' ' && random.chance(0.12))
    words.push(random.chance(0.5) ? titled(made(random)) : random.pick(vocabulary.given));
  const linked = vocabulary.joint === ' ' && words.length > 2 && random.chance(0.5);
  if (linked) words.splice(1, 0, random.pick(['of the', 'in the', 'and', 'for a', 'without', 'to']));
  const text = words.join(vocabulary.joint);
  if (random.chance(0.03)) return `${text} (feat. ${artistName(random, vocabulary)})`;
  return random.chance(0.02) ? `${text}, Pt. ${1 + random.below(3)}` : text;
}

/** Milliseconds: log-normal around 3:50, with interludes and a long tail. */
function length(random: Random): number {
  if (random.chance(0.04)) return 12_000 + random.below(70_000);
  return Math.round(Math.min(1_800_000, Math.max(45_000, 230_000 * Math.exp(0.32 * random.normal()))));
}

function newAlbum(random: Random, vocabulary: Vocabulary, artist: Artist, number: number, taken: Set<string>): Made {
  let name = title(random, vocabulary);
  while (taken.has(`${artist.id} ${name}`)) name = `${name} ${titled(random.common(vocabulary.words))}`;
  taken.add(`${artist.id} ${name}`);
  const discs = random.chance(0.05) ? 2 : 1;
  const various = random.chance(0.03);
  const album: Album = {
    id: `al_${number}`,
    title: name,
    artist_id: artist.id,
    artist: various ? 'Various Artists' : artist.name,
    year: 1955 + Math.floor(70 * Math.sqrt(random.next())),
    is_compilation: various,
    discs,
    track_count: 0,
  };
  const tracks: SyntheticTrack[] = [];
  for (let disc = 1; disc <= discs; disc++) {
    const count = random.chance(0.1) ? 1 + random.below(3) : 5 + random.below(12);
    for (let position = 1; position <= count; position++) {
      tracks.push({
        id: `tr_${number}_${disc}_${position}`,
        album_id: album.id,
        title: title(random, vocabulary),
        artist_id: artist.id,
        artist: various ? artistName(random, vocabulary) : artist.name,
        disc,
        position,
        duration_ms: length(random),
      });
    }
  }
  album.track_count = tracks.length;
  return { album, tracks };
}

/** What else of an album is in the catalog: a remaster or a longer edition, a live album. */
function relatives(random: Random, vocabulary: Vocabulary, of: Made, number: number): Made[] {
  const out: Made[] = [];
  const copy = (name: string, year: number, change: (track: SyntheticTrack) => SyntheticTrack, extra: number): void => {
    const id = `al_${number + out.length}`;
    const tracks = of.tracks.map((track) => ({ ...change(track), album_id: id }));
    const last = tracks.at(-1);
    for (let n = 1; n <= extra && last; n++) {
      const bonus = {
        ...last,
        title: `${title(random, vocabulary)} (Demo)`,
        position: last.position + n,
        duration_ms: length(random),
      };
      tracks.push(bonus);
    }
    const numbered = tracks.map((track) => ({ ...track, id: `tr${id.slice(2)}_${track.disc}_${track.position}` }));
    out.push({ album: { ...of.album, id, title: name, year, track_count: numbered.length }, tracks: numbered });
  };
  const near = (track: SyntheticTrack): SyntheticTrack => ({
    ...track,
    duration_ms: (track.duration_ms ?? 0) + Math.round(400 * random.normal()),
  });
  const year = of.album.year ?? 2000;
  if (random.chance(0.05)) copy(`${of.album.title} (Remastered)`, year + 12, near, 0);
  if (random.chance(0.04)) copy(`${of.album.title} (Deluxe Edition)`, year + 1, near, 2 + random.below(4));
  if (random.chance(0.03)) {
    const place = titled(random.pick(vocabulary.words));
    const live = (track: SyntheticTrack): SyntheticTrack => ({
      ...track,
      title: `${track.title} (Live)`,
      duration_ms: Math.round((track.duration_ms ?? 0) * (1.06 + 0.12 * random.next())),
    });
    copy(`${vocabulary.live.replace('{}', place)}`, year + 3, live, 0);
  }
  return out;
}
