/** Part of a sound: one track of an album image. */
import type { FastSource } from './source.ts';
import type { Planes } from './trim.ts';

/** The source as if it were only that stretch of it; milliseconds, exact to the sample. */
export function stretchOf(source: FastSource, segment: { start_ms: number; end_ms: number | null }): FastSource {
  const at = (ms: number): number => Math.min(source.samples, Math.round((ms * source.sampleRate) / 1000));
  const from = at(segment.start_ms);
  const to = segment.end_ms === null ? source.samples : at(segment.end_ms);
  const blocks = (): AsyncIterable<Planes> => between(source.blocks(), from - source.from, to - source.from);
  return { ...source, samples: to - from, from: 0, blocks };
}

/** What comes behind is not decoded any more. */
async function* between(blocks: AsyncIterable<Planes>, from: number, to: number): AsyncGenerator<Planes> {
  let at = 0;
  for await (const block of blocks) {
    const length = block[0]?.length ?? 0;
    const [first, last] = [Math.max(0, from - at), Math.min(length, to - at)];
    at += length;
    if (last - first === length) yield block;
    else if (last > first) yield block.map((plane) => plane.subarray(first, last));
    if (at >= to && to > 0) return;
  }
}
