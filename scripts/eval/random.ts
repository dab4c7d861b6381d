import { mulberry32 } from '#core/mulberry32.ts';

/** Seeded random numbers: the same seed gives the same catalog and the same cases on every machine. */
export interface Random {
  /** 0 <= x < 1. */
  next(): number;
  /** 0 <= n < limit. */
  below(limit: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Like `pick`, the first of the list far oftener than the last (Zipf's law, exponent 1). */
  common<T>(list: readonly T[]): T;
  /** Mean 0, deviation 1. */
  normal(): number;
  shuffle<T>(list: readonly T[]): T[];
}

/** Over mulberry32. */
export function seeded(seed: number): Random {
  const next = mulberry32(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  const at = <T>(list: readonly T[], index: number): T => {
    const item = list[Math.min(index, list.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (list) => at(list, below(list.length)),
    common: (list) => at(list, Math.floor((list.length + 1) ** next()) - 1),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    shuffle(list) {
      const out = [...list];
      for (let i = out.length - 1; i > 0; i--) {
        const j = below(i + 1);
        const held = at(out, i);
        out[i] = at(out, j);
        out[j] = held;
      }
      return out;
    },
  };
}
