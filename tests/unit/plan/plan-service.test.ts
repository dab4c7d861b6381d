import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AccessionError } from '#core/errors.ts';
import { randomUuids, uuidOf } from '#core/ids.ts';
import { planDocument, readPlanDocument } from '#core/plan/plan-kind.ts';
import { videoPlans, type NameHint } from '#lanes/video/core/plan-kinds.ts';
import { FOLDER, planRoom } from '../../fixtures/plan-room.ts';
import { runs } from '../../fixtures/runs.ts';

const FILES = { 'a.mkv': 'a', 'b.mkv': 'bb', 'Season 1/c.mkv': 'ccc', 'd.mkv': 'd' };
const at = (name: string): string => `${FOLDER}/${name}`;
const by = { by: 'agent' };

/** The failure's code and sentence. */
async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'nothing was refused';
  } catch (error) {
    if (!(error instanceof AccessionError)) throw error;
    return `${error.failure.code}: ${error.failure.message}`;
  }
}

describe('PLAN-40 a plan while it is made', () => {
  test('PLAN-40 is begun pending and empty, and is listed only after its end', async () => {
    const { service, ready, time } = planRoom(FILES);
    const id = await service.begin('recognize-media-file', `${FOLDER}/`, by);
    expect((await service.read(id)).plan).toEqual({
      id,
      task: 'recognize-media-file',
      status: 'pending',
      mediaFolderPath: FOLDER,
      files: [],
    });
    await service.add('recognize-media-file', id, { season: 1, episode: 1, path: at('a.mkv') });
    expect(await service.pending('recognize-media-file')).toEqual([]);
    time.now = 2000;
    await service.end('recognize-media-file', id);
    expect(ready).toEqual([{ task: 'recognize-media-file', task_id: id, plan_path: `plans/${id}.plan.json` }]);
    const [listed] = await service.pending('recognize-media-file');
    expect([listed?.plan.id, listed?.state.created_by, listed?.state.ready_at]).toEqual([id, 'agent', 2000]);
    expect(await service.pending('rename-files')).toEqual([]);
  });

  test('PLAN-41 a folder that may not be seen, or a path that is none, begins nothing', async () => {
    const { service, store } = planRoom(FILES);
    expect(await refusal(service.begin('rename-files', '/etc', by))).toContain('not_found: The folder "/etc"');
    for (const path of ['Show', '/media/../etc', 'C:\\tv', '/media//Show', ''])
      expect(await refusal(service.begin('rename-files', path, by))).toContain('invalid: an absolute POSIX path');
    expect(await store.list()).toEqual([]);
  });

  test('PLAN-42 an empty plan is not ended, and nobody is told; an ended one takes nothing more', async () => {
    const { service, ready } = planRoom(FILES);
    for (const task of ['recognize-media-file', 'rename-files'] as const) {
      const id = await service.begin(task, FOLDER, by);
      expect(await refusal(service.end(task, id))).toContain('has no files');
    }
    expect(ready).toEqual([]);
    const id = await service.begin('rename-files', FOLDER, by);
    await service.add('rename-files', id, { from: at('a.mkv'), to: at('x.mkv') });
    await service.end('rename-files', id);
    const more = service.add('rename-files', id, { from: at('b.mkv'), to: at('y.mkv') });
    expect(await refusal(more)).toBe('conflict: This task was ended and is with the person: begin a new task.');
    expect(await refusal(service.end('rename-files', id))).toContain('was ended');
    expect(ready).toHaveLength(1);
  });

  test('PLAN-43, PLAN-85 a file twice, an episode twice, a file of elsewhere and one that is not there are refused with the reason', async () => {
    const { service } = planRoom(FILES);
    const id = await service.begin('recognize-media-file', FOLDER, by);
    const add = (season: number, episode: number, path: string) =>
      refusal(service.add('recognize-media-file', id, { season, episode, path }));
    expect(await add(1, 1, at('a.mkv'))).toBe('nothing was refused');
    expect(await add(1, 1, at('a.mkv'))).toBe('conflict: "a.mkv" is in the plan already, as season 1 episode 1.');
    expect(await add(1, 2, at('a.mkv'))).toBe('conflict: "a.mkv" is in the plan already, as season 1 episode 1.');
    expect(await add(1, 1, at('b.mkv'))).toBe('conflict: season 1 episode 1 is in the plan already, as "a.mkv".');
    expect(await add(1, 2, '/media/Show 2/a.mkv')).toContain('invalid: "/media/Show 2/a.mkv" is not inside');
    expect(await add(1, 2, '/media/Showa.mkv')).toContain('is not inside');
    expect(await add(1, 2, '/media/Show/../Show/b.mkv')).toContain('invalid');
    expect(await add(1, 2, at('z.mkv'))).toBe('invalid: "/media/Show/z.mkv" is no file of this folder.');
    expect(await add(1, 2, at('Season 1'))).toContain('is no file of this folder');
    expect(await add(-1, 2, at('b.mkv'))).toContain('invalid: season');
    expect(await add(1, 1.5, at('b.mkv'))).toContain('invalid: episode');
    const { plan } = await service.read(id);
    expect(plan.files).toEqual([{ season: 1, episode: 1, path: at('a.mkv') }]);
  });

  test('PLAN-43, PLAN-85 where the name says so, a file is several episodes and an episode is several files', async () => {
    const words: Record<string, NameHint> = {
      [at('a.mkv')]: { episodes: [1, 2], part: null },
      [at('b.mkv')]: { episodes: [3], part: 1 },
      [at('d.mkv')]: { episodes: [3], part: 2 },
    };
    const { service } = planRoom(FILES, (path) => words[path] ?? null);
    const id = await service.begin('recognize-media-file', FOLDER, by);
    const add = (episode: number, name: string) =>
      refusal(service.add('recognize-media-file', id, { season: 1, episode, path: at(name) }));
    expect(await add(1, 'a.mkv')).toBe('nothing was refused');
    expect(await add(2, 'a.mkv')).toBe('nothing was refused');
    expect(await add(3, 'a.mkv')).toContain('is in the plan already');
    expect(await add(3, 'b.mkv')).toBe('nothing was refused');
    expect(await add(3, 'd.mkv')).toBe('nothing was refused');
    expect(await add(3, 'Season 1/c.mkv')).toContain('season 1 episode 3 is in the plan already');
  });

  test('PLAN-44 a rename notes size and time of its source; one name twice, none or elsewhere is refused', async () => {
    const { service } = planRoom(FILES);
    const id = await service.begin('rename-files', FOLDER, by);
    const add = (from: string, to: string) => refusal(service.add('rename-files', id, { from: at(from), to }));
    expect(await add('a.mkv', at('New/x.mkv'))).toBe('nothing was refused');
    expect(await add('a.mkv', at('y.mkv'))).toBe('conflict: "a.mkv" is in the plan already.');
    expect(await add('b.mkv', at('New/x.mkv'))).toContain('is already to be the name of "a.mkv"');
    expect(await add('b.mkv', at('b.mkv'))).toContain('has this name already');
    expect(await add('b.mkv', '/media/elsewhere.mkv')).toContain('invalid: "/media/elsewhere.mkv" is not inside');
    const { state } = await service.read(id);
    expect(state.sources).toMatchObject({ [at('a.mkv')]: { size: 1 } });
  });
});

