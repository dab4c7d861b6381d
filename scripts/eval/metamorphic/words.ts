/**
 * Words that names and tags carry beside what they name. The lists are the general terms of rippers, encoders, shops
 * and release groups; how often each comes is counted in real names where they are at hand (`countNoise`), else all
 * come alike.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../random.ts';

/** A word or group of words, as it stands beside a name. */
interface Term {
  text: string;
  /** How often it comes beside others; at least 1. */
  weight: number;
}

export interface Noise {
  /** Encoders, bit rates, sources: said of the file and not of the music. */
  quality: readonly Term[];
  /** Said of an edition or a shop's shelf: `Remastered`, `Explicit`, `EP`. */
  edition: readonly Term[];
  /** Release groups. */
  group: readonly Term[];
  /** Folders that people keep anything in. */
  folder: readonly Term[];
}

const QUALITY = [
  ...['320', '320kbps', '320 kbps', '256 kbps', '192kb', '192 kbps', '128kbps', '64kb', 'vbr', 'V0', 'V2', 'CBR'],
  ...['FLAC', 'MP3', 'OGG', 'M4A', 'AAC', 'lossless', '16bit', '24bit', '24-96', '16-44', '44.1kHz', 'Hi-Res'],
  ...['WEB', 'CD', 'CDRip', 'CD Rip', 'Vinyl Rip', 'EAC', 'LOG', 'CUE', 'LP', 'Retail', 'Promo', 'Advance', 'HQ', 'HD'],
  ...['Official Audio', 'Official Video', 'Lyrics', 'Audio', 'Free Download', 'Full Album', 'iTunes', 'Bandcamp'],
  ...['Spotify', 'Deezer', 'Tidal', 'YouTube', 'SoundCloud', 'www.example.com', 'ripped by Anna', 'scan'],
];
const EDITION = [
  ...['Remastered', 'Remaster', '2011 Remaster', 'Remastered 2009', 'Digital Remaster', 'Deluxe', 'Deluxe Edition'],
  ...['Expanded Edition', 'Special Edition', 'Limited Edition', 'Bonus Tracks', 'Bonus Track Version', 'Reissue'],
  ...['Anniversary Edition', 'Collector’s Edition', 'Explicit', 'Explicit Version', 'EP', 'LP', 'Single', 'Album'],
  ...['Album Version', 'Original', 'Original Mix', 'Stereo', 'Japan', 'UK', 'US Release', 'Import', 'Disc 1', 'CD1'],
];
const GROUP = [
  'MTD',
  'FTD',
  'NMR',
  'GRP',
  'RNS',
  'CSR',
  'uC',
  'WRE',
  'dL',
  'DEV',
  'oNe',
  'SiRE',
  'C4',
  'KTMP3',
  'MP3FR',
];
const FOLDER = [
  ...['Downloads', 'My Music', 'Music', 'USB stick', 'Rock', '80s', '90s', 'Jazz', 'New', 'Neu', 'Old', 'Misc'],
  ...['to sort', 'unsorted', '2014-05-03', 'New Folder (3)', 'Desktop', 'iTunes Media', 'Party', 'Car', 'Favourites'],
  ...['mp3', 'Musik', 'Musique', 'backup', 'phone', 'from Anna', 'Best', 'A-F', 'Various', 'Electronic', 'Torrents'],
];

/** Words that stand in brackets, at ends or between dashes of real names, by file where they are at hand. */
const SOURCES = ['archive-names.dev.jsonl', 'real-names.jsonl'];

/** The lists, weighted by how often each term stands in the real names in `folder` (files of `SOURCES`); none need be there. */
export function countNoise(folder: string | null): Noise {
  const texts = folder === null ? [] : SOURCES.flatMap((name) => textsOf(join(folder, name)));
  const weigh = (list: readonly string[]): Term[] =>
    list.map((text) => ({ text, weight: 1 + texts.filter((one) => hasTerm(one, fold(text))).length }));
  return { quality: weigh(QUALITY), edition: weigh(EDITION), group: weigh(GROUP), folder: weigh(FOLDER) };
}

const fold = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
const hasTerm = (text: string, term: string): boolean => text.includes(term);

function textsOf(path: string): string[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const { path: name, input } = JSON.parse(line) as { path?: string; input?: unknown };
      return fold(name ?? (typeof input === 'string' ? input : JSON.stringify(input ?? '')));
    });
}

/** One term; a frequent one oftener, by the root of its count, so that the rare ones come too. */
export function draw(random: Random, terms: readonly Term[]): string {
  const shares = terms.map(({ weight }) => Math.sqrt(weight));
  let left = random.next() * shares.reduce((sum, share) => sum + share, 0);
  const found = terms.find((_, n) => (left -= shares[n] ?? 0) < 0) ?? terms[0];
  return found?.text ?? '';
}
