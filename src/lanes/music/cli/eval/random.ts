import { fnv1a } from '#core/fnv1a.ts';
import { mulberry32 } from '#core/mulberry32.ts';

/** Numbers 0..1 that are the same for the same seed and name (an FNV-1a of it). */
export function seeded(seed: number, name: string): () => number {
  return mulberry32((seed ^ fnv1a(name)) >>> 0);
}
