import { expect, test } from 'vitest';
import { answerWithoutModel } from '#lanes/library/core/ask/answer-without-model.ts';
import { Ledger } from '#lanes/library/core/ask/evidence/ledger.ts';
import { retrieveDocs } from '#lanes/library/core/ask/evidence/retrieve.ts';
import { libraryOf } from './ask-world.ts';

const MILL = `# The mill of Aldern

## Works

The wheel was built in 1871 by Ada Quist. It turns six times a minute.
The *miller* keeps the key of the sluice.

## Bread

Bread is sold on Mondays.
`;

test('ASK-30 labels stand in the order of use, and each opens its quote at its lines', async () => {
  const index = await libraryOf({ 'notes/mill.md': MILL, 'other.txt': 'Nothing of interest.' });
  const answer = answerWithoutModel(index, 'Who built the wheel, and when is bread sold?');
  expect(answer.status).toBe('answered');
  expect(
    answer.citations.map(({ label, path, startLine, endLine, quote }) => [label, path, startLine, endLine, quote]),
  ).toEqual([
    ['1', 'notes/mill.md', 5, 5, 'The wheel was built in 1871 by Ada Quist.'],
    ['2', 'notes/mill.md', 10, 10, 'Bread is sold on Mondays.'],
  ]);
  expect(answer.answer_text).toBe('“The wheel was built in 1871 by Ada Quist.” [1]\n“Bread is sold on Mondays.” [2]');
  expect(answer.sources).toMatchObject([{ path: 'notes/mill.md', title: 'The mill of Aldern', labels: ['1', '2'] }]);
});

test('ASK-31 what is not there is said, with what is nearest to it', async () => {
  const index = await libraryOf({ 'mill.md': MILL });
  const none = answerWithoutModel(index, 'What is the telephone number of the miller?');
  expect(none).toMatchObject({ status: 'abstained', citations: [], sentences: [] });
  expect(none.missing.join(' ')).toContain('telephone');
  expect(none.nearest.map(({ label, path }) => [label, path])).toContainEqual(['', 'mill.md']);
  const partial = answerWithoutModel(index, 'Who built the wheel? What is the telephone number of the miller?');
  expect(partial.status).toBe('partial');
  expect(partial.missing).toHaveLength(1);
});

test('ASK-10 copies of a file are one source, and spans that touch are one', async () => {
  const index = await libraryOf({ 'b.md': MILL, 'a/copy.md': MILL });
  const ledger = new Ledger();
  for (const query of ['wheel built', 'sluice key'])
    ledger.add(retrieveDocs(index, query), { query, tool: 'rag_retrieve' });
  expect(ledger.evidence).toHaveLength(1);
  expect(ledger.evidence[0]).toMatchObject({
    path: 'a/copy.md',
    copies: ['b.md'],
    queries: ['wheel built', 'sluice key'],
  });
  expect(ledger.evidence[0]?.spans).toHaveLength(1);
});

test('ASK-33 sources that differ on an amount are both quoted, the later last, and it changes the other where it says so', async () => {
  const index = await libraryOf({
    'old.md': '# Rules of 1990\n\nThe sluice of Aldern is opened at a depth of 4 metres.\n',
    'new.md': '# Minutes of 2 May 2001\n\nFrom now on the sluice of Aldern is opened at a depth of 3 metres.\n',
  });
  const answer = answerWithoutModel(index, 'At what depth is the sluice of Aldern opened?');
  expect(answer.citations.map(({ path }) => path).sort()).toEqual(['new.md', 'old.md']);
  expect(answer.conflicts).toHaveLength(1);
  expect(answer.conflicts[0]?.text).toMatch(
    /^These differ: “Rules of 1990” \(1990\) \[\d\] and “Minutes of 2 May 2001” \(2 May 2001\) \[\d\]\. “Minutes .* says that it changes what was before\.$/,
  );
});
