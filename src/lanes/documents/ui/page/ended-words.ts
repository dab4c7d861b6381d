/** What a plan over documents, or an undo, came to, for a person. */
import type { Standing } from '#core/plan/rename-run.types.ts';
import { plural } from '#ui/parts/words.ts';
import type { Ended } from './documents-desk.svelte.ts';

export interface EndedWords {
  tone: 'good' | 'attention' | 'bad';
  title: string;
  sentences: string[];
  list: string[];
  /** The plan that can be taken back. */
  undo: string | null;
}

const MOST = 50;

export function endedWords(ended: Ended): EndedWords {
  return ended.kind === 'undone' ? undoneWords(ended) : appliedWords(ended);
}

function appliedWords({ applied }: Extract<Ended, { kind: 'applied' }>): EndedWords {
  const list = [
    ...applied.unwritten.map(({ path, reason }) => `${path}: not written into, ${reason}. It stands in the manifest.`),
    ...applied.warnings.map(({ path, reason }) => `${path}: ${reason}.`),
  ].slice(0, MOST);
  if (applied.as === 'zip') {
    const title = `${plural(applied.files, 'document')} and the manifest are in ${applied.name}`;
    const count = `A record was written into ${applied.written === 0 ? 'none' : applied.written} of them.`;
    const sentences = [count, 'The files that you dropped stay as they were.'];
    return { tone: 'good', title, sentences, list, undo: null };
  }
  if (applied.as === 'server')
    return {
      tone: 'good',
      title: doneWords(applied),
      sentences: ['It was done on the catalog server.'],
      list,
      undo: applied.planId,
    };
  const { outcome, planId } = applied;
  switch (outcome.result) {
    case 'done': {
      return { tone: 'good', title: doneWords(applied), sentences: [], list, undo: planId };
    }
    case 'rolled-back': {
      const { message, code, remedy } = outcome.failure;
      const sentences = [message, code === 'cancelled' ? '' : remedy].filter(Boolean);
      return { tone: 'attention', title: 'Every file is as it was', sentences, list: [], undo: null };
    }
    case 'refused':
      return refused('Nothing was changed', outcome.problems);
    case 'stuck':
      return stuck(outcome.failure.message, outcome.standing);
  }
}

function doneWords({ written, removed, noted }: { written: number; removed: number; noted: number }): string {
  return [
    ...(written > 0 ? [`${plural(written, 'document')} written`] : []),
    ...(removed > 0 ? [`${removed} moved to the trash`] : []),
    ...(noted > 0 ? [`${noted} noted in the manifest alone`] : []),
  ].join(', ');
}

function undoneWords({ outcome, planId }: Extract<Ended, { kind: 'undone' }>): EndedWords {
  switch (outcome.result) {
    case 'undone': {
      const title = `${plural(outcome.renamed, 'file is', 'files are')} as before`;
      const sentences = ['Contents, names and the manifest were put back.'];
      return { tone: 'good', title, sentences, list: [], undo: null };
    }
    case 'still-done': {
      const { message, remedy } = outcome.failure;
      const title = 'It could not be undone: every file is as written';
      return { tone: 'attention', title, sentences: [message, remedy], list: [], undo: planId };
    }
    case 'refused':
      return refused('Nothing was undone', outcome.problems);
    case 'stuck':
      return stuck(outcome.failure.message, outcome.standing);
  }
}

function refused(title: string, problems: readonly { message: string; remedy: string }[]): EndedWords {
  const sentences = ['The folder is not as it was when it was read, or something is in the way. No file was touched.'];
  const list = problems.slice(0, MOST).map(({ message, remedy }) => `${message} ${remedy}`);
  return { tone: 'attention', title, sentences, list, undo: null };
}

function stuck(message: string, standing: readonly Standing[]): EndedWords {
  const sentences = [message, 'No file was lost or overwritten; this is where they are:'];
  const list = standing
    .filter(({ now, to }) => now !== to)
    .slice(0, MOST)
    .map(({ from, now }) => `${from}: ${now === null ? 'at neither of its places' : `is called ${now}`}`);
  return { tone: 'bad', title: 'It stopped half-way', sentences, list, undo: null };
}