describe('PLAN-45 a plan that is decided', () => {
  test('PLAN-45, PLAN-86 once, from pending; after a rejection the agent hears that the person cancelled, also while it builds', async () => {
    const { service, time } = planRoom(FILES);
    const id = await service.begin('recognize-media-file', FOLDER, by);
    await service.add('recognize-media-file', id, { season: 1, episode: 1, path: at('a.mkv') });
    expect(await refusal(service.update(id, 'completed', 'Ada'))).toContain('still being made');
    time.now = 3000;
    const { plan, state } = await service.update(id, 'rejected', 'Ada');
    expect([plan.status, state.decided_by, state.decided_at]).toEqual(['rejected', 'Ada', 3000]);
    const cancelled = 'cancelled: The person cancelled this task.';
    expect(await refusal(service.add('recognize-media-file', id, { season: 1, episode: 2, path: at('b.mkv') }))).toBe(
      cancelled,
    );
    expect(await refusal(service.end('recognize-media-file', id))).toBe(cancelled);
    for (const status of ['completed', 'rejected'] as const)
      expect(await refusal(service.update(id, status, 'Bob'))).toContain('rejected already: it cannot be updated');
    expect(await refusal(service.update('6f9619ff-8b86-4011-b42d-00c04fc964ff', 'rejected', 'x'))).toContain(
      'not_found',
    );
  });

  test('PLAN-46 rows that a person corrected take the place of all rows, by the same rules, or none does', async () => {
    const { service } = planRoom(FILES);
    const files = [
      { season: 1, episode: 1, path: at('a.mkv') },
      { season: 1, episode: 2, path: at('b.mkv') },
    ];
    const wanted = {
      task: 'recognize-media-file' as const,
      mediaFolderPath: FOLDER,
      files,
      notes: {},
      hintOf: () => null,
    };
    const { plan } = await service.propose(wanted, 'Accession');
    const twice = [...files, { season: 1, episode: 2, path: at('d.mkv') }];
    expect(await refusal(service.replaceFiles(plan.id, twice))).toContain('season 1 episode 2 is in the plan already');
    expect(await refusal(service.replaceFiles(plan.id, []))).toContain('has no files');
    expect((await service.read(plan.id)).plan.files).toEqual(files);
    const swapped = [{ season: 1, episode: 2, path: at('a.mkv') }];
    expect((await service.replaceFiles(plan.id, swapped)).plan.files).toEqual(swapped);
    await service.update(plan.id, 'completed', 'Ada');
    expect(await refusal(service.replaceFiles(plan.id, files))).toContain('cannot be updated');
  });

  test('PLAN-46 a plan that code proposes is listed at once, or not made', async () => {
    const { service, ready, store } = planRoom(FILES);
    const rename = { task: 'rename-files' as const, mediaFolderPath: FOLDER, notes: {}, hintOf: () => null };
    expect(await refusal(service.propose({ ...rename, files: [] }, 'x'))).toContain('has no files');
    expect(await store.list()).toEqual([]);
    const files = [{ from: at('a.mkv'), to: at('A/a.mkv') }];
    const { plan, state } = await service.propose({ ...rename, files }, 'x');
    expect([plan.files, state.stage, Object.keys(state.sources)]).toEqual([files, 'ready', [at('a.mkv')]]);
    expect(ready).toHaveLength(1);
  });
});

