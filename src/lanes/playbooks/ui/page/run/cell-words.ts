/** What the cell of a unit shows and says, by its sign (core/run/run-view.ts). */
import { CELL_SIGNS } from '#lanes/playbooks/core/run/run-view.ts';

interface CellWords {
  shown: string;
  word: string;
  tone: 'good' | 'bad' | 'attention' | 'accent' | 'none';
}

const WAITING: CellWords = { shown: '·', word: 'waiting', tone: 'none' };
const WORDS: Readonly<Record<string, CellWords>> = {
  [CELL_SIGNS.done]: { shown: '✓', word: 'done', tone: 'good' },
  [CELL_SIGNS.failed]: { shown: '!', word: 'failed', tone: 'bad' },
  [CELL_SIGNS.skipped]: { shown: '–', word: 'left out', tone: 'attention' },
  [CELL_SIGNS.begun]: { shown: '…', word: 'under way', tone: 'accent' },
  [CELL_SIGNS.waiting]: WAITING,
};

export const WORD_OF = (sign: string): CellWords => WORDS[sign] ?? WAITING;
export const SIGN_OF = (sign: string): string => WORD_OF(sign).shown;
