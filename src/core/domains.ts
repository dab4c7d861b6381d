/**
 * Which hosts may be reached.
 *
 *   ASK-76 the run's patterns, those of the configuration and the tool's own must each let a host through; `*.nih.gov` is
 *          neither `nih.gov.evil.com` nor `xnih.gov` nor `nih.gov` itself
 */

/** Labels of a host name, two at least, as DNS has them (`xn--...` for what is not ASCII), with `*.` before them or not. */
export const PATTERN = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** Neither an address nor a path, a port, a bare label or `*`. */
export const isPattern = (text: string): boolean => text.length <= 253 && PATTERN.test(text.toLowerCase());

/** @param hostname as a URL has it: lower case, `xn--...` */
export function hostMatches(hostname: string, pattern: string): boolean {
  if (!isPattern(pattern)) return false;
  const [host, clean] = [hostname.toLowerCase().replace(/\.$/, ''), pattern.toLowerCase()];
  return clean.startsWith('*.') ? host.endsWith(clean.slice(1)) && host.length > clean.length - 1 : host === clean;
}

/** Each list lets the host through; a list that says nothing (null) is none. */
export const allowedBy = (hostname: string, lists: readonly (readonly string[] | null)[]): boolean =>
  lists.every((patterns) => patterns === null || patterns.some((pattern) => hostMatches(hostname, pattern)));

/** The host of a plain https address; null where the address is anything else, however a browser would mend it. */
export const plainHost = (address: string): string | null =>
  /^https:\/\/([a-z0-9.-]+)(?:[/?#]|$)/i.exec(address)?.[1]?.toLowerCase() ?? null;

/** Whether an address may be asked for, as far as its form says; who asks looks again, at each redirect too. */
export function mayAsk(address: string, lists: readonly (readonly string[] | null)[]): boolean {
  const host = plainHost(address);
  return host !== null && allowedBy(host, lists);
}

/** The patterns that let through what both lists let through. */
export function commonDomains(one: readonly string[], other: readonly string[]): string[] {
  const within = (a: string, b: string): boolean =>
    a === b || (b.startsWith('*.') && (a.startsWith('*.') ? a.slice(1).endsWith(b.slice(1)) : hostMatches(a, b)));
  const [a, b] = [one, other].map((list) => list.filter(isPattern).map((pattern) => pattern.toLowerCase()));
  const narrow = (these: readonly string[] = [], those: readonly string[] = []): string[] =>
    these.filter((pattern) => those.some((wide) => within(pattern, wide)));
  return [...new Set([...narrow(a, b), ...narrow(b, a)])].sort();
}
