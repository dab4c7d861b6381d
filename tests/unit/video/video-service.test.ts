import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { openDatabase } from '#lanes/database.ts';
import type { FolderRow } from '#adapters/browser/plans/rows.types.ts';
import { dexieJournalStore } from '#adapters/browser/plans/journal-store.ts';
import { createVideoService } from '#lanes/video/browser/video-service.ts';
import { randomUuids } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import type { RecognisedFile } from '#lanes/video/core/folder-reading.ts';
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

function roomOf(db: ReturnType<typeof openDatabase>) {
  const journal = dexieJournalStore(db, navigator.locks);
  const models = () => Promise.reject(new Error('No model is asked here.'));
  const timers = { set: () => null, clear: () => undefined };
  return { db, journal, clock: { now: () => 1 }, timers, ids: randomUuids, platform: 'Linux x86_64', models };
}

async function opened() {
  const db = openDatabase(`room-${++count}`);
  const folder = fakeFolder(FILES);
  // A browser keeps handles in rows; this database keeps only what JSON knows of them.
  db.video_folders.hook('reading', (row?: FolderRow) => row && { ...row, handle: folder.handle });
  const room = createVideoService(roomOf(db));
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

/** The folder opened again by another page of the same browser. */
async function again({ db, folder }: Awaited<ReturnType<typeof opened>>) {
  const room = createVideoService(roomOf(db));
  return { room, read: value(await room.open({ kind: 'handle', handle: folder.handle }, unheard)) };
}

const recordsIn = async (room: ReturnType<typeof createVideoService>) =>
  value(await room.records('all')).records.map(({ path, season, episodes, source }) => ({
    path,
    season,
    episodes,
    source,
  }));

/** As the page has a row that the person corrected. */
const corrected = (rows: readonly RecognisedFile[], path: string, episode: number): RecognisedFile[] =>
  rows.map((row) => (row.path === path ? { ...row, episodes: [episode], source: 'person' as const } : row));

test('PLAN-90, VIDEO-117, VIDEO-118 what is confirmed is recorded, shown when the folder is opened again, and needs no second word', async () => {
  const first = await opened();
  const { db, room, rows, read } = first;
  expect(read.recorded).toBeNull();
  expect(await recordsIn(room)).toEqual([]);
  value(await room.decide('completed', corrected(rows, 'show.s01e02.mkv', 7)));
  const plan = { source: 'rules', season: 1 };
  expect(await recordsIn(room)).toEqual([
    { path: '/Show/show.s01e01.mkv', episodes: [1], ...plan },
    { path: '/Show/show.s01e02.mkv', episodes: [7], ...plan, source: 'person' },
  ]);
  const { records } = value(await room.records('folder'));
  expect(records[0]).toMatchObject({
    schema_version: 1,
    folder: '/Show',
    show: { id: null, title: 'Show', year: null },
    ...{ part: null, title: null, seconds: null, size: 1, plan_id: read.planId, confirmed_at: 1 },
  });

  const second = await again(first);
  expect(second.read).toMatchObject({ recorded: { files: 2, at: 1 }, planId: null });
  const shown = second.read.reading.files.find(({ path }) => path === 'show.s01e02.mkv');
  expect(shown).toMatchObject({ season: 1, episodes: [7], confidence: 1, source: 'person' });
  expect(shown?.reasons.join(' ')).toBe('Confirmed 1970-01-01, by your own word. Read anew: S01E02.');
  // Nothing is new: on to the names, without another plan.
  const plans = await db.plans.count();
  value(await second.room.decide('completed', second.read.reading.files));
  expect(await db.plans.count()).toBe(plans);
  const wish = {
    rows: second.read.reading.files,
    template: TEMPLATE,
    inShowFolder: true,
    show: second.read.reading.show,
  };
  const { rows: named } = value(await second.room.preview({ ...wish, edits: {} }));
  expect(named.map(({ to }) => to)).toContain('Show - S01E07.mkv');
  await db.delete();
});

test('PLAN-95 a record follows its file through a rename and its undo', async () => {
  const first = await opened();
  const { db, room, rows, wish } = first;
  value(await room.decide('completed', rows));
  const before = await recordsIn(room);
  const ids = async () =>
    value(await room.records('all'))
      .records.map(({ id }) => id)
      .sort();
  const known = await ids();
  const { hash, planId } = value(await room.preview(wish));
  value(await room.rename(hash, unheard));
  expect((await recordsIn(room)).map(({ path }) => path)).toEqual([
    '/Show/show - S01E01.mkv',
    '/Show/show - S01E02.mkv',
  ]);
  expect(await ids()).toEqual(known);
  const { read } = await again(first);
  expect(read).toMatchObject({ recorded: { files: 2 }, planId: null });
  expect(value(await room.undo(planId, unheard))).toMatchObject({ result: 'undone' });
  expect(await recordsIn(room)).toEqual(before);
  await db.delete();
});

test('PLAN-95 a rename of before the recognition moves no record', async () => {
  const { db, folder, room, wish } = await opened();
  const { hash, planId } = value(await room.preview(wish));
  value(await room.rename(hash, unheard));
  await db.followed_renames.clear();
  const read = value(await room.open({ kind: 'handle', handle: folder.handle }, unheard));
  await db.followed_renames.clear();
  value(await room.decide('completed', read.reading.files));
  const names = ['/Show/show - S01E01.mkv', '/Show/show - S01E02.mkv'];
  expect((await recordsIn(room)).map(({ path }) => path)).toEqual(names);
  value(await room.undo(planId, unheard));
  expect((await recordsIn(room)).map(({ path }) => path)).toEqual(['/Show/show.s01e01.mkv', '/Show/show.s01e02.mkv']);
  await db.delete();
});

test('PLAN-94, PLAN-97 a later plan replaces what is said of its own files, and taking it back restores what was said before', async () => {
  const first = await opened();
  const { db, folder, room, rows, read } = first;
  value(await room.decide('completed', rows));
  folder.disk.files.delete('show.s01e01.mkv');
  folder.disk.files.set('show.s01e03.mkv', { bytes: new Uint8Array([3, 3]), modified: 1_700_000_000_000 });
  const later = value(await room.open({ kind: 'handle', handle: folder.handle }, unheard));
  expect(later.recorded).toEqual({ files: 1, at: 1 });
  value(await room.decide('completed', corrected(later.reading.files, 'show.s01e02.mkv', 5)));
  const said = async () => (await recordsIn(room)).map(({ path, episodes }) => `${path.slice(6)} ${episodes.join()}`);
  expect(await said()).toEqual(['show.s01e01.mkv 1', 'show.s01e02.mkv 5', 'show.s01e03.mkv 3']);
  expect(value(await room.takeBack(later.planId ?? ''))).toBe(2);
  expect(await said()).toEqual(['show.s01e01.mkv 1', 'show.s01e02.mkv 2']);
  expect(value(await room.takeBack(read.planId ?? ''))).toBe(2);
  expect(await said()).toEqual([]);
  expect((await db.plans.get(read.planId ?? ''))?.state.taken_back).toEqual({ at: 1, by: 'You, in this browser' });
  expect((await again(first)).read.recorded).toBeNull();
  await db.delete();
});

test('PLAN-90 where the records cannot be written, the plan is not completed', async () => {
  const { db, room, rows, read } = await opened();
  const fails = (): never => {
    throw new Error('The disk is full.');
  };
  db.video_records.hook('creating', fails);
  expect((await room.decide('completed', rows)).ok).toBe(false);
  expect((await db.plans.get(read.planId ?? ''))?.plan.status).toBe('pending');
  db.video_records.hook('creating').unsubscribe(fails);
  value(await room.decide('completed', rows));
  expect(await recordsIn(room)).toHaveLength(2);
  await db.delete();
});

test('VIDEO-122 a folder of which something is recorded stays known, however many are opened since', async () => {
  const { db, room, rows, read } = await opened();
  value(await room.decide('completed', rows));
  const handle = fakeFolder({}).handle;
  const others = Array.from({ length: 20 }, (_, n) => ({
    id: `other-${n}`,
    name: `Other ${n}`,
    handle,
    opened_at: n + 2,
  }));
  for (const row of others) await db.video_folders.put(JSON.parse(JSON.stringify(row)) as FolderRow);
  value(await room.open({ kind: 'handle', handle: fakeFolder({ 'x.mkv': 'x' }).handle }, unheard));
  const known = (await db.video_folders.toCollection().primaryKeys()).map(String);
  expect(known).toContain(read.id);
  expect(known).not.toContain('other-0');
  await db.delete();
});

test('VIDEO-117 a folder that this browser can only list shows the records of files of the same name and size', async () => {
  const { db, room } = await opened();
  const files = Object.entries(FILES).map(([path, text]) => ({ path, size: text.length, modified: 1 }));
  const { reading } = value(await room.open({ kind: 'list', name: 'Show', files }, unheard));
  value(await room.decide('completed', reading.files));
  const changed = files.map((file) => (file.path === 'show.s01e02.mkv' ? { ...file, size: 99 } : file));
  const again = value(await room.open({ kind: 'list', name: 'Show', files: changed }, unheard));
  expect(again.recorded).toMatchObject({ files: 1 });
  expect(again.planId).not.toBeNull();
  await db.delete();
});

test('PLAN-102 a record goes with a file that a script renamed, where there is no doubt which one it is', async () => {
  const { db, room } = await opened();
  const file = (path: string, size: number, modified = 7) => ({ path, size, modified });
  const open = async (...files: ReturnType<typeof file>[]) =>
    value(await room.open({ kind: 'list', name: 'Show', files }, unheard));
  const three = [file('show.s01e01.mkv', 11), file('show.s01e02.mkv', 12), file('show.s01e03.mkv', 12)];
  const { reading } = await open(...three);
  value(await room.decide('completed', reading.files));
  const paths = async () => (await recordsIn(room)).map(({ path, episodes }) => `${path.slice(6)} ${episodes.join()}`);
  await open(file('Pilot.mkv', 11), file('b.mkv', 12), file('c.mkv', 12));
  expect(await paths()).toEqual(['Pilot.mkv 1', 'show.s01e02.mkv 2', 'show.s01e03.mkv 3']);
  await open(file('Pilot.mkv', 11), file('b.mkv', 12, 8), file('show.s01e03.mkv', 12));
  expect(await paths()).toEqual(['Pilot.mkv 1', 'show.s01e02.mkv 2', 'show.s01e03.mkv 3']);
  const { recorded } = await open(file('Pilot.mkv', 11), file('b.mkv', 12), file('show.s01e03.mkv', 12));
  expect(await paths()).toEqual(['Pilot.mkv 1', 'b.mkv 2', 'show.s01e03.mkv 3']);
  expect(recorded).toMatchObject({ files: 3 });
  await db.delete();
});

test('VIDEO-160 a folder that two tabs open at once is remembered once, and one that is opened meanwhile is not forgotten', async () => {
  const db = openDatabase(`room-${++count}`);
  const folder = fakeFolder(FILES);
  db.video_folders.hook('reading', (row?: FolderRow) => row && { ...row, handle: folder.handle });
  const source = { kind: 'handle', handle: folder.handle } as const;
  const tabs = [createVideoService(roomOf(db)), createVideoService(roomOf(db))];
  const [one, two] = (await Promise.all(tabs.map((room) => room.open(source, unheard)))).map(value);
  expect(one?.id).toBe(two?.id);
  expect(await db.video_folders.count()).toBe(1);
  await db.delete();
});
