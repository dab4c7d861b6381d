/** Times as XMLTV writes them: `YYYYMMDDhhmm[ss]` and a zone, `20260310070000 +0100`. */
import { asUtc, type Zone } from './local-time.ts';

/** What is wrong with a time. With `bad` there is none; the others are read all the same. */
export type TimeCode = 'bad' | 'missingtimezone' | 'invalidtimezone';

export type ReadTime = { instant: number; code: Exclude<TimeCode, 'bad'> | null } | { instant: null; code: 'bad' };

const BAD: ReadTime = { instant: null, code: 'bad' };
const FIRST_YEAR = 1970;
const LAST_YEAR = 2100;
const MINUTE = 60_000;

/** Twelve or fourteen digits, then anything that does not begin with one. */
const SHAPE = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?!\d)\s*(.*)$/s;
const NUMERIC = /^([+-])(\d\d)(:?)(\d\d)$/;
/** The furthest that a zone is from UTC: hours. */
const FURTHEST = 14;

/** Names of zones that mean one offset wherever they are written, in hours. IST and the like are several. */
const NAMED: Readonly<Record<string, number>> = {
  ...{ UTC: 0, UT: 0, GMT: 0, Z: 0, WET: 0, WEST: 1, BST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3, MSK: 3 },
  ...{ EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
};

/** Reads a time. `zone`: the source's, for a time that names none; null is UTC. */
export function readTime(raw: string, zone: Zone | null): ReadTime {
  const found = SHAPE.exec(raw.trim());
  if (found === null) return BAD;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((digits: string | undefined) => Number(digits ?? 0));
  const wall = { year, month, day, hour, minute, second };
  if (year < FIRST_YEAR || year > LAST_YEAR || !isReal(wall)) return BAD;
  const local = asUtc(wall);
  const written = found[7] ?? '';
  const { offset, code } = readZone(written);
  if (offset !== null) return { instant: local - offset * MINUTE, code };
  return { instant: zone === null ? local : zone.instantOf(wall), code };
}

type ReadZone = { offset: number | null; code: Exclude<TimeCode, 'bad'> | null };

/** Minutes ahead of UTC; null: no zone that means one. */
function readZone(written: string): ReadZone {
  if (written === '') return { offset: null, code: 'missingtimezone' };
  const hours = Object.hasOwn(NAMED, written) ? NAMED[written] : undefined;
  if (hours !== undefined) return { offset: hours * 60, code: null };
  const found = NUMERIC.exec(written);
  const minutes = Number(found?.[2]) * 60 + Number(found?.[4]);
  if (found === null || minutes > FURTHEST * 60 || Number(found[4]) > 59)
    return { offset: null, code: 'invalidtimezone' };
  return { offset: found[1] === '-' ? -minutes : minutes, code: found[3] === ':' ? 'invalidtimezone' : null };
}

type Wall = Parameters<typeof asUtc>[0];

function isReal({ year, month, day, hour, minute, second }: Wall): boolean {
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