test('PLAN-41, PLAN-84 a call that comes again under its key acts once', async () => {
  const { service, ready, store } = planRoom(FILES);
  const id = await service.begin('recognize-media-file', FOLDER, { by: 'agent', key: 'w/1' });
  expect(await service.begin('recognize-media-file', FOLDER, { by: 'agent', key: 'w/1' })).toBe(id);
  const file = { season: 1, episode: 1, path: at('a.mkv') };
  for (let time = 0; time < 2; time++) await service.add('recognize-media-file', id, file, 'w/2');
  for (let time = 0; time < 2; time++) await service.end('recognize-media-file', id, 'w/3');
  expect(await store.list()).toHaveLength(1);
  expect((await service.read(id)).plan.files).toEqual([file]);
  expect(ready).toHaveLength(1);
});

test('PLAN-45, PLAN-86 whatever is called in whatever order, a decided plan stays as it was decided and no listed one is empty', async () => {
  const call = fc.record({
    do: fc.constantFrom('add', 'end', 'reject', 'complete'),
    name: fc.constantFrom(...Object.keys(FILES)),
    episode: fc.nat({ max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 14 }), async (calls) => {
      const { service } = planRoom(FILES);
      const id = await service.begin('recognize-media-file', FOLDER, by);
      let decided: string | null = null;
      for (const { do: what, name, episode } of calls) {
        if (what === 'add')
          await refusal(service.add('recognize-media-file', id, { season: 1, episode, path: at(name) }));
        else if (what === 'end') await refusal(service.end('recognize-media-file', id));
        else await refusal(service.update(id, what === 'reject' ? 'rejected' : 'completed', 'Ada'));
        const { plan } = await service.read(id);
        const text = planDocument(videoPlans, plan);
        if (decided !== null) expect(text).toBe(decided);
        else if (plan.status !== 'pending') decided = text;
        for (const listed of await service.pending('recognize-media-file')) {
          const { files } = listed.plan;
          expect(files.length).toBeGreaterThan(0);
          expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
          expect(new Set(files.map((file) => file.episode)).size).toBe(files.length);
        }
        expect(readPlanDocument(videoPlans, text)).toEqual(plan);
      }
    }),
    { numRuns: runs(60, 2000) },
  );
});

test('a task has a UUID of version 4', () => {
  expect(uuidOf(new Uint8Array(16).fill(255))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  expect(randomUuids.next()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
