/** `accession videos` over a server's data directory. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as v from 'valibot';
import { createPlanStore } from '#adapters/node/plan-store.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { randomUuids } from '#core/ids.ts';
import { begun, ended, withEntries } from '#core/plan/plan-rules.ts';
import { recognizeMediaFile, videoPlans } from '#lanes/video/core/plan-kinds.ts';
import { confirmVideos, exportVideos, planNames, undoVideos } from '#lanes/video/cli/videos.ts';
import { VideoExportSchema } from '#lanes/video/core/records/video-record.ts';
import { EventHub } from '#server/events.ts';
import { createLog } from '#server/log.ts';
import type { PlansDeps } from '#server/plans/server-plans.ts';
import { openStore } from '#server/store/store.ts';
import { programFile } from '../../fixtures/program-file.ts';
import { LANES, testPlans } from '../../fixtures/server.ts';

const MAIN = programFile('cli/main.ts');
let data: string;
let folder: string;
let plan: string;

beforeAll(async () => {
  data = await realpath(await mkdtemp(join(tmpdir(), 'cli-videos-')));
  folder = join(data, 'media', 'Harbour');
  await mkdir(folder, { recursive: true });
  for (const name of ['a.mkv', 'b.mkv']) await writeFile(join(folder, name), name);
  await writeFile(join(data, 'accession.toml'), `[video]\nfolders = [${JSON.stringify(join(data, 'media'))}]\n`);
  const entries = ['a', 'b'].map((name, at) => ({
    entry: { season: 1, episode: at + 1, path: `${folder}/${name}.mkv` },
    sources: {},
  }));
  plan = randomUuids.next();
  const fresh = begun('recognize-media-file', plan, folder, { by: 'ada', now: 1, source: 'agent' });
  const store = createPlanStore(join(data, 'plans'), videoPlans);
  await store.create(
    ended(
      withEntries(fresh, recognizeMediaFile, entries, () => null),
      2,
    ),
  );
});
afterAll(() => rm(data, { recursive: true, force: true }));

/** As the program that a person starts. */
async function videos(...args: string[]): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, 'videos', ...args, '--data', data], (error, stdout) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout }),
    );
  });
}

/** As the program does it, without its start. */
async function withPlans<T>(work: (deps: PlansDeps) => Promise<T>): Promise<T> {
  const store = await openStore(sqliteFile(join(data, 'catalog.db')), randomUUID, LANES);
  const plans = testPlans(join(data, 'plans'), [join(data, 'media')]);
  try {
    return await work({ plans, store, clock: Date, events: new EventHub(), log: createLog(() => undefined) });
  } finally {
    await store.close();
  }
}

test('PLAN-100 a plan is confirmed, exported, made a rename plan and taken back from the command line', async () => {
  expect(await videos('confirm', plan)).toEqual({ code: 0, stdout: '2 files recorded\n' });
  const shown: string[] = [];
  await withPlans((deps) => exportVideos(deps, { folder }, (line) => shown.push(line)));
  const { records } = v.parse(VideoExportSchema, JSON.parse(shown.join('')));
  expect(records.map(({ path, episodes, source, plan_id }) => [path, episodes, source, plan_id])).toEqual([
    [`${folder}/a.mkv`, [1], 'agent', plan],
    [`${folder}/b.mkv`, [2], 'agent', plan],
  ]);

  const out = join(data, 'out.json');
  const said: string[] = [];
  await withPlans((deps) => exportVideos(deps, { out }, (line) => said.push(line)));
  expect(said).toEqual([`2 files written to ${out}`]);
  expect(v.parse(VideoExportSchema, JSON.parse(await readFile(out, 'utf8'))).records).toEqual(records);

  const wish = { mediaFolderPath: folder, template: '{show} {season:00}x{episode:00}', inShowFolder: true };
  const [line = ''] = await withPlans((deps) => planNames(deps, wish));
  expect(line).toMatch(/^a plan of new names for 2 files waits: .*\.plan\.json$/);
  expect(await readFile(line.split(' waits: ')[1] ?? '', 'utf8')).toContain('Harbour 01x02.mkv');

  await withPlans(async (deps) => {
    await expect(confirmVideos(deps, plan)).rejects.toThrow('The plan is completed already');
    expect(await undoVideos(deps, plan)).toBe('the records of 2 files are as before');
    await expect(undoVideos(deps, plan)).rejects.toThrow('was taken back already');
    await expect(confirmVideos(deps, randomUuids.next())).rejects.toThrow('was not found');
    const log = await deps.store.db.selectFrom('audit').select(['action', 'user_id', 'entity_id']).execute();
    expect(log).toEqual([
      { action: 'plan.completed', user_id: 'command-line', entity_id: plan },
      { action: 'plan.undone', user_id: 'command-line', entity_id: plan },
    ]);
  });
});
