/** `robots.txt` (RFC 9309): whether a program of ours may read a path. The group that names it goes before `*`, the longest rule wins. */

/** How we are called there. */
export const ROBOT = 'accession';

interface Rule {
  allow: boolean;
  pattern: string;
}

/** @param path with its query, as it is asked */
export function mayRead(robots: string, path: string): boolean {
  const rules = rulesFor(robots);
  const fit = rules
    .filter(({ pattern }) => fits(pattern, path))
    .sort((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow));
  return fit[0]?.allow ?? true;
}

/** Characters of a file that are read; RFC 9309 asks for 500 KiB. */
const MOST = 512_000;

function rulesFor(robots: string): Rule[] {
  const groups: { agents: string[]; rules: Rule[] }[] = [];
  let named = false;
  for (const line of robots.slice(0, MOST).split(/\r\n|[\r\n]/)) {
    const [, key = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const field = key.toLowerCase();
    if (field === 'user-agent') {
      if (!named) groups.push({ agents: [], rules: [] });
      groups.at(-1)?.agents.push(value.trim().toLowerCase());
      named = true;
    } else if (field === 'allow' || field === 'disallow') {
      named = false;
      if (value.trim() !== '') groups.at(-1)?.rules.push({ allow: field === 'allow', pattern: value.trim() });
    }
  }
  const ours = groups.filter(({ agents }) => agents.includes(ROBOT));
  return (ours.length > 0 ? ours : groups.filter(({ agents }) => agents.includes('*'))).flatMap(({ rules }) => rules);
}

/** `*` is anything, `$` at the end is the end. Read from left to right, so that no pattern takes long. */
function fits(pattern: string, path: string): boolean {
  const ends = pattern.endsWith('$');
  const parts = (ends ? pattern.slice(0, -1) : pattern).split('*');
  const [first = ''] = parts;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts.slice(1)) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!ends || at === path.length) return true;
  const last = parts.at(-1) ?? '';
  return parts.length > 1 && path.endsWith(last) && path.length - last.length >= at - last.length;
}
