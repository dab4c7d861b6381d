/** A short name of a text: two FNV-1a hashes of 32 bits, as 16 hex digits. To tell apart, never to trust. */
function shortHash(text: string): string {
  return [0x811c9dc5, 0x01000193].map((seed) => fnv1a(text, seed)).join('');
}

function fnv1a(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

/** AGENT-2: the same files, kind and options are the same doubt, in whatever order they come. */
export function doubtKey(kind: string, fileIds: readonly string[], optionIds: readonly string[]): string {
  const sorted = (ids: readonly string[]): string => [...ids].sort().join('\n');
  return `${kind}-${shortHash(`${kind}\n\n${sorted(fileIds)}\n\n${sorted(optionIds)}`)}`;
}
