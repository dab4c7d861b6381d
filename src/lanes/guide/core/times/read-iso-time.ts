/** Times as ISO 8601 writes them, which are none of XMLTV but say what is meant. */
import { readTime } from './read-time.ts';
import type { Zone } from './local-time.ts';

const ISO =
  /^(\d{4})-?(\d\d)-?(\d\d)[Tt\s]\s*(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(?:([Zz])|([+-])(\d\d)(?::?(\d\d))?)?$/;

/** The instant of a time of XMLTV or of ISO 8601; null: it is neither. */
export function readAnyTime(raw: string, zone: Zone | null): number | null {
  const { instant } = readTime(raw, zone);
  if (instant !== null) return instant;
  const found = ISO.exec(raw.trim());
  if (found === null) return null;
  const [, year, month, day, hour, minute, second = '00', utc, sign, hours, minutes = '00'] = found;
  const offset = utc !== undefined ? ' +0000' : sign === undefined ? '' : ` ${sign}${hours}${minutes}`;
  return readTime(`${year}${month}${day}${hour}${minute}${second}${offset}`, zone).instant;
}
