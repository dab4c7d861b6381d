/** Every row that we have of the tools: the same bytes in a browser whose network is cut as in Node. */
import { readFileSync, writeFileSync } from 'node:fs';
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import { TOOLS } from '#core/toolbox/tools.ts';
import { CASES } from '../../scripts/eval/toolbox/cases.ts';
import { answersOf, type Call } from '../fixtures/toolbox/calls.ts';
import { enginesOfBuild, fromTest } from './support/engines-in-page.ts';
import { notKept } from './support/page-state.ts';
import { expect, test } from './support/test.ts';

/** Rows of a file that is not ours to keep: `ACCESSION_TOOLBOX_ROWS`, whose answers go to `ACCESSION_TOOLBOX_OUT`. */
function given(): { id: string; call: Call }[] {
  const file = process.env['ACCESSION_TOOLBOX_ROWS'] ?? '';
  if (file === '') return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter((line) => line !== ''); // prettier-ignore
  return lines.map((line) => {
    const { id, tool, input } = JSON.parse(line) as { id: string; tool: string; input: unknown };
    return { id, call: { tool, input } };
  });
}

test('TOOLBOX-87 every example and case has the same bytes in a browser whose network is cut as in Node', async ({
  page,
  context,
  server,
}) => {
  const rows = given();
  const calls: Call[] = [
    ...TOOLS.filter(({ code }) => code === undefined).map(({ name, example }) => ({ tool: name, input: example })),
    ...CASES.map(({ tool, input }) => ({ tool, input })),
    ...rows.map(({ call }) => call),
  ];
  const places = enginesOfBuild();

  await page.goto(server.signInLink);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.goto(`${server.origin}/tools`);
  // Each engine is fetched once; from then on nothing is.
  for (const { url } of Object.values(places))
    await page.evaluate(async (address) => void (await (await fetch(address)).arrayBuffer()), url);
  // The service worker keeps each when the app's own large files are there.
  const urls = Object.values(places).map(({ url }) => url);
  await expect.poll(() => page.evaluate(notKept, urls)).toEqual([]);
  await context.setOffline(true);
  await page.reload();
  const cage = openNodeCage();
  try {
    const here = await fromTest<string[]>(page, 'answerInPage', places, calls);
    const there = await answersOf(cage, calls);
    for (const [at, { tool, input }] of calls.entries())
      expect(here[at], `${tool} ${JSON.stringify(input).slice(0, 200)}`).toBe(there[at]);
    const out = process.env['ACCESSION_TOOLBOX_OUT'] ?? '';
    if (out !== '')
      writeFileSync(out, rows.map(({ id }, at) => `${JSON.stringify({ id, ...(JSON.parse(here[calls.length - rows.length + at] ?? '{}') as object) })}\n`).join('')); // prettier-ignore
  } finally {
    cage.close();
  }
});
