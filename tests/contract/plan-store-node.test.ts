import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createPlanStore } from '#adapters/node/plan-store.ts';
import { videoPlans } from '#lanes/video/core/plan-kinds.ts';
import { DOCUMENT, keptPlan, PLAN_ID, planStoreContract } from './plan-store.ts';

async function room(): Promise<{
  directory: string;
  said: string[];
  store: ReturnType<typeof createPlanStore>;
  close: () => Promise<void>;
}> {
  const root = await mkdtemp(join(tmpdir(), 'plans-'));
  const directory = join(root, 'plans');
  const said: string[] = [];
  const store = createPlanStore(directory, videoPlans, (sentence) => said.push(sentence));
  return { directory, said, store, close: () => rm(root, { recursive: true, force: true }) };
}

planStoreContract('files', room);

test('PLAN-47, PLAN-83 the file is the specified document, {taskId}.plan.json, and nothing of ours is in it', async () => {
  const { directory, store, close } = await room();
  await store.create(keptPlan());
  expect(await readFile(join(directory, `${PLAN_ID}.plan.json`), 'utf8')).toBe(DOCUMENT);
  expect((await readdir(directory)).filter((name) => name.includes(PLAN_ID)).sort()).toEqual([
    `${PLAN_ID}.plan.json`,
    `${PLAN_ID}.state.json`,
  ]);
  await close();
});

test('PLAN-48 a writer that died between its files: the change is there, whole', async () => {
  const { directory, store, close } = await room();
  await store.create(keptPlan());
  const after = keptPlan({ status: 'rejected' });
  after.state.decided_by = 'Ada';
  // Cut after the first of three writes, and, below, after the second.
  await writeFile(join(directory, `${PLAN_ID}.next.json`), JSON.stringify(after));
  await writeFile(join(directory, `${PLAN_ID}.plan.json`), DOCUMENT.replace('pending', 'rejected'));
  expect(await createPlanStore(directory, videoPlans).read(PLAN_ID)).toEqual(after);
  expect(await store.list()).toEqual([after]);
  await writeFile(join(directory, `${PLAN_ID}.next.json`), JSON.stringify(keptPlan()));
  expect((await store.update(PLAN_ID, (kept) => kept)).plan.status).toBe('pending');
  await close();
});

test('PLAN-48 a plan whose first write was cut short is there once its next form is whole, and is not there before', async () => {
  const { directory, store, close } = await room();
  await mkdir(directory);
  await writeFile(join(directory, `${PLAN_ID}.next.json`), JSON.stringify(keptPlan()));
  expect(await store.list()).toEqual([keptPlan()]);
  const other = '22222222-2222-4222-8222-222222222222';
  await writeFile(join(directory, `${other}.next.json`), '{"plan":');
  expect(await store.list()).toHaveLength(1);
  await close();
});

test('PLAN-49 torn and foreign files are named once in the log and skipped', async () => {
  const { directory, said, store, close } = await room();
  await store.create(keptPlan());
  const id = (digit: string): string => PLAN_ID.replaceAll(/[0-9a-f]/g, digit);
  await writeFile(join(directory, `${id('1')}.plan.json`), DOCUMENT.slice(0, 40));
  await writeFile(join(directory, `${id('2')}.plan.json`), DOCUMENT);
  await writeFile(join(directory, 'notes.txt'), 'hello');
  await writeFile(join(directory, 'x.plan.json'), DOCUMENT);
  await mkdir(join(directory, `${id('3')}.plan.json`));
  await symlink('/nowhere', join(directory, `${id('4')}.plan.json`));
  expect(await store.list()).toEqual([keptPlan()]);
  expect(await store.list()).toHaveLength(1);
  for (const name of [id('1'), id('2'), 'notes.txt', 'x.plan.json', id('3')]) {
    expect(said.filter((sentence) => sentence.includes(name))).toHaveLength(1);
  }
  await close();
});

test('PLAN-47 two processes change one plan: no change of either is lost', async () => {
  const { directory, store, close } = await room();
  await store.create(keptPlan({ files: [] }));
  const script = `
    import { createPlanStore } from '#adapters/node/plan-store.ts';
    import { videoPlans } from '#lanes/video/core/plan-kinds.ts';
    const store = createPlanStore(${JSON.stringify(directory)}, videoPlans);
    for (let at = 0; at < 8; at++) await store.update('${PLAN_ID}', ({ plan, state }) => ({
      plan: { ...plan, files: [...plan.files, { season: Number(process.argv[1]), episode: at, path: '/media/Show/x.mkv' }] }, state }));`;
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const run = (season: number): Promise<number | null> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, String(season)], {
        cwd,
        stdio: 'inherit',
      });
      child.once('error', reject).once('exit', resolve);
    });
  expect(await Promise.all([run(1), run(2)])).toEqual([0, 0]);
  expect((await store.read(PLAN_ID))?.plan.files).toHaveLength(16);
  await close();
});
