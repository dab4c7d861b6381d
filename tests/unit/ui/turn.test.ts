import { expect, it } from 'vitest';
import { turnAfter, turnOf } from '#ui/review/turn.ts';

const queue = ['a', 'b', 'c'].map((id) => ({ id, job_ids: [`${id}1`, `${id}2`] }));

it('UI-220 UI-227 after an answer the next question stands where the last one was, the last but one after the last', () => {
  const after = turnAfter(queue, 1);
  expect(turnOf(queue, after)).toBe(2);
  // The one that was answered is gone by now: what follows moved up to its place.
  expect(turnOf(queue.toSpliced(1, 1), after)).toBe(1);
  expect(turnOf(queue.slice(0, 2), turnAfter(queue, 2))).toBe(1);
  expect(turnOf([], turnAfter(queue.slice(0, 1), 0))).toBe(0);
});

it('UI-227 asked one by one it goes on with that group, at its place until its questions come', () => {
  const after = turnAfter(queue, 1, true);
  const rest = queue.toSpliced(1, 1);
  expect(turnOf(rest, after)).toBe(1);
  const apart = [...rest, { id: 'n', job_ids: ['b2'] }, { id: 'm', job_ids: ['b1'] }];
  expect(turnOf(apart, after)).toBe(3);
});

it('UI-227 an answer that was taken back is found by one of its files', () => {
  expect(turnOf(queue, { wanted: 'c2', place: 0 })).toBe(2);
});
