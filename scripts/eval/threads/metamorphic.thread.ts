/** One thread of `npm run eval -- metamorphic`: it measures the pieces that it is given. */
import { parentPort, workerData } from 'node:worker_threads';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { measure, type Measured } from '../metamorphic/measure.ts';
import { NEUTRAL } from '../metamorphic/neutral.ts';
import { TELLING } from '../metamorphic/telling.ts';
import { countNoise } from '../metamorphic/words.ts';
import { seeded } from '../random.ts';
import { World } from '../world.ts';
import { catalogOf } from './set.ts';
import type { ChangesSource, ChangesTask } from './metamorphic.types.ts';

const source = workerData as ChangesSource;
const catalog = catalogOf(source.catalog, source.seed);
const index = buildCatalogIndex(catalog);
const noise = countNoise(source.names);
const changes = [...NEUTRAL, ...TELLING].filter(
  ({ kind, carries }) => kind.includes(source.kind) && (source.part === '' || (source.part === 'telling') === carries),
);

function measured({ seed, albums }: ChangesTask): Measured {
  const random = seeded(seed);
  return measure({
    index,
    source: { random, world: new World(catalog, random), noise },
    changes,
    albums,
    each: Math.min(5, changes.length),
  });
}

parentPort?.on('message', (task: ChangesTask) => parentPort?.postMessage(measured(task)));
