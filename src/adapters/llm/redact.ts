/** Makes text of a server fit for a failure: one line, short, and without any key. */

/** `secrets`: keys that were sent. What only looks like a key goes too (servers echo them, in part). */
export function redact(text: string, secrets: readonly string[], most = 300): string {
  let out = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  for (const secret of secrets) if (secret.length > 3) out = out.replaceAll(secret, '(key)');
  out = out
    .replace(/\bBearer\s+[^\s"',;]+/gi, 'Bearer (key)')
    .replace(/\b(?:sk|pk|gsk|hf|xai)[-_][\w*.-]{6,}/g, '(key)');
  return out.length > most ? `${out.slice(0, most - 1)}…` : out;
}
