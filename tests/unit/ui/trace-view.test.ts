import { expect, test } from 'vitest';
import { TraceView } from '#ui/trace/trace-view.svelte.ts';

const box = (scrollTop: number, scrollHeight = 1000) => ({ scrollTop, scrollHeight, clientHeight: 200 });

test('TRACE-12 a live trace follows its end until somebody scrolls up, and again from the end on', () => {
  const view = new TraceView(() => []);
  view.scrolled(box(800), true);
  expect(view.follow).toBe(true);
  view.scrolled(box(500), true);
  expect(view.follow).toBe(false);
  // New steps make it longer; nobody scrolled.
  view.scrolled(box(500, 1400), true);
  expect(view.follow).toBe(false);
  view.scrolled(box(1195, 1400), true);
  expect(view.follow).toBe(true);
});

test('TRACE-12 one of a job that has ended follows nothing', () => {
  const view = new TraceView(() => []);
  view.scrolled(box(800), false);
  expect(view.follow).toBe(false);
});
