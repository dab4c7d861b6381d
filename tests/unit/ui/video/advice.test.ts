import { expect, test } from 'vitest';
import { isModelSet } from '#core/agent/llm/providers.ts';
import { adviceEnd, askedWords, askWords } from '#lanes/video/ui/page/advice-words.ts';
import type { Advice } from '#lanes/video/ui/client.ts';
import { answersTo, canTake, correctionTo } from '#lanes/video/ui/page/take-advice.ts';

const question = (kind: 'which-show' | 'which-numbering', id: string, refused: string | null = null): Advice => {
  const proposal = { id, label: id, place: null };
  return { kind, question: `${kind}?`, path: null, proposal, why: 'So.', refused };
};
const FILE: Advice = {
  ...{ kind: 'which-episode', question: 'Which?', path: 'a/boat.mkv', why: 'A boat.', refused: null },
  proposal: { id: '1x03', label: 'Episode 3', place: { season: 1, episode: 3 } },
};
const NONE: readonly Advice[] = [];

test('VIDEO-91 an answer is taken over with those that it was given upon, each once', () => {
  const items = [question('which-show', 's1'), question('which-numbering', 'absolute'), FILE];
  const [show, numbering] = items;
  expect(answersTo(items, FILE, NONE)).toEqual({
    answers: { show: 's1', numbering: 'absolute' },
    with: items.slice(0, 2),
  });
  if (show === undefined || numbering === undefined) throw new Error('There are three.');
  expect(answersTo(items, show, NONE).answers).toEqual({ show: 's1' });
  expect(answersTo(items, numbering, [show]).answers).toEqual({ numbering: 'absolute' });
  expect(answersTo(items, FILE, [show, numbering]).with).toEqual([]);
});

test('VIDEO-91, VIDEO-116 what the files speak against, and what was left open, cannot be taken over', () => {
  const against = question('which-show', 's1', 'Fewer files fit.');
  expect([canTake(against), canTake({ ...FILE, proposal: null }), canTake(FILE)]).toEqual([false, false, true]);
  expect(answersTo([against, FILE], FILE, NONE).with).toEqual([]);
});

test('VIDEO-91, PLAN-96 a file that is an episode is a correction of its row, by the agent’s word', () => {
  const correction = { class: 'episode', season: 1, episodes: [3], excluded: false, source: 'agent' };
  expect(correctionTo(FILE)).toEqual({ path: 'a/boat.mkv', correction });
  expect(correctionTo(question('which-show', 's1'))).toBeNull();
});

test('VIDEO-90 a model is offered where one is set', () => {
  const set = (llm_provider: 'none' | 'ollama' | 'broker', llm_model: string) =>
    isModelSet({ llm_provider, llm_model });
  expect([set('none', 'x'), set('ollama', ''), set('ollama', 'x'), set('broker', '')]).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('VIDEO-90 what is asked, what is at work and what came of it are sentences', () => {
  expect(askWords({ questions: 1, files: 2 }, 'M')).toBe(
    'M can be asked about the open question and 2 files without a number. You decide what becomes of its answer.',
  );
  expect(askedWords({ stage: 'opening' }, 'M')).toMatch(/made ready/);
  expect(askedWords({ stage: 'asking', at: 1, question: 'Which?', path: 'a/boat.mkv' }, 'M')).toBe(
    'M is asked: Which episode is boat.mkv?',
  );
  const of = { model: 'M', failure: null, stopped: false };
  expect(adviceEnd({ ...of, items: [FILE] })).toBe('M answered. Nothing of it counts before you take it over.');
  expect(adviceEnd({ ...of, items: [{ ...FILE, proposal: null }], stopped: true })).toBe(
    'M could not settle what is open. The rest was not asked: you stopped it.',
  );
});
