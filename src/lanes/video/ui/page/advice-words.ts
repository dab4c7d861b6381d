/** Asking a model about a folder, in words for a person. */
import { plural } from '#ui/parts/words.ts';
import type { AskProgress, FolderAdvice } from '../client.ts';
import { canTake } from './take-advice.ts';
import { fileName } from './video-words.ts';

/** @param files how many have no number */
export function askWords({ questions, files }: { questions: number; files: number }, model: string): string {
  const what = [
    ...(questions === 0 ? [] : [`the open ${questions === 1 ? 'question' : 'questions'}`]),
    ...(files === 0 ? [] : [`${plural(files, 'file')} without a number`]),
  ].join(' and ');
  return `${model} can be asked about ${what}. You decide what becomes of its answer.`;
}

export function askedWords(progress: AskProgress | null, model: string): string {
  if (progress?.stage !== 'asking') return `${model} is made ready. The first time this can take a while.`;
  const about = progress.path === null ? progress.question : `Which episode is ${fileName(progress.path)}?`;
  return `${model} is asked: ${about}`;
}

export function adviceEnd({ model, items, stopped, failure }: FolderAdvice): string {
  const most = items.filter(canTake).length;
  const rest = stopped ? ' The rest was not asked: you stopped it.' : '';
  if (items.length === 0) return failure === null ? `${model} was not asked anything.` : `${model} gave no answer.`;
  return most === 0
    ? `${model} could not settle what is open.${rest}`
    : `${model} answered. Nothing of it counts before you take it over.${rest}`;
}
