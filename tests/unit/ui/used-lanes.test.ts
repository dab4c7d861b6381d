import { beforeEach, expect, test, vi } from 'vitest';
import type { LaneUi } from '#ui/lane-ui.ts';
import { setLanes } from '#ui/lanes.ts';
import { UsedLanes } from '#ui/shell/used-lanes.svelte.ts';

const place = (id: string, also: string[] = []) => ({ id, path: id, also, label: id, icon: vi.fn() as never });
const lane = (id: string, more: Partial<LaneUi> = {}): LaneUi => ({ id, places: [place(id)], ...more });

let kept: Map<string, string>;
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
};
const used = (lanes: UsedLanes) => ['records', 'films', 'notes'].filter((id) => lanes.has(id));

beforeEach(() => {
  kept = new Map();
  setLanes([lane('records'), lane('films'), lane('notes', { places: [place('notes', ['questions'])] })]);
});

test('UI-292 the first lane is in use from the start, another once a page of it was opened, and the device remembers it', () => {
  const lanes = new UsedLanes(storage);
  expect(used(lanes)).toEqual(['records']);
  lanes.opened('settings');
  lanes.opened('notesbook');
  expect(used(lanes)).toEqual(['records']);
  lanes.opened('questions/7');
  expect(used(lanes)).toEqual(['records', 'notes']);
  expect(used(new UsedLanes(storage))).toEqual(['records', 'notes']);
});

test('UI-292 a lane that keeps something here is in use although nobody remembers it; who is in use is not asked', async () => {
  const keeps = vi.fn(() => Promise.resolve(true));
  setLanes([lane('records'), lane('films', { keeps }), lane('notes', { keeps: () => Promise.resolve(false) })]);
  const lanes = new UsedLanes(storage);
  await lanes.addKept();
  await lanes.addKept();
  expect(used(lanes)).toEqual(['records', 'films']);
  expect(keeps).toHaveBeenCalledOnce();
});

test.each(['{', '7', '[1, "films"]'])('UI-292 what is stored and no list of lanes is passed over: %s', (stored) => {
  kept.set('lanes-in-use', stored);
  expect(used(new UsedLanes(storage))).toEqual(stored.includes('films') ? ['records', 'films'] : ['records']);
});

test('UI-333 one that was taken out is not brought back by what it keeps, but by a page that is opened or a drop', async () => {
  setLanes([lane('records'), lane('films', { keeps: () => Promise.resolve(true) }), lane('notes')]);
  const lanes = new UsedLanes(storage);
  await lanes.addKept();
  lanes.opened('notes');
  lanes.remove('films');
  lanes.remove('records');
  expect(used(lanes)).toEqual(['records', 'notes']);
  const next = new UsedLanes(storage);
  await next.addKept();
  expect(used(next)).toEqual(['records', 'notes']);
  next.opened('films/7');
  expect(used(next)).toEqual(['records', 'films', 'notes']);
  next.remove('films');
  next.add('films');
  const last = new UsedLanes(storage);
  expect(used(last)).toEqual(['records', 'films', 'notes']);
  await last.addKept();
  expect(used(last)).toEqual(['records', 'films', 'notes']);
});
