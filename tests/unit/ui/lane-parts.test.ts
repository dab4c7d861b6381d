import { expect, test } from 'vitest';
import type { LaneQuestions, LaneUi } from '#ui/lane-ui.ts';
import { loadParts, partOf, setLanes } from '#ui/lanes.ts';

const words: LaneQuestions = { isMissing: () => true };
const music: LaneUi = { id: 'music', questions: () => Promise.resolve(words) };
const video: LaneUi = { id: 'video' };

test('UI-341 a question that is open keeps its answers while another page is loaded, as a link that is pointed at has it', async () => {
  setLanes([music, video]);
  await loadParts('questions');
  expect(partOf('questions', { lane: 'music' }).isMissing).toBeDefined();
  setLanes([music, video]);
  expect(partOf('questions', { lane: 'music' }).isMissing).toBeDefined();
  expect(partOf('questions', {}).isMissing).toBeDefined();
  expect(partOf('questions', { lane: 'video' })).toEqual({});
  expect(partOf('questions', { lane: 'gone' })).toEqual({});
});
