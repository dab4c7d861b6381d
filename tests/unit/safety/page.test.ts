/** What a page makes of texts from outside: text, and nothing else. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { render } from 'svelte/server';
import { describe, expect, it, test } from 'vitest';
import FileName from '#ui/parts/FileName.svelte';
import { rowsExpecting } from '../../fixtures/hostile.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

async function sources(folder: string): Promise<{ path: string; text: string }[]> {
  const names = await readdir(join(ROOT, folder), { recursive: true });
  const wanted = names.filter((name) => /\.(svelte|ts|html)$/.test(name));
  return Promise.all(
    wanted.map(async (name) => ({ path: `${folder}/${name}`, text: await readFile(join(ROOT, folder, name), 'utf8') })),
  );
}

/** Ways to make markup or code of a text. */
const MAKERS =
  /\{@html|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write|createContextualFragment|\beval\(|new Function\(|srcdoc=/;

it('SAFE-20: no page makes markup or code of a text', async () => {
  const all = (await Promise.all(['src/ui', 'src/routes', 'src/service-worker'].map(sources))).flat();
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter(({ text }) => MAKERS.test(text)).map(({ path }) => path)).toEqual([]);
});

describe('SAFE-20: a text from outside is shown as text', () => {
  for (const row of rowsExpecting('rendered_as_plain_text')) {
    test(`UI-12 ${row.id}: ${row.payload}`, () => {
      const shown = render(FileName, { props: { name: row.payload } }).body;
      expect(tagsIn(shown)).toEqual(tagsIn(render(FileName, { props: { name: 'x'.repeat(row.payload.length) } }).body));
      expect(shown).toContain('<bdi');
    });
  }
});

it('SAFE-20, UI-12: a name without end is clipped by its box, whole only in its title', () => {
  const shown = render(FileName, { props: { name: `${'na '.repeat(5000)}end.mp3` } }).body;
  expect(shown).toContain('class="head');
  expect(shown).toContain('class="tail');
});

it('SAFE-21: the configured policy allows no eval, no foreign script, no plugin, no base; wasm alone is compiled', async () => {
  const policy = await readFile(join(ROOT, 'vite.config.ts'), 'utf8');
  expect(policy).not.toMatch(/['"]unsafe-eval['"]|['"]unsafe-inline['"]/);
  expect(policy).toMatch(/'script-src': \['self', 'wasm-unsafe-eval'\]/);
  expect(policy).toMatch(/'object-src': \['none'\]/);
  expect(policy).toMatch(/'base-uri': \['none'\]/);
});

/** The names of the elements in a piece of markup, in order. */
function tagsIn(markup: string): string[] {
  return Array.from(markup.matchAll(/<([a-z][\w-]*)/gi), ([, name]) => name ?? '');
}
