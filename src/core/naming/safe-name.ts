/** VIDEO-53: names that Windows, macOS and Linux all take, and what had to be changed for that. */
import { encodeUtf8 } from '../utf8.ts';

export interface SafeText {
  text: string;
  /** One short sentence for each kind of change. */
  changes: string[];
}

/** Bytes of UTF-8 in one name: ext4 and APFS; NTFS counts UTF-16 units, which are never more. */
export const LONGEST_NAME = 255;

const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?= *(?:\.|$))/i;

/** What a token says, as it may be part of a name: no separator, nothing that Windows refuses. */
export function safeValue(value: string): SafeText {
  const changes: string[] = [];
  const change = (text: string, pattern: RegExp, by: string, why: string): string => {
    const next = text.replace(pattern, by);
    if (next !== text) changes.push(why);
    return next;
  };
  let text = value.toWellFormed().normalize('NFC');
  text = change(text, /[\p{Cc}\u2028-\u202e\u2066-\u2069\ufffd]/gu, '', 'Characters that cannot be seen are left out.');
  text = change(text, /(?<=\S)\s*:\s+/g, ' - ', 'A colon becomes " - ": Windows refuses it.');
  text = change(text, /:/g, '-', 'A colon becomes "-": Windows refuses it.');
  text = change(text, /\s*[\\/|]\s*/g, '-', 'A slash or bar becomes "-": it would part folders.');
  text = change(text, /[?*]/g, '', 'Question marks and asterisks are left out: Windows refuses them.');
  text = change(text, /"/g, "'", 'Double quotes become single ones: Windows refuses them.');
  text = change(text, /</g, '(', 'Angle brackets become round ones: Windows refuses them.').replace(/>/g, ')');
  return { text: text.replace(/\s+/gu, ' ').trim(), changes };
}

/** A whole name, put together: its ends, and the words that Windows keeps for devices. */
export function safeName(name: string): SafeText {
  const changes: string[] = [];
  let text = name.normalize('NFC').replace(/ {2,}/g, ' ').replace(/^\s+/, '');
  if (/^\./.test(text)) {
    text = text.replace(/^[.\s]+/, '');
    changes.push('Dots at the beginning are left out: they would hide the file.');
  }
  if (/[. ]$/.test(text)) {
    text = text.replace(/[. ]+$/, '');
    changes.push('Dots and blanks at the end are left out: Windows drops them.');
  }
  if (DEVICE.test(text)) {
    text = text.replace(DEVICE, '$1_');
    changes.push('A name that Windows keeps for itself gets a "_".');
  }
  return { text, changes };
}

export const bytesOf = (text: string): number => encodeUtf8(text).length;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** At most as many bytes, cut between letters as they are seen, an ellipsis behind; empty where not even that fits. */
export function cutTo(text: string, bytes: number): string {
  if (bytesOf(text) <= bytes) return text;
  const room = bytes - bytesOf('…');
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    used += bytesOf(segment);
    if (used > room) break;
    kept += segment;
  }
  kept = kept.replace(/[\s.,;:–-]+$/u, '');
  return kept === '' ? '' : `${kept}…`;
}
