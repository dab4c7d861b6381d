/** What a rename, an undo or a recovery came to, for a person. */
import type { Recovery, Standing } from '#core/plan/rename-run.types.ts';
import type { RenameProblem } from '#core/plan/rename-problem.ts';
import { plural } from '#ui/parts/words.ts';
import type { Ended } from './video-desk.svelte.ts';

export interface EndedWords {
  tone: 'good' | 'attention' | 'bad';
  title: string;
  sentences: string[];
  /** Where single files are, or what is in the way. */
  list: string[];
  canUndo: boolean;
}

const MOST = 50;

export function endedWords(ended: Ended): EndedWords {
  return ended.kind === 'rename' ? renameWords(ended) : undoWords(ended);
}

function renameWords({ outcome, folder }: Extract<Ended, { kind: 'rename' }>): EndedWords {
  switch (outcome.result) {
    case 'done': {
      const made = outcome.made.length > 0 ? [`${plural(outcome.made.length, 'folder')} made for them.`] : [];
      const removed = outcome.removed.length > 0 ? [`${plural(outcome.removed.length, 'empty folder')} removed.`] : [];
      const title = `${plural(outcome.renamed, 'file')} renamed in “${folder}”`;
      return { tone: 'good', title, sentences: [...made, ...removed], list: [], canUndo: true };
    }
    case 'rolled-back':
      return {
        tone: 'attention',
        title: 'Every file has its former name again',
        sentences: [outcome.failure.message, outcome.failure.code === 'cancelled' ? '' : outcome.failure.remedy].filter(
          Boolean,
        ),
        list: [],
        canUndo: false,
      };
    case 'refused':
      return refusedWords('Nothing was renamed', outcome.problems);
    case 'stuck':
      return stuckWords(outcome.failure.message, outcome.standing);
  }
}

function undoWords({ outcome, folder }: Extract<Ended, { kind: 'undo' }>): EndedWords {
  switch (outcome.result) {
    case 'undone':
      return {
        tone: 'good',
        title: `${plural(outcome.renamed, 'file')} in “${folder}” ${outcome.renamed === 1 ? 'has its' : 'have their'} former ${outcome.renamed === 1 ? 'name' : 'names'} again`,
        sentences: [],
        list: [],
        canUndo: false,
      };
    case 'still-done':
      return {
        tone: 'attention',
        title: 'The rename could not be undone: every file has its new name',
        sentences: [outcome.failure.message, outcome.failure.remedy],
        list: [],
        canUndo: true,
      };
    case 'refused':
      return refusedWords('Nothing was undone', outcome.problems);
    case 'stuck':
      return stuckWords(outcome.failure.message, outcome.standing);
  }
}

/** What was interrupted and is right again, or is not. */
export function recoveryWords(folder: string, recovery: Recovery): EndedWords {
  const title = `An interrupted rename in “${folder}”`;
  switch (recovery.result) {
    case 'rolled-back':
      return {
        tone: 'good',
        title: recovery.wasUndo ? `An interrupted undo in “${folder}” was finished` : `${title} was put back`,
        sentences: ['Every file has its former name.'],
        list: [],
        canUndo: false,
      };
    case 'done':
      return {
        tone: 'good',
        title: `${title} was finished`,
        sentences: ['Every file has its new name.'],
        list: [],
        canUndo: false,
      };
    case 'abandoned':
      return { ...stuckWords(recovery.failure.message, recovery.standing), title: `${title} was left as it stands` };
    case 'stuck': {
      const stuck = stuckWords(recovery.failure.message, recovery.standing);
      const list = [...recovery.problems.map(problemLine), ...stuck.list].slice(0, MOST);
      return {
        ...stuck,
        title: `${title} cannot be put right yet`,
        sentences: [...stuck.sentences, recovery.failure.remedy],
        list,
      };
    }
  }
}

function refusedWords(title: string, problems: readonly RenameProblem[]): EndedWords {
  const sentences = ['The folder is not as it was when it was read, or something is in the way. No file was touched.'];
  return { tone: 'attention', title, sentences, list: problems.slice(0, MOST).map(problemLine), canUndo: false };
}

function stuckWords(message: string, standing: readonly Standing[]): EndedWords {
  return {
    tone: 'bad',
    title: 'The rename stopped half-way',
    sentences: [message, 'No file was lost or overwritten; this is where they are:'],
    list: standing
      .filter(({ now, to }) => now !== to)
      .slice(0, MOST)
      .map(({ from, now }) =>
        now === null
          ? `${from}: at neither of its places`
          : now === from
            ? `${from}: still has this name`
            : `${from}: is called ${now}`,
      ),
    canUndo: false,
  };
}

const problemLine = ({ message, remedy }: RenameProblem): string => `${message} ${remedy}`;
