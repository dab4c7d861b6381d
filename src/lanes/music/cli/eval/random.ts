import { mulberry32 } from '#core/mulberry32.ts';

/** Numbers 0..1 that are the same for the same seed and name (an FNV-1a of it). */
export function seeded(seed: number, name: string): () => number {
  return mulberry32((seed ^ hash(name)) >>> 0);
}

function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (const char of text) sum = Math.imul(sum ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return sum >>> 0;
}
