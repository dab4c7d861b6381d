/** What stores of runs say no to, each with what to do. */
import { failed, type AccessionError } from '#core/errors.ts';

const THERE = 'Look at the list of runs.';

export const noRun = (id: string): AccessionError => failed('not_found', `There is no run "${id}".`, { remedy: THERE });

export const isGone = (what: 'run' | 'playbook'): AccessionError =>
  failed('not_found', `There is no such ${what} any more.`, { remedy: `Look at the list of ${what}s.` });

export const isThereAlready = (id: string, cause?: unknown): AccessionError =>
  failed('conflict', `There is a run "${id}" already.`, {
    remedy: 'Begin one of another id.',
    ...(cause === undefined ? {} : { cause }),
  });

export const isOpenAlready = (id: string): AccessionError =>
  failed('conflict', `The run "${id}" is being run already.`, {
    remedy: 'Wait for its end, or stop it where it runs.',
  });

export const noFile = (path: string): AccessionError =>
  failed('not_found', `There is no file "${path}".`, { remedy: 'Look at the list of its files.' });
