/** What music keeps beside its jobs, in IndexedDB. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { DexieLaneRows } from '#adapters/browser/job-store.ts';
import { CALIBRATION_ROW, parseCalibration } from '#lanes/music/core/calibration/local-profile.ts';
import type { MusicRows } from '#lanes/music/core/learning/rows.ts';

export function musicRows(db: AccessionDb): DexieLaneRows & { rows: MusicRows } {
  return { tables: ['memory', 'samples'], rows: dexieMusicRows(db) };
}

function dexieMusicRows({ memory, samples, meta }: AccessionDb): MusicRows {
  return {
    remembered: async (contents) => (await memory.bulkGet([...contents])).filter((row) => row !== undefined),
    remember: async (row) => void (await memory.put(row)),
    forget: (content) => memory.delete(content),
    async trimRemembered(most) {
      const over = (await memory.count()) - most;
      if (over > 0) await memory.bulkDelete(await memory.orderBy('at').limit(over).primaryKeys());
    },
    async forgetAll() {
      const count = await memory.count();
      await memory.clear();
      return count;
    },
    sample: (jobId) => samples.get(jobId),
    putSample: async (sample) => void (await samples.put(sample)),
    deleteSamples: (jobIds) => samples.bulkDelete([...jobIds]),
    samplesAfter: (at) => samples.where('at').above(at).toArray(),
    deleteSamplesUntil: async (at) => void (await samples.where('at').belowOrEqual(at).delete()),
    async trimSamples(kind, most) {
      const rows = samples.where('[kind+at]').between([kind, 0], [kind, Infinity]);
      const over = (await rows.count()) - most;
      if (over > 0) await samples.bulkDelete(await rows.limit(over).primaryKeys());
    },
    calibration: async () => parseCalibration((await meta.get(CALIBRATION_ROW))?.value),
    putCalibration: async (value) => void (await meta.put({ key: CALIBRATION_ROW, value })),
  };
}
