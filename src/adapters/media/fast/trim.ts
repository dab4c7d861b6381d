/** Why the fast way lets a file go: the ffmpeg core takes it. Never shown as a failure of the file. */
export class Doubt extends Error {
  override readonly name = 'Doubt';
}

/** Its cause is the browser's decoder, which another one may do better. */
export class DecoderDoubt extends Doubt {}

/** Samples of one stretch, one array a channel, all of the same length. */
export type Planes = Float32Array[];

/**
 * Exactly `samples` samples after the first `skip`: what an encoder put before and behind the music is left out.
 * Throws Doubt when fewer come, or more than `excess` would be left over.
 */
export async function* trimmed(
  blocks: AsyncIterable<Planes>,
  { skip, samples, excess }: { skip: number; samples: number; excess: number },
): AsyncGenerator<Planes> {
  const end = skip + samples;
  let at = 0;
  for await (const block of blocks) {
    const length = block[0]?.length ?? 0;
    const from = Math.max(0, skip - at);
    const to = Math.min(length, end - at);
    at += length;
    if (to - from === length) yield block;
    else if (to > from) yield block.map((plane) => plane.subarray(from, to));
  }
  if (at < end) throw new Doubt(`${Math.max(0, at - skip)} of ${samples} samples were decoded`);
  if (at - end > excess) throw new Doubt(`${at - end} samples more than the file says were decoded`);
}
