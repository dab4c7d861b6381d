/**
 * Numbers in [0, 1) that a seed gives: the same for the same seed, so that a resumed run asks the same. Marsaglia's
 * xorshift over 32 bits (https://www.jstatsoft.org/v08/i14): plain, and good enough to shuffle a dozen options.
 */
export function seeded(seed: number): () => number {
  let state = Math.trunc(seed) >>> 0 || 0x9e3779b9;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4_294_967_296;
  };
  // Small seeds differ in few bits: the first numbers would look alike.
  for (let round = 0; round < 16; round++) next();
  return next;
}

/** Two numbers made one. */
export function mix(seed: number, count: number): number {
  return (Math.imul(Math.trunc(seed) ^ 0x5bd1e995, 0x01000193) + Math.imul(count + 1, 0x85ebca6b)) >>> 0;
}

/** `length` lower-case hex digits. */
export function nonceOf(seed: number, length = 12): string {
  const next = seeded(mix(seed, 977));
  return Array.from({ length }, () => Math.floor(next() * 16).toString(16)).join('');
}

/**
 * The order in which `count` options are shown on a ballot: shuffled by the seed, then turned from ballot to ballot so
 * that nothing is at the same place twice while there are places.
 */
export function ballotOrder(count: number, seed: number, ballot: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  const next = seeded(mix(seed, 13));
  for (let index = count - 1; index > 0; index--) {
    const other = Math.floor(next() * (index + 1));
    const moved = order[index] ?? 0;
    order[index] = order[other] ?? 0;
    order[other] = moved;
  }
  const turn = count === 0 ? 0 : (ballot * Math.max(1, Math.floor(count / 3))) % count;
  return [...order.slice(turn), ...order.slice(0, turn)];
}
