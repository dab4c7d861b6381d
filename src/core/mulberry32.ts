/**
 * Numbers 0 <= x < 1, the same for the same seed: Mulberry32 (Tommy Ettinger, public domain). 32 bits of state are
 * plenty for made-up data and for cuts that come out the same every time.
 */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
