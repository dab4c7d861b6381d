/**
 * Any two changes of a store of the browser at the same moment come to what one of the two orders, one after the other,
 * comes to: nothing of either is lost.
 */
import Dexie from 'dexie';
import { asyncProperty, assert, constantFrom } from 'fast-check';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { updateSetting, writeSettings } from '#adapters/browser/settings.ts';
import { notePlansAnnounced } from '#adapters/browser/meta.ts';
import { nextEpoch, writePaused } from '#adapters/browser/job-store.ts';
import { patchUploadsState } from '#adapters/browser/uploads/state.ts';
import { openDatabase } from '#lanes/database.ts';
import { dexieGuideStore } from '#lanes/guide/browser/guide-store.ts';
import { noteRestart } from '#lanes/guide/browser/guide-ports.ts';
import { booksHere } from '#lanes/playbooks/browser/books.ts';
import type { PlaybookMachine } from '#lanes/playbooks/browser/run-here.ts';
import { forgetSaidLost, leaveLost } from '#lanes/music/browser/lost-results.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;

type Change = (db: AccessionDb) => Promise<unknown>;

let count = 0;

/** All rows of these tables after the changes; each pair in its own database. */
async function after(tables: readonly string[], begin: Change, changes: (db: AccessionDb) => Promise<unknown>) {
  const db = openDatabase(`at-once-${++count}`);
  try {
    await begin(db);
    await changes(db);
    return await Promise.all(tables.map(async (name) => [name, await db.table(name).toArray()] as const));
  } finally {
    await db.delete();
  }
}

async function holds(tables: readonly string[], begin: Change, changes: Readonly<Record<string, Change>>) {
  const names = constantFrom(...Object.keys(changes));
  const change = (name: string, db: AccessionDb): Promise<unknown> =>
    (changes[name]?.(db) ?? Promise.reject(new Error(name))).catch((error: unknown) => error);
  const property = asyncProperty(names, names, async (one, two) => {
    const both = await after(tables, begin, (db) => Promise.all([change(one, db), change(two, db)]));
    const order = (first: string, second: string) =>
      after(tables, begin, async (db) => {
        await change(first, db);
        await change(second, db);
      });
    const texts = [await order(one, two), await order(two, one)].map((rows) => JSON.stringify(rows));
    expect(texts, `${one} beside ${two}`).toContain(JSON.stringify(both));
  });
  await assert(property, { numRuns: 12 });
}

const machine = (db: AccessionDb): PlaybookMachine =>
  ({
    db,
    clock: { now: () => 1 },
    ids: { next: () => 'b' },
    sha256: () => Promise.resolve('h'),
  }) as unknown as PlaybookMachine;
const books = (db: AccessionDb) => booksHere(machine(db));
const file = (text: string) => [{ path: 'a.txt', file: new File([text], 'a.txt') }];

test('JOB-75 two at the same moment: changes of a playbook', () =>
  holds(['playbook_books', 'playbook_files'], (db) => books(db).add('Birds', 'playbook: 1'), {
    name: (db) => books(db).save('b', { name: 'Owls' }),
    text: (db) => books(db).save('b', { text: 'playbook: 1\nsteps: []' }),
    values: (db) => books(db).save('b', { values: { topic: 'owls' } }),
    folder: (db) => books(db).setFolder('b', { name: 'Notes' } as never),
    'no folder': (db) => books(db).setFolder('b', null),
    file: (db) => books(db).addFiles('b', file('one')),
    'another file': (db) => books(db).addFiles('b', file('two')),
    'file gone': (db) => books(db).removeFile('b', 'a.txt'),
    gone: (db) => books(db).remove('b'),
  }));

test('JOB-75 two at the same moment: changes of settings and of what stands beside them', () =>
  holds(['settings', 'meta'], () => Promise.resolve(), {
    source: (db) => updateSetting(db, 'documents_more', (asked) => [...asked, 'pubmed']),
    name: (db) => updateSetting(db, 'playbooks_models', (models) => ({ ...models, small: 'ollama/a' })),
    'another name': (db) => updateSetting(db, 'playbooks_models', (models) => ({ ...models, large: 'ollama/b' })),
    several: (db) => writeSettings(db, { llm_provider: 'ollama', llm_model: 'a' }),
    'several others': (db) => writeSettings(db, { llm_provider: 'openai', llm_model: 'b' }),
    epoch: (db) => nextEpoch(db),
    paused: (db) => writePaused(db, true),
    announced: (db) => notePlansAnnounced(db),
    why: (db) => patchUploadsState(db, { why_not: 'busy' }),
    last: (db) => patchUploadsState(db, { last: { label: 'a', at: 1, trouble: null } }),
  }));

const LOST = { key: 'lost', value: { at: 1, job_ids: ['j1'], said: ['j1', 'j2', 'j3'] } };

test('JOB-75 two at the same moment: changes of what a server has lost', () =>
  holds(['meta'], (db) => db.meta.put(LOST), {
    one: (db) => forgetSaidLost(db, ['j1']),
    another: (db) => forgetSaidLost(db, ['j2']),
    left: (db) => leaveLost(db),
  }));

const guide = (db: AccessionDb) => dexieGuideStore(db, { next: () => 'i' });
const failed = (channel: string) => ({ guide: 'g', channel, start: 1, at: 1, where: channel, why: 'away' }) as never;
const row = (id: string) => ({ schema_version: 1, days: 2, channel: { id, number: id, name: id } }) as never;

test('JOB-75 two at the same moment: changes of guides and of what runs leave', () =>
  holds(['guide_schedules', 'guide_dismissals', 'guide_state', 'guide_lookups'], () => Promise.resolve(), {
    channel: (db) => guide(db).putSchedule(row('1')),
    'another channel': (db) => guide(db).putSchedule(row('2')),
    'channel gone': (db) => guide(db).removeSchedule('1'),
    lookups: (db) => guide(db).noteLookups({ failed: [failed('a')], answered: [] }),
    'other lookups': (db) => guide(db).noteLookups({ failed: [failed('b')], answered: [] }),
    restart: (db) => noteRestart(db, 1),
    'another restart': (db) => noteRestart(db, 2),
  }));
