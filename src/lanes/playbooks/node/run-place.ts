/** Where a run reads and writes, and which files it was begun from: beside its journal. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { readTextIfThere, writeFileAtomic } from '#adapters/node/atomic-file.ts';
import { readConfig } from '#lanes/playbooks/core/read/playbook.ts';
import type { Mapping } from '#lanes/playbooks/core/value.ts';
import { noRun } from '../core/run/store-failures.ts';

const PlaceShape = v.object({
  root: v.string(),
  playbook: v.nullable(v.string()),
  config: v.nullable(v.string()),
});
type Place = v.InferOutput<typeof PlaceShape>;

const fileOf = (runs: string, id: string): string => join(runs, `${id}.json`);

export const keepPlace = (runs: string, id: string, place: Place): Promise<void> =>
  writeFileAtomic(fileOf(runs, id), `${JSON.stringify(place)}\n`, 0o600);

/** `now`: the files that the run was begun from, as they are now. */
export async function placeOf(
  runs: string,
  id: string,
): Promise<{ root: string | null; now(): Promise<{ playbook?: string; config?: Mapping }> }> {
  if (!/^[\w-]+$/.test(id)) throw noRun(id);
  const text = await readTextIfThere(fileOf(runs, id));
  if (text === null) return { root: null, now: () => Promise.resolve({}) };
  const place = v.parse(PlaceShape, JSON.parse(text));
  return {
    root: place.root,
    async now() {
      const playbook = place.playbook === null ? null : await readFile(place.playbook, 'utf8').catch(() => null);
      const config = place.config === null ? null : await readFile(place.config, 'utf8').catch(() => null);
      return {
        ...(playbook === null ? {} : { playbook }),
        ...(config === null ? {} : { config: readConfig(config) }),
      };
    },
  };
}
