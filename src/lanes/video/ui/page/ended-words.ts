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

const said = (tone: EndedWords['tone'], title: string, sentences: string[] = [], canUndo = false): EndedWords => ({
  ...{ tone, title, sentences, canUndo },
  list: [],
});

export function endedWords(ended: Ended): EndedWords {
  return ended.kind === 'rename' ? renameWords(ended) : undoWords(ended);
}

function renameWords({ outcome, folder }: Extract<Ended, { kind: 'rename' }>): EndedWords {
  switch (outcome.result) {
    case 'done': {
      const made = outcome.made.length > 0 ? [`${plural(outcome.made.length, 'folder')} made for them.`] : [];
      const removed = outcome.removed.length > 0 ? [`${plural(outcome.removed.length, 'empty folder')} removed.`] : [];
      return said('good', `${plural(outcome.renamed, 'file')} renamed in “${folder}”`, [...made, ...removed], true);
    }
    case 'rolled-back': {
      const { message, code, remedy } = outcome.failure;
      const sentences = [message, code === 'cancelled' ? '' : remedy].filter(Boolean);
      return said('attention', 'Every file has its former name again', sentences);
    }
    case 'refused':
      return refusedWords('Nothing was renamed', outcome.problems);
    case 'stuck':
      return stuckWords(outcome.failure.message, outcome.standing);
  }
}

function undoWords({ outcome, folder }: Extract<Ended, { kind: 'undo' }>): EndedWords {
  switch (outcome.result) {
    case 'undone': {
      const names = outcome.renamed === 1 ? 'has its former name' : 'have their former names';
      return said('good', `${plural(outcome.renamed, 'file')} in “${folder}” ${names} again`);
    }
    case 'still-done': {
      const { message, remedy } = outcome.failure;
      const title = 'The rename could not be undone: every file has its new name';
      return said('attention', title, [message, remedy], true);
    }
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
    case 'rolled-back': {
      const finished = `An interrupted undo in “${folder}” was finished`;
      return said('good', recovery.wasUndo ? finished : `${title} was put back`, ['Every file has its former name.']);
    }
    case 'done':
      return said('good', `${title} was finished`, ['Every file has its new name.']);
    case 'abandoned':
      return { ...stuckWords(recovery.failure.message, recovery.standing), title: `${title} was left as it is` };
    case 'stuck': {
      const stuck = stuckWords(recovery.failure.message, recovery.standing);
      const sentences = [...stuck.sentences, recovery.failure.remedy];
      const list = [...recovery.problems.map(problemLine), ...stuck.list].slice(0, MOST);
      return { ...stuck, title: `${title} cannot be put right yet`, sentences, list };
    }
  }
}

function refusedWords(title: string, problems: readonly RenameProblem[]): EndedWords {
  const sentences = ['The folder is not as it was when it was read, or something is in the way. No file was touched.'];
  return { ...said('attention', title, sentences), list: problems.slice(0, MOST).map(problemLine) };
}

function stuckWords(message: string, standing: readonly Standing[]): EndedWords {
  const sentences = [message, 'No file was lost or overwritten; this is where they are:'];
  const moved = standing.filter(({ now, to }) => now !== to).slice(0, MOST);
  const lineOf = ({ from, now }: Standing): string => {
    if (now === null) return `${from}: at neither of its places`;
    return now === from ? `${from}: still has this name` : `${from}: is called ${now}`;
  };
  return { ...said('bad', 'The rename stopped half-way', sentences), list: moved.map(lineOf) };
}

const problemLine = ({ message, remedy }: RenameProblem): string => `${message} ${remedy}`;
