/** What of a name is technical (never a number of an episode, and where a title ends), and what only may be. */
import { SOFT, TECHNICAL } from './vocabulary/technical.ts';

export interface Noise {
  start: number;
  end: number;
  /** A title ends before it; a soft one is a word of titles too. */
  hard: boolean;
  kind: string;
}

const WORDS = new Map<string, { kind: string; hard: boolean }>();
for (const [kind, words] of Object.entries(SOFT))
  for (const word of words.split(' ')) WORDS.set(word, { kind, hard: false });
for (const [kind, words] of Object.entries(TECHNICAL))
  for (const word of words.split(' ')) WORDS.set(word, { kind, hard: true });

/** What is written in several words or with numbers; each says its kind. */
const SHAPES: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['resolution', /(?<![\p{L}\p{N}])\d{3,4}\s?[x*]\s?\d{3,4}(?!\p{N})[pi]?/giu],
  ['resolution', /(?<![\p{L}\p{N}])(?:hd|bd|ep)?[_-]?(?:\d{3,4}|4k)[pi]{1,2}(?:x\d{2}|hd|\d{2})?(?![\p{L}\p{N}])/giu],
  ['resolution', /(?<=(?:hdtv|bd|web|dvd|bluray|hd)[ ._-]?)(?:480|720|1080|2160)(?!\p{N})/giu],
  [
    'resolution',
    /(?<=[[(])(?:480|540|720|1080|2160)(?=[\])])|(?<![\p{L}\p{N}])(?:480|540|720|1080|2160)(?=[ ._-](?:hdtv|bd|web|dvd|bluray|blu-ray|x26|h26|flac|aac|hevc))/giu,
  ],
  ['video', /(?<!\p{L})[xh][ .]?26[2456]l?(?!\p{N})/giu],
  ['video', /(?<!\p{N})(?:8|10|12)[ -]?bits?(?!\p{L})/giu],
  [
    'video',
    /(?<![\p{L}\p{N}])divx[ ._]?\d(?:\.\d{1,3}){0,2}|(?<![\p{L}\p{N}])mpeg-?[24](?!\p{N})|(?<![\p{L}\p{N}])hi10p?(?!\p{L})/giu,
  ],
  ['video', /(?<![\p{L}\p{N}])\d{2,3}(?:[.,]\d{1,3})?[ ]?(?:fps|hz)(?!\p{L})/giu],
  [
    'source',
    /(?<!\p{L})(?:web|dvd|bd|br|hdtv|tv|vhs|dvb|ts|cam)[ ._-]?(?:dl[ ._-]?)?rip(?!\p{L})|(?<!\p{L})web[ ._-]dl(?![\p{Ll}])|(?<!\p{L})blu[ -]?ray|(?<!\p{L})hd[ -]dvd(?!\p{L})|(?<=[ ._[(-])pdtv(?=x26)|(?<!\p{L})web[ ._-]?dl(?=[x]26)/giu,
  ],
  [
    'audio',
    /(?<![\p{L}\p{N}])(?:ddp?a?|dd\+|aac|flac|ac3|e-?ac3|dts(?:-?hd)?(?:[ .]?(?:ma|hra))?|truehd|lpcm|pcm|opus|ma|atmos|ogg|mp3|dolby)[ ._+-]{0,2}[1-9][ .][0-4](?!\p{N})(?:ch)?/giu,
  ],
  [
    'audio',
    /(?<![\p{L}\p{N}.])[1-9][ .][0-2][ ._]?ch(?!\p{L})|(?<=[[({ ._-])(?:2\.[01]|[567]\.1)(?=[\])} ]|$)|(?<=\[)[257]-[01](?=\])/giu,
  ],
  [
    'audio',
    /(?<![\p{L}\p{N}])(?:aac|flac|ac3|subx?|audio|mp3|dts)x?[ ]?\d(?!\p{N})|(?<![\p{L}\p{N}])\d{1,2}ch(?!\p{L})|(?<![\p{L}\p{N}])dual[ ._-]audio/giu,
  ],
  ['size', /(?<![\p{L}\p{N}])\d{1,5}(?:[.,]\d{1,3})?[ ]?(?:[kmgt]i?b|mo|go|[km]bit|[km]bps|kbit\/s)(?!\p{L})/giu],
  ['checksum', /(?<=[[(_ -])(?=[A-F0-9]*\d)(?=[A-F0-9]*[A-F]|\d{8}[\])])[A-F0-9]{8}(?=[\])]|$|_|\s*$)/giu],
  ['version', /(?<=[[(_ .-])(?:v|rev)\d(?:\.\d)?(?=[\])_ .-]|$)/giu],
  [
    'address',
    /(?<![\p{L}\p{N}])(?:www\.)?[\p{L}\p{N}-]{3,40}\.(?:com|net|org|info|ru|ws|tv\.org|bz|cc|me)(?:\.ru)?(?=[\])\s]|$)|(?<![\p{L}\p{N}])www\.[\p{L}\p{N}.-]{3,60}/giu,
  ],
  ['disc', /(?<![\p{L}\p{N}])\d[ ]?(?:cds?|dvds?|discs?)(?!\p{L})/giu],
  ['ratio', /(?<![\p{L}\p{N}])(?:16|4)[:](?:9|3)(?!\p{N})/giu],
  ['release', /(?<![\p{L}\p{N}])(?:sample|proof)?fix(?![\p{L}\p{N}])/giu],
];

const WORD = /[\p{L}\p{N}+*'&-]+/gu;
const PART = /[\p{L}\p{N}]+/gu;

/** Finds the technical words of a name, ordered, without overlaps. Takes time in proportion to the length. */
export function findNoise(text: string): Noise[] {
  const found: Noise[] = [];
  for (const [kind, pattern] of SHAPES)
    for (const match of text.matchAll(pattern)) {
      if (match[0] === '') continue;
      found.push({ start: match.index, end: match.index + match[0].length, hard: true, kind });
    }
  for (const match of text.matchAll(WORD)) {
    const whole = lookUp(match[0]);
    if (whole !== undefined) {
      found.push({ start: match.index, end: match.index + match[0].length, ...whole });
      continue;
    }
    if (!/[-'&*+]/.test(match[0])) continue;
    const parts = [...match[0].matchAll(PART)].map((part) => ({ part, word: lookUp(part[0]) }));
    const all = parts.every(({ word }) => word !== undefined);
    for (const { part, word } of parts) {
      const start = match.index + part.index;
      // "Al-Sah-Him": two letters within a hyphened name say nothing, unless all its parts are such words.
      if (word !== undefined && (all || word.hard || part[0].length > 3))
        found.push({ start, end: start + part[0].length, ...word });
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const apart: Noise[] = [];
  for (const noise of found) {
    const last = apart.at(-1);
    if (last !== undefined && noise.start < last.end) {
      if (noise.hard && !last.hard)
        apart[apart.length - 1] = { ...noise, start: last.start, end: Math.max(last.end, noise.end) };
      continue;
    }
    apart.push(noise);
  }
  return apart;
}

function lookUp(word: string): { kind: string; hard: boolean } | undefined {
  return WORDS.get(word.toLowerCase());
}

/** One flag a place: 1 where hard noise lies. */
export function maskOf(noise: readonly Noise[], length: number): Uint8Array {
  const mask = new Uint8Array(length + 1);
  for (const { start, end, hard } of noise) if (hard) mask.fill(1, start, end);
  return mask;
}
