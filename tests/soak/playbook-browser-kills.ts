/** A run of a playbook in a browser that is killed in the middle of it, restarted with the same profile, and gone on with. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import type { CatalogServer } from '../e2e/support/catalog-server.ts';
import { openPlace } from '../e2e/support/places.ts';
import { makePlaybook, shownRun, storedRun, useOllama } from '../e2e/support/playbook-page.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { isOfUnit, promptsAnswered, TELL_AND_SHORTEN } from '../fixtures/playbook-kills.ts';
import { KillableBrowser } from './killable-browser.ts';

/** After so many more prompts, and so many milliseconds, the browser is killed. */
export interface BrowserKill {
  prompts: number;
  afterMs: number;
}

export interface PlaybookKillsOptions {
  executable: string;
  server: CatalogServer;
  /** An empty directory: of the profile. */
  directory: string;
  units: number;
  /** Of each run in turn, its kills. The first run of all is not killed: its files are what must come. */
  runs: readonly (readonly BrowserKill[])[];
  said?(line: string): void;
}

export interface PlaybookKillsFigures {
  runs: number;
  kills: number;
  /** Kills that found the run with some of its answers and not all. */
  midway: number;
  /** Prompts that were asked again though the journal had their answer when the browser came back. */
  twice: number;
  /** Runs whose files were not, byte for byte, those of the one that was not killed. */
  wrong: number;
}

const LONGEST_MS = 120_000;

/** Throws where the page does not come to an end; what is wrong with a run is in the figures. */
export async function playbookBrowserKills(options: PlaybookKillsOptions): Promise<PlaybookKillsFigures> {
  const { executable, server, directory, units, runs, said } = options;
  const profile = join(directory, 'profile');
  await mkdir(profile, { recursive: true });
  const asked: string[] = [];
  let heard = (): void => undefined;
  const model = await startModelServer({
    ...{ models: ['m'], cors: server.origin },
    reply({ messages }) {
      const prompt = messages.at(-1)?.content ?? '';
      if (isOfUnit(prompt)) {
        asked.push(prompt);
        heard();
      }
      return { content: `${prompt}: yes` };
    },
  });
  let browser = await KillableBrowser.start(executable, profile);
  const figures = { runs: 0, kills: 0, midway: 0, twice: 0, wrong: 0 };
  try {
    await browser.page.goto(server.signInLink);
    await openPlace(browser.page, 'Playbooks');
    const input = JSON.stringify(Array.from({ length: units }, (_, n) => `bird ${n}`));
    await makePlaybook(browser.page, TELL_AND_SHORTEN, { 'in.json': input });
    const book = browser.page.url();
    await useOllama(browser.page, model, 'm');

    const begin = async (): Promise<void> => {
      await browser.page.goto(book);
      await browser.page.getByRole('button', { name: 'Run', exact: true }).click();
    };
    await begin();
    const whole = await ended(browser.page);

    for (const kills of runs) {
      const answered = new Set<string>();
      /** Prompts before this one are counted. */
      let from = asked.length;
      let run: string | null = null;
      for (const { prompts, afterMs } of kills) {
        const reached = Promise.withResolvers<null>();
        heard = () => {
          if (asked.length - from >= prompts) reached.resolve(null);
        };
        if (run === null) await begin();
        else await browser.page.getByRole('button', { name: 'Resume' }).click();
        run ??= await shownRun(browser.page);
        // A run that has fewer left is over before: the kill comes then.
        await Promise.race([reached.promise, isOver(browser.page)]);
        await wait(afterMs);
        await browser.kill();
        figures.kills += 1;
        figures.twice += asked.slice(from).filter((prompt) => answered.has(prompt)).length;
        from = asked.length;
        browser = await KillableBrowser.start(executable, profile);
        await browser.page.goto(`${server.origin}/playbooks/runs/${run}`);
        await expect(browser.page.getByRole('heading', { name: 'Steps' })).toBeVisible({ timeout: LONGEST_MS });
        const found = promptsAnswered((await storedRun(browser.page, run)).lines);
        for (const prompt of found) answered.add(prompt);
        const midway = found.length > 0 && found.length < 2 * units;
        figures.midway += Number(midway);
        said?.(`kill ${figures.kills}: ${found.length} of ${2 * units} answers were kept`);
        if (!(await browser.page.getByRole('button', { name: 'Resume' }).isVisible())) break;
      }
      const resume = browser.page.getByRole('button', { name: 'Resume' });
      if (await resume.isVisible()) await resume.click();
      const files = await ended(browser.page);
      figures.twice += asked.slice(from).filter((prompt) => answered.has(prompt)).length;
      figures.runs += 1;
      if (JSON.stringify(files) !== JSON.stringify(whole)) figures.wrong += 1;
    }
    return figures;
  } finally {
    await browser.kill();
    await model.close();
  }
}

const isOver = (page: Page): Promise<void> =>
  page
    .getByRole('status')
    .getByText('done', { exact: true })
    .waitFor({ timeout: LONGEST_MS })
    // The browser was killed while it was waited for.
    .catch(() => undefined);

/** What the run wrote, when it is done. */
async function ended(page: Page): Promise<Record<string, string>> {
  await expect(page.getByRole('status').getByText('done', { exact: true })).toBeVisible({ timeout: LONGEST_MS });
  return (await storedRun(page, await shownRun(page))).files;
}
