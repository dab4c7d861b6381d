import type { Said } from '../plan/plan-rules.ts';
import { readName } from './names/read-name.ts';

/** What a file's path says of itself where a plan asks: several episodes, or a part of one. Null where it says neither. */
export function saidOfName(path: string): Said | null {
  const { episodes, absolute, part } = readName(path);
  const several = episodes.length > 1 ? episodes : absolute.length > 1 ? absolute : [];
  return several.length > 1 || part !== null ? { episodes: several, part } : null;
}
