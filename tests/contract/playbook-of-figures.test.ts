/** From a table to a paragraph: SQL, R and a figure in the cage, and a model whose numbers are followed to their calls. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SAID } from '../fixtures/toolbox/anova-book.ts';
import { runAnovaBook } from '../fixtures/toolbox/run-anova-book.ts';
import { ScriptedModel } from '../fixtures/scripted-model.ts';

test('TOOLBOX-65 a table of CSV goes by SQL to R and to a figure; a paragraph has only numbers that a call has, one made up is asked for again', async () => {
  const made = 'The yields differ, F(2, 9) = 5.14, and trt2 gave 27 percent more.';
  const model = new ScriptedModel([{ say: made }, { say: SAID }]);
  const { folder, root, code } = await runAnovaBook(model);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  expect([code, model.requests.length]).toEqual([0, 2]);
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('27');
  expect(await readFile(join(root, 'report.md'), 'utf8')).toBe(`${SAID}\n`);
  const [anova] = JSON.parse(await readFile(join(root, 'anova.json'), 'utf8')) as Record<string, unknown>[];
  expect(anova).toMatchObject({ statistic: expect.closeTo(5.1449, 3), df1: 2, df2: 9, posthoc: expect.any(Array) });
  const [figure] = JSON.parse(await readFile(join(root, 'figure.json'), 'utf8')) as Record<string, unknown>[];
  expect(figure).toMatchObject({ svg: expect.stringMatching(/^<svg/), description: expect.stringContaining('yield') });
});
