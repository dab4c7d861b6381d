/**
 * Every scenario of the contract on plans (docs/spec/plans.md) by its name, over real HTTP: tools as an agent calls them, plans as files
 * under the data directory, the API as a frontend calls it. The page itself is in tests/e2e.
 */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readPlanDocument } from '#core/plan/plan-kind.ts';
import type { Plan } from '#core/plan/plan.ts';
import { videoPlans } from '#lanes/video/core/plan-kinds.ts';
import { testPlans, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NOWHERE = '6f9619ff-8b86-4011-b42d-00c04fc964ff';

let server: TestServer;
let media: string;
let data: string;
let folder: string;
let count = 0;
/** Plan-ready events, as a listener of the server hears them. */
const heard: unknown[] = [];

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'plans-data-'));
  media = await realpath(await mkdtemp(join(tmpdir(), 'plans-media-')));
  server = await testServer({ data, deps: { plans: testPlans(join(data, 'plans'), [media]) } });
  server.deps.events.listen((event) => heard.push(event));
});
afterAll(async () => {
  await server.end();
  await rm(media, { recursive: true, force: true });
});
beforeEach(async () => {
  heard.length = 0;
  folder = join(media, `Show ${++count}`);
  await mkdir(folder);
  for (const name of ['Show.S01E01.mkv', 'Show.S01E02.mkv', 'b.mkv']) await writeFile(join(folder, name), name);
});

const tool = <T = { taskId: string; success: boolean }>(name: string, input: object) =>
  server.api<T>('POST', `/v1/tools/${name}`, input);
const api = <T>(path: string, body?: object) => server.api<T>(body ? 'POST' : 'GET', path, body);
const planFile = (id: string): string => join(data, 'plans', `${id}.plan.json`);
const read = async (id: string): Promise<Plan | null> =>
  readPlanDocument(videoPlans, await readFile(planFile(id), 'utf8'));

async function begun(name: 'beginRecognizeTask' | 'beginRenameFilesTaskV2'): Promise<string> {
  const { status, body } = await tool(name, { mediaFolderPath: folder });
  expect(status).toBe(200);
  return body.taskId;
}

async function recognition(end = true): Promise<string> {
  const taskId = await begun('beginRecognizeTask');
  const file = { season: 1, episode: 1, path: `${folder}/Show.S01E01.mkv` };
  expect((await tool('addRecognizedMediaFile', { taskId, ...file })).status).toBe(200);
  if (end) expect((await tool('endRecognizeTask', { taskId })).status).toBe(200);
  return taskId;
}

async function renaming(end = true): Promise<string> {
  const taskId = await begun('beginRenameFilesTaskV2');
  const file = { from: `${folder}/b.mkv`, to: `${folder}/Season 01/Show - S01E03.mkv` };
  expect((await tool('addRenameFileToTaskV2', { taskId, ...file })).status).toBe(200);
  if (end) expect((await tool('endRenameFilesTaskV2', { taskId })).status).toBe(200);
  return taskId;
}

const pendingIds = async (path: string): Promise<string[]> =>
  (await api<{ plans: Plan[] }>(path)).body.plans.map(({ id }) => id);

