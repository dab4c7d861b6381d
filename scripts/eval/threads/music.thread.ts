/** One thread of `npm run eval -- music`: it makes the set for itself and decides the cases that it is given. */
import { parentPort, workerData } from 'node:worker_threads';
import { contextOf, evidenceOf } from '#lanes/music/cli/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { decideBatch, solveBatch } from '#lanes/music/core/match/match.ts';
import { decidedOf } from '../decided.ts';
import { fitWeights, samplesOf } from '../fit.ts';
import type { CaseAnswer, CaseTask, MusicAnswer, MusicTask } from './music.types.ts';
import { openSet, type SetSource } from './set.ts';

const { catalog, cases } = openSet(workerData as SetSource);
const index = buildCatalogIndex(catalog);

function decided({ number, profiles, samples }: CaseTask): CaseAnswer {
  const batch = cases[number];
  if (!batch) return { decided: [], samples: [], cpu: 0 };
  const request = { files: batch.files.map(evidenceOf), context: contextOf(batch.context) };
  const before = process.threadCpuUsage();
  const solved = solveBatch(request, index);
  let cpu = 0;
  const byProfile = profiles.map((profile, n) => {
    const { files } = decideBatch(request, solved, index, profile);
    if (n === 0) {
      const { user, system } = process.threadCpuUsage(before);
      cpu = (user + system) / 1000;
    }
    return files.map(decidedOf);
  });
  return { decided: byProfile, samples: samples ? samplesOf(batch, index, solved) : [], cpu };
}

const answer = (task: MusicTask): MusicAnswer => ('fit' in task ? { weights: fitWeights([task.fit]) } : decided(task));

parentPort?.on('message', (task: MusicTask) => parentPort?.postMessage(answer(task)));
