/** What an administrator said in the page about guarded runs; it goes before accession.toml, for all processes. */
import * as v from 'valibot';
import type { RunSettings } from '#lanes/guide/core/run/run.types.ts';
import { RunSettingsPatchSchema } from '#lanes/guide/core/run/runs-protocol.ts';
import { upsert } from '#server/store/rows.ts';
import type { Reader, Tx } from '#server/store/schema.ts';

const RUNS = 'runs';
const CONTAINMENT = 'containment';

export async function readSetting(db: Reader, name: string): Promise<unknown> {
  const row = await db.selectFrom('guide_settings').select('value').where('name', '=', name).executeTakeFirst();
  return row === undefined ? null : JSON.parse(row.value);
}

export async function writeSetting(tx: Tx, name: string, value: unknown): Promise<void> {
  await upsert(tx, 'guide_settings', [{ name, value: JSON.stringify(value) }], { key: ['name'] });
}

/** @param usual what accession.toml says */
export async function readRunSettings(db: Reader, usual: RunSettings): Promise<RunSettings> {
  const said = v.safeParse(RunSettingsPatchSchema, await readSetting(db, RUNS));
  return said.success ? laidOver(usual, said.output) : usual;
}

type Patch = v.InferOutput<typeof RunSettingsPatchSchema>;

/** Answers what counts from now on. */
export async function writeRunSettings(tx: Tx, usual: RunSettings, patch: Patch): Promise<RunSettings> {
  const said = v.safeParse(RunSettingsPatchSchema, await readSetting(tx, RUNS));
  const next = { ...(said.success ? said.output : {}), ...patch };
  await writeSetting(tx, RUNS, next);
  return laidOver(usual, next);
}

function laidOver(usual: RunSettings, said: Patch): RunSettings {
  return {
    metadata_self_resolution_enabled: said.metadata_self_resolution_enabled ?? usual.metadata_self_resolution_enabled,
    bounded_agent_enabled: said.bounded_agent_enabled ?? usual.bounded_agent_enabled,
    metadata_self_resolution_cooldown_sec:
      said.metadata_self_resolution_cooldown_sec ?? usual.metadata_self_resolution_cooldown_sec,
  };
}

/** While it is on, no run does anything. */
export async function readContainment(db: Reader): Promise<boolean> {
  return (await readSetting(db, CONTAINMENT)) === true;
}

export async function writeContainment(tx: Tx, containment: boolean): Promise<void> {
  await writeSetting(tx, CONTAINMENT, containment);
}