describe('Requirement: AI-Driven Media File Recognition Task', () => {
  test('Scenario: Begin recognition task', async () => {
    const fresh = await mkdtemp(join(tmpdir(), 'plans-fresh-'));
    const other = await testServer({ data: fresh, deps: { plans: testPlans(join(fresh, 'plans'), [media]) } });
    await expect(readdir(join(fresh, 'plans'))).rejects.toThrow('ENOENT');
    const answer = await other.api<{ taskId: string }>('POST', '/v1/tools/beginRecognizeTask', {
      mediaFolderPath: folder,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.taskId).toMatch(UUID);
    const text = await readFile(join(fresh, 'plans', `${answer.body.taskId}.plan.json`), 'utf8');
    expect(JSON.parse(text)).toEqual({
      id: answer.body.taskId,
      task: 'recognize-media-file',
      status: 'pending',
      mediaFolderPath: folder,
      files: [],
    });
    await other.end();
  });

  test('Scenario: Add recognized file to task', async () => {
    const taskId = await begun('beginRecognizeTask');
    const first = { season: 1, episode: 1, path: `${folder}/Show.S01E01.mkv` };
    const second = { season: 1, episode: 2, path: `${folder}/Show.S01E02.mkv` };
    for (const file of [first, second]) {
      const { status, body } = await tool('addRecognizedMediaFile', { taskId, ...file });
      expect([status, body]).toEqual([200, { success: true }]);
    }
    expect((await read(taskId))?.files).toEqual([first, second]);
  });

  test('Scenario: End recognition task and notify UI', async () => {
    const taskId = await recognition(false);
    expect(await pendingIds('/api/getPendingPlans')).not.toContain(taskId);
    expect(heard).toEqual([]);
    expect((await tool('endRecognizeTask', { taskId })).body).toEqual({ success: true });
    expect(heard).toEqual([{ type: 'RecognizeMediaFilePlanReady', taskId, planFilePath: planFile(taskId) }]);
    expect(await pendingIds('/api/getPendingPlans')).toContain(taskId);
  });

  test('Scenario: Handle invalid task ID', async () => {
    const file = { season: 1, episode: 1, path: `${folder}/Show.S01E01.mkv` };
    for (const taskId of [NOWHERE, 'no-uuid', '../../admin-token', await begun('beginRenameFilesTaskV2')]) {
      for (const answer of [
        await tool<ErrorAnswer>('addRecognizedMediaFile', { taskId, ...file }),
        await tool<ErrorAnswer>('endRecognizeTask', { taskId }),
      ]) {
        expect(answer.status).toBe(404);
        expect(answer.body.error).toMatchObject({ code: 'not_found', message: `The task "${taskId}" was not found.` });
      }
    }
  });

  test('Scenario: Plan file format matches RecognizeMediaFilePlan', async () => {
    const taskId = await recognition(false);
    const form = (status: string): string =>
      `${JSON.stringify(
        {
          id: taskId,
          task: 'recognize-media-file',
          status,
          mediaFolderPath: folder,
          files: [{ season: 1, episode: 1, path: `${folder}/Show.S01E01.mkv` }],
        },
        null,
        2,
      )}\n`;
    expect(await readFile(planFile(taskId), 'utf8')).toBe(form('pending'));
    await tool('endRecognizeTask', { taskId });
    expect(await readFile(planFile(taskId), 'utf8')).toBe(form('pending'));
    await api('/api/updatePlan', { planId: taskId, status: 'completed' });
    expect(await readFile(planFile(taskId), 'utf8')).toBe(form('completed'));
  });
});

describe('Requirement: Plan status update (reject or complete)', () => {
  test('Scenario: Update plan via API (reject or complete)', async () => {
    for (const status of ['rejected', 'completed'] as const) {
      const planId = await recognition();
      const answer = await api<{ success: boolean; plan: Plan }>('/api/updatePlan', { planId, status });
      expect([answer.status, answer.body.success, answer.body.plan.status]).toEqual([200, true, status]);
      expect((await read(planId))?.status).toBe(status);
    }
  });

  test('Scenario: Update non-existent plan', async () => {
    for (const planId of [NOWHERE, 'x', '../x']) {
      const answer = await api<ErrorAnswer>('/api/updatePlan', { planId, status: 'rejected' });
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
      expect(answer.body.error.message).toContain('was not found');
    }
  });

  test('Scenario: Update already processed plan', async () => {
    for (const first of ['rejected', 'completed']) {
      const planId = await recognition();
      await api('/api/updatePlan', { planId, status: first });
      for (const status of ['completed', 'rejected']) {
        const answer = await api<ErrorAnswer>('/api/updatePlan', { planId, status });
        expect(answer.status).toBe(409);
        expect(answer.body.error.message).toBe(`The plan is ${first} already: it cannot be updated.`);
      }
      expect((await read(planId))?.status).toBe(first);
    }
  });

  test('Scenario: Frontend rejects plan on cancel', async () => {
    const planId = await recognition();
    const answer = await api('/api/updatePlan', { planId, status: 'rejected' });
    expect(answer.status).toBe(200);
    expect((await read(planId))?.status).toBe('rejected');
    expect(await pendingIds('/api/getPendingPlans')).not.toContain(planId);
    // A second click, in another window, gets an error that a page can show.
    expect((await api('/api/updatePlan', { planId, status: 'rejected' })).status).toBe(409);
    // And the agent hears that the person cancelled.
    const late = await tool<ErrorAnswer>('endRecognizeTask', { taskId: planId });
    expect([late.status, late.body.error.code]).toEqual([409, 'cancelled']);
    expect(late.body.error.message).toBe('The person cancelled this task.');
  });

  test('Scenario: Frontend completes plan on confirm', async () => {
    const planId = await recognition();
    expect(await pendingIds('/api/getPendingPlans')).toContain(planId);
    expect((await api('/api/updatePlan', { planId, status: 'completed' })).status).toBe(200);
    expect((await read(planId))?.status).toBe('completed');
    expect(await pendingIds('/api/getPendingPlans')).not.toContain(planId);
  });
});

describe('Requirement: AI-Driven Rename Files Task V2', () => {
  test('Scenario: Begin rename task V2', async () => {
    const taskId = await begun('beginRenameFilesTaskV2');
    expect(taskId).toMatch(UUID);
    expect(await read(taskId)).toEqual({
      id: taskId,
      task: 'rename-files',
      status: 'pending',
      mediaFolderPath: folder,
      files: [],
    });
  });

  test('Scenario: Add rename file to task V2', async () => {
    const taskId = await begun('beginRenameFilesTaskV2');
    const entry = { from: `${folder}/b.mkv`, to: `${folder}/Season 01/c.mkv` };
    expect((await tool('addRenameFileToTaskV2', { taskId, ...entry })).body).toEqual({ success: true });
    expect((await read(taskId))?.files).toEqual([entry]);
    // Nothing on the disk has changed.
    expect(await readFile(join(folder, 'b.mkv'), 'utf8')).toBe('b.mkv');
  });

  test('Scenario: End rename task V2 and notify UI', async () => {
    const taskId = await renaming(false);
    expect(await pendingIds('/api/getPendingRenamePlans')).not.toContain(taskId);
    expect((await tool('endRenameFilesTaskV2', { taskId })).body).toEqual({ success: true });
    expect(heard).toEqual([{ type: 'RenameFilesPlanReady', taskId, planFilePath: planFile(taskId) }]);
  });

  test('Scenario: Handle invalid task ID in V2', async () => {
    const entry = { from: `${folder}/b.mkv`, to: `${folder}/c.mkv` };
    for (const taskId of [NOWHERE, 'x', await begun('beginRecognizeTask')]) {
      for (const answer of [
        await tool<ErrorAnswer>('addRenameFileToTaskV2', { taskId, ...entry }),
        await tool<ErrorAnswer>('endRenameFilesTaskV2', { taskId }),
      ]) {
        expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
        expect(answer.body.error.message).toContain('was not found');
      }
    }
  });

  test('Scenario: Reject empty plan in endRenameFilesTaskV2', async () => {
    const rename = await begun('beginRenameFilesTaskV2');
    const recognize = await begun('beginRecognizeTask');
    for (const answer of [
      await tool<ErrorAnswer>('endRenameFilesTaskV2', { taskId: rename }),
      // Recognition is the same (docs/DESIGN.md, Settled).
      await tool<ErrorAnswer>('endRecognizeTask', { taskId: recognize }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid']);
      expect(answer.body.error.message).toContain('has no files');
    }
    expect(heard).toEqual([]);
    expect(await pendingIds('/api/getPendingRenamePlans')).not.toContain(rename);
    expect(await pendingIds('/api/getPendingPlans')).not.toContain(recognize);
  });

  test('Scenario: Rename plan file format', async () => {
    const taskId = await renaming();
    expect(JSON.parse(await readFile(planFile(taskId), 'utf8'))).toEqual({
      id: taskId,
      task: 'rename-files',
      status: 'pending',
      mediaFolderPath: folder,
      files: [{ from: `${folder}/b.mkv`, to: `${folder}/Season 01/Show - S01E03.mkv` }],
    });
  });
});

describe('Requirement: Rename plan status update and pending list (V2)', () => {
  test('Scenario: List pending rename plans', async () => {
    const [first, second] = [await renaming(), await renaming()];
    const others = [await recognition(), await renaming(false)];
    const rejected = await renaming();
    await api('/api/updatePlan', { planId: rejected, status: 'rejected' });
    const { body } = await api<{ plans: Plan[] }>('/api/getPendingRenamePlans');
    const ids = body.plans.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([first, second]));
    for (const id of [...others, rejected]) expect(ids).not.toContain(id);
    for (const plan of body.plans) {
      expect(Object.keys(plan)).toEqual(['id', 'task', 'status', 'mediaFolderPath', 'files']);
      expect([plan.task, plan.status]).toEqual(['rename-files', 'pending']);
      expect(await read(plan.id)).toEqual(plan);
    }
  });

  test('Scenario: Update rename plan status (reject or complete)', async () => {
    for (const status of ['rejected', 'completed'] as const) {
      const planId = await renaming();
      expect((await api('/api/updatePlan', { planId, status })).status).toBe(200);
      expect((await read(planId))?.status).toBe(status);
      expect((await api('/api/updatePlan', { planId, status })).status).toBe(409);
    }
  });

  test('Scenario: Frontend completes rename plan on confirm', async () => {
    const planId = await renaming();
    const preview = await api<{ hash: string; problems: unknown[] }>(`/v1/plans/${planId}/preview`);
    expect(preview.body.problems).toEqual([]);
    const answer = await api<{ plan: Plan; outcome: { renamed: number } }>('/api/updatePlan', {
      planId,
      status: 'completed',
      previewHash: preview.body.hash,
    });
    expect([answer.status, answer.body.plan.status, answer.body.outcome.renamed]).toEqual([200, 'completed', 1]);
    expect((await readdir(folder)).sort()).toEqual(['Season 01', 'Show.S01E01.mkv', 'Show.S01E02.mkv']);
    expect(await readFile(join(folder, 'Season 01', 'Show - S01E03.mkv'), 'utf8')).toBe('b.mkv');
    expect(await pendingIds('/api/getPendingRenamePlans')).not.toContain(planId);
  });

  test('Scenario: Frontend rejects rename plan on cancel', async () => {
    const planId = await renaming();
    expect((await api('/api/updatePlan', { planId, status: 'rejected' })).status).toBe(200);
    expect(await pendingIds('/api/getPendingRenamePlans')).not.toContain(planId);
    expect((await readdir(folder)).sort()).toEqual(['Show.S01E01.mkv', 'Show.S01E02.mkv', 'b.mkv']);
    const late = await tool<ErrorAnswer>('addRenameFileToTaskV2', {
      taskId: planId,
      from: `${folder}/Show.S01E01.mkv`,
      to: `${folder}/x.mkv`,
    });
    expect([late.status, late.body.error.code]).toEqual([409, 'cancelled']);
  });
});
