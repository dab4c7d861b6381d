import type { CaseFile } from '../case.types.ts';
import type { Random } from '../random.ts';
import type { Subject, World } from '../world.ts';
import type { Noise } from './words.ts';

/** How the files of a drop were named and tagged before anything was changed. */
export type Style = 'folders and tags' | 'tags' | 'folder and names' | 'all in the name' | 'tags alone' | 'pile';

/** An album, or a pile of single tracks, as it was dropped, before a change. */
export interface Drop {
  subject: Subject;
  style: Style;
  files: CaseFile[];
  /** No track of it is on another album of the catalog, and no other album of its artist has its name. */
  only: boolean;
}

/** What a change draws from. */
export interface Source {
  random: Random;
  world: World;
  noise: Noise;
}

/** The files after a change: one drop, or several one after the other. */
export interface Changed {
  drops: CaseFile[][];
  /** Ids of files that say something else than before; where the change carries information, all when left out. */
  told?: ReadonlySet<string>;
}

/** One kind of change. */
export interface Change {
  kind: string;
  /** It says that the files are something else: none of them may stay approved. Without it nothing may change. */
  carries: boolean;
  /** null: this drop cannot be changed so. */
  apply(drop: Drop, source: Source): Changed | null;
}
