import type { LabelledCase } from './case.types.ts';
import type { Drawn } from './draws.ts';
import type { World } from './world.ts';

/** A class of cases. */
export interface Kind {
  tier: LabelledCase['tier'];
  cls: string;
  /** In a thousand. */
  weight: number;
  draw(world: World): Drawn | null;
}
