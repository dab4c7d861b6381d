/** What a file's name says that stands where a title should: show or film, number, year. */
import { isCameraName, isFileName, isPlaceholder } from '../faults/title-words.ts';
import { numberInTitle, type SaidNumber } from './number-text.ts';

export interface FileTitle {
  title: string;
  number: SaidNumber | null;
  year: number | null;
}

const ENDING = /\.[a-z0-9]{2,5}$/i;
/** Where what is technical begins. */
const TECHNICAL =
  /(?:^|[\s([])(?:480[ip]|576[ip]|720p|1080[ip]|2160p|4k|uhd|hdr(?:10)?|x26[45]|h ?26[45]|hevc|av1|xvid|divx|web ?dl|web ?rip|webrip|web|blu ?ray|bdrip|brrip|bd|dvd(?: ?rip)?|hdtv|hdrip|pdtv|dsr|remux|proper|repack|internal|multi|german|french|english|dubbed|subbed|dl|ac3|dts|aac|ddp?5 ?1|10bit|amzn|nf|dsnp)(?=$|[\s)\]])/i;
const NUMBERED =
  /(?:^|[\s([-])(?:s\d{1,2}\s?e\d{1,4}|\d{1,2}x\d{2,4}|season \d+ episode \d+|staffel \d+ folge \d+)(?=$|[\s)\]-])/i;
const YEAR = /(?:^|[\s([])((?:18[89]|19\d|20\d)\d)(?=$|[\s)\]])/g;

/** Null: it is no file's name, or one that says nothing (`IMG_2041.MOV`). */
export function readFileTitle(written: string): FileTitle | null {
  if (!isFileName(written)) return null;
  const name = written.trim().split(/[/\\]/).at(-1) ?? '';
  const bare = ENDING.test(name) && /\.(?:\d+)$/.test(name) === false ? name.replace(ENDING, '') : name;
  if (isCameraName(bare)) return null;
  const spaced = (/\s/.test(bare) ? bare.replace(/_/g, ' ') : bare.replace(/[._]/g, ' '))
    .replace(/^\[[^\]]*\]\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();
  const number = numberInTitle(spaced.replace(/-/g, ' '));
  const years = [...spaced.matchAll(YEAR)].filter(({ index }) => index > 0);
  // The last year before what is technical is the film's; one before may belong to its title.
  const technical = TECHNICAL.exec(spaced)?.index ?? spaced.length;
  const year = years.filter(({ index }) => index < technical).at(-1);
  const ends = [NUMBERED.exec(spaced)?.index ?? spaced.length, technical, year?.index ?? spaced.length];
  const title = spaced
    .slice(0, Math.min(...ends))
    .replace(/[\s([–-]+$/, '')
    .trim();
  // A film may be called by a number alone.
  const isName = /^\d{1,4}$/.test(title) || (/\p{L}/u.test(title) && !isPlaceholder(title) && !GENERIC.test(title));
  return isName ? { title, number, year: year === undefined ? null : Number(year[1]) } : null;
}

/** Names of files that are nobody's title. */
const GENERIC =
  /^(?:video|movie|film|clip|recording|rec|aufnahme|untitled|new|neu|output|final|test|sample|trailer|stream|capture|export|intro|vts|title|track|part|cd|dvd|disc)[\s\d_-]*$/i;
