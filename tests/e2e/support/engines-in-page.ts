/** The engines of the build, called in a page as the app calls them. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { rolldown } from 'rolldown';

const ASSETS = '_app/immutable/assets';
const BUILD = join(import.meta.dirname, '../../../build');
const SCRIPT = join(import.meta.dirname, '../../fixtures/toolbox/calls-in-page.ts');

export type Places = Record<string, { url: string; bytes: number; sha256: string }>;

/** Where the build has each engine. */
export function enginesOfBuild(): Places {
  return Object.fromEntries(
    readdirSync(join(BUILD, ASSETS)).flatMap((name) => {
      const [, runtime] = /^toolbox-(\w+)\..*\.bin$/.exec(name) ?? [];
      if (runtime === undefined) return [];
      const bytes = readFileSync(join(BUILD, ASSETS, name));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return [[runtime, { url: `/${ASSETS}/${name}`, bytes: bytes.length, sha256 }]];
    }),
  );
}

/** Calls a function of calls-in-page.ts in the page. */
export async function fromTest<Answer>(
  page: Pick<Page, 'evaluate'>,
  name: string,
  ...given: readonly unknown[]
): Promise<Answer> {
  const bundle = await rolldown({ input: SCRIPT, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', name: 'fromTest', codeSplitting: false });
  const asked = `fromTest.${name}(${given.map((one) => JSON.stringify(one)).join(', ')})`;
  return page.evaluate<Answer>(`(() => { ${output[0].code}; return ${asked}; })()`);
}
