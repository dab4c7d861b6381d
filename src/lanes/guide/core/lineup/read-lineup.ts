/** Lineups: which number and name a tuner gives a channel, as HDHomeRun's JSON or as a playlist (M3U). */
import * as v from 'valibot';
import { atOnce, type Steps } from '#core/steps.ts';

export interface LineupEntry {
  /** Null where a form does not need one and it is not there. */
  guideNumber: string | null;
  guideName: string;
  /** The channel's id in the guide; null: not said. */
  epgId: string | null;
  /** Where it is streamed from; null: not said. */
  url: string | null;
}

/** `unreadable`: why, in a sentence for a person. */
export type ReadLineup = { entries: LineupEntry[]; unreadable: null } | { entries: []; unreadable: string };

/** The most that is read: characters, and entries. */
const LONGEST = 32 * 1024 * 1024;
const MOST = 100_000;
/** Objects and lists of a lineup with so many entries, some of them with lists of their own. */
const MOST_PARTS = 2 * MOST;
/** Entries, or lines, that are read in one go. */
const AT_ONCE = 200;

const Text = v.union([v.string(), v.number()]);
const JsonEntry = v.looseObject({
  GuideNumber: v.nullish(Text),
  GuideName: v.nullish(Text),
  EpgId: v.nullish(Text),
  URL: v.nullish(Text),
});

const unreadable = (sentence: string): ReadLineup => ({ entries: [], unreadable: sentence });

/** Reads a lineup by its content, whatever the file is called. */
export const readLineup = (text: string): ReadLineup => atOnce(readingLineup(text));

export function* readingLineup(text: string): Steps<ReadLineup> {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (trimmed === '') return unreadable('The lineup is empty.');
  if (trimmed.length > LONGEST) return unreadable('The lineup is larger than 32 MB.');
  const read = /^#EXTM3U|^#EXTINF/i.test(trimmed) ? yield* readPlaylist(trimmed) : yield* readJson(trimmed);
  return read.entries.length > MOST ? unreadable(`The lineup has more than ${MOST} entries.`) : read;
}

function* readJson(text: string): Steps<ReadLineup> {
  if (count(text, '{') + count(text, '[') > MOST_PARTS) return unreadable(`The lineup has more than ${MOST} entries.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable(
      /^\s*<(?:!doctype|html)/i.test(text)
        ? 'The lineup is a web page, neither JSON nor M3U.'
        : 'The lineup is neither JSON nor M3U, or it breaks off.',
    );
  }
  const noList = unreadable('The lineup is JSON, but no list of channels with numbers and names.');
  if (!Array.isArray(value)) return noList;
  const entries: LineupEntry[] = [];
  for (const [at, entry] of value.entries()) {
    if (at % AT_ONCE === 0) yield;
    const parsed = v.safeParse(JsonEntry, entry);
    if (!parsed.success) return noList;
    const { GuideNumber, GuideName, EpgId, URL } = parsed.output;
    entries.push({
      guideNumber: textOf(GuideNumber) ?? '',
      guideName: textOf(GuideName) ?? '',
      epgId: textOf(EpgId),
      url: textOf(URL),
    });
  }
  return { entries, unreadable: null };
}

function count(text: string, sign: string): number {
  let found = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) found += 1;
  return found;
}

function textOf(value: string | number | null | undefined): string | null {
  const text = value === null || value === undefined ? '' : String(value).trim();
  return text === '' ? null : text;
}

/** `#EXTINF:-1 tvg-id="a" tvg-chno="5",Name`, then its address. Attributes may lack their quotes. */
function* readPlaylist(text: string): Steps<ReadLineup> {
  const entries: LineupEntry[] = [];
  let entry: LineupEntry | null = null;
  const push = (url: string | null): void => {
    if (entry !== null) entries.push({ ...entry, url });
    entry = null;
  };
  for (const [at, raw] of text.split(/\r\n?|\n/).entries()) {
    if (at % AT_ONCE === 0) yield;
    const line = raw.trim();
    if (/^#EXTINF/i.test(line)) {
      push(null);
      entry = readInfo(line);
    } else if (line !== '' && !line.startsWith('#')) push(line);
  }
  push(null);
  return entries.length === 0 ? unreadable('The playlist has no channel in it.') : { entries, unreadable: null };
}

const ATTRIBUTE = /([a-z][\w-]*)=(?:"([^"]*)"|'([^']*)'|([^\s,"']*))/giy;

function readInfo(line: string): LineupEntry {
  const info = line.slice(line.indexOf(':') + 1);
  let at = /^\s*-?[\d.]*\s*/.exec(info)?.[0].length ?? 0;
  const attributes = new Map<string, string>();
  while (at < info.length && info[at] !== ',') {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(info);
    if (found === null) {
      at++;
      continue;
    }
    attributes.set((found[1] ?? '').toLowerCase(), found[2] ?? found[3] ?? found[4] ?? '');
    at += found[0].length;
  }
  const of = (...names: string[]): string | null => {
    for (const name of names) {
      const value = textOf(attributes.get(name));
      if (value !== null) return value;
    }
    return null;
  };
  return {
    guideNumber: of('tvg-chno', 'channel-number', 'ch-number', 'tvg-ch'),
    guideName: textOf(info.slice(at + 1)) ?? of('tvg-name', 'channel-name') ?? '',
    epgId: of('tvg-id', 'channel-id'),
    url: null,
  };
}
