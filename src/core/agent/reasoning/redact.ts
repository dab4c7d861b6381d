/** Secrets have no place in a log. Messages of servers may repeat what was sent to them. */
const SECRETS: readonly RegExp[] = [
  /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /\b(?:sk|pk|rk|gsk|hf|xai|AIza|ghp|gho|glpat)[-_][A-Za-z0-9_-]{12,}/g,
  // Only what looks like a key: "The Secret: Beginnings" is a title.
  /((?:api[-_]?key|token|secret|password|authorization)["']?\s*[:=]\s*["']?)(?=[^\s"'&,;}]*\d)[^\s"'&,;}]{12,}/gi,
  /(https?:\/\/)[^\s/@:]+:[^\s/@]+@/gi,
];

export function redact(text: string): string {
  return SECRETS.reduce(
    (out, secret) => out.replace(secret, (_whole, kept: unknown) => `${keptOf(kept)}[removed]`),
    text,
  );
}

/** Every text inside a JSON value. */
export function redactDeep(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(redactDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactDeep(inner)]));
}

function keptOf(group: unknown): string {
  if (typeof group !== 'string') return '';
  return /^(bearer|basic)$/i.test(group) ? `${group} ` : group;
}
