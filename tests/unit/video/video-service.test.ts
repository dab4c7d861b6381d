import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { openDatabase } from '#lanes/database.ts';
import { dexieJournalStore } from '#adapters/browser/plans/journal-store.ts';
import { createVideoService } from '#lanes/video/browser/video-service.ts';
import { randomUuids } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import { fakeFolder } from '../../fixtures/fake-folder.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;
let count = 0;

const FILES = { 'show.s01e01.mkv': '1', 'show.s01e01.en.srt': 's', 'show.s01e02.mkv': '2' };
const TEMPLATE = '{show} - S{season:00}E{episode:00}{ext}';
const unheard = (): void => undefined;

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

async function opened() {
  const db = openDatabase(`room-${++count}`);
  const folder = fakeFolder(FILES);
  const journal = dexieJournalStore(db, navigator.locks);
  const models = () => Promise.reject(new Error('No model is asked here.'));
  const timers = { set: () => null, clear: () => undefined };
  const deps = { db, journal, clock: { now: () => 1 }, timers, ids: randomUuids, platform: 'Linux x86_64', models };
  const room = createVideoService(deps);
  const read = value(await room.open({ kind: 'handle', handle: folder.handle }, unheard));
  const rows = read.reading.files;
  const wish = { rows, template: TEMPLATE, inShowFolder: true, show: read.reading.show, edits: {} };
  return { db, folder, room, read, rows, wish };
}

test('VIDEO-86, VIDEO-112 a folder that is read has a pending plan, which the person confirms with their corrections', async () => {
  const { db, room, read, rows } = await opened();
  const planned = async () => (await db.plans.get(read.planId ?? ''))?.plan;
  expect(await planned()).toMatchObject({ status: 'pending', mediaFolderPath: '/Show' });
  const corrected = rows.map((row) => (row.path === 'show.s01e02.mkv' ? { ...row, episodes: [7] } : row));
  value(await room.decide('completed', corrected));
  expect(await planned()).toMatchObject({ status: 'completed', files: [{ episode: 1 }, { episode: 7 }] });
  await db.delete();
});

test('VIDEO-86 one that was not decided is rejected when a folder is read again', async () => {
  const { db, folder, room, read } = await opened();
  value(await room.open({ kind: 'list', name: 'Show', files: [] }, unheard));
  expect((await db.plans.get(read.planId ?? ''))?.plan.status).toBe('rejected');
  expect(folder.contents()).toEqual(FILES);
  await db.delete();
});

test('VIDEO-87 only what is shown is done: a name more or less has another hash, and the former one does nothing', async () => {
  const { db, folder, room, wish } = await opened();
  const before = value(await room.preview(wish));
  const after = value(await room.preview({ ...wish, edits: { 'show.s01e02.mkv': 'two.mkv' } }));
  expect(after.hash).not.toBe(before.hash);
  expect(await room.rename(before.hash, unheard)).toMatchObject({ ok: false, failure: { code: 'conflict' } });
  expect(folder.contents()).toEqual(FILES);
  expect(value(await room.rename(after.hash, unheard))).toMatchObject({ result: 'done', renamed: 3 });
  expect(Object.values(folder.contents()).sort()).toEqual(['1', '2', 's']);
  expect(folder.contents()['two.mkv']).toBe('2');
  expect((await db.plans.get(after.planId))?.plan.status).toBe('completed');
  await db.delete();
});

test('VIDEO-87 a file that changed since the folder was read is not renamed, nor is any other', async () => {
  const { db, folder, room, wish } = await opened();
  const { hash } = value(await room.preview(wish));
  folder.disk.files.set('show.s01e01.mkv', { bytes: new Uint8Array(9), modified: 5 });
  expect(value(await room.rename(hash, unheard))).toMatchObject({
    result: 'refused',
    problems: [{ code: 'source-changed' }],
  });
  expect(Object.keys(folder.contents()).sort()).toEqual(Object.keys(FILES).sort());
  await db.delete();
});

test('VIDEO-88 a name written for a video holds for its subtitle', async () => {
  const { db, room, wish } = await opened();
  const { rows } = value(await room.preview({ ...wish, edits: { 'show.s01e01.mkv': 'Pilot.mkv' } }));
  expect(rows.map(({ to }) => to)).toContain('Pilot.en.srt');
  await db.delete();
});

test('VIDEO-85 without a folder to write to there is a plan and a script, and no rename', async () => {
  const { db, room } = await opened();
  const files = Object.keys(FILES).map((path) => ({ path, size: 1, modified: 1 }));
  const { reading, id } = value(await room.open({ kind: 'list', name: 'Show', files }, unheard));
  expect(id).toBeNull();
  const wish = { rows: reading.files, template: TEMPLATE, inShowFolder: true, show: reading.show, edits: {} };
  const { hash } = value(await room.preview(wish));
  const { plan, script } = value(await room.planFiles(hash));
  expect(JSON.parse(plan.text)).toMatchObject({ task: 'rename-files', mediaFolderPath: '/Show' });
  expect(script.text).toMatch(/^#!\/bin\/sh\n/);
  expect((await room.rename(hash, unheard)).ok).toBe(false);
  await db.delete();
});
