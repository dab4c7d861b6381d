import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Browser, type Page } from '@playwright/test';
import { CHROMIUM_ARGS } from '../e2e/support/chromium-args.ts';

const READY_LINE = /^DevTools listening on (ws:\/\/\S+)$/;
const READY_MS = 180_000;

/**
 * A Chromium on a profile that stays, started here and not by Playwright, so that all of it can be taken away at once
 * and without a word: every process of it, as by a power cut that spares the disk.
 */
export class KillableBrowser {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, browser: Browser, page: Page) {
    this.#process = child;
    this.#browser = browser;
    this.page = page;
    process.once('exit', this.#endWithUs);
  }

  /** It is in a process group of its own, so whoever stops this program does not stop it. */
  readonly #endWithUs = (): void => killGroup(this.#process);

  /** With one blank page. Throws with what it printed when it does not start. */
  static async start(executable: string, profile: string): Promise<KillableBrowser> {
    // A process group of its own: that is what is killed.
    const child = spawn(executable, [...ARGS, `--user-data-dir=${profile}`, 'about:blank'], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      const browser = await chromium.connectOverCDP(await endpointOf(child), { isLocal: true });
      const [context] = browser.contexts();
      if (context === undefined) throw new Error('the browser has no context');
      const page = context.pages()[0] ?? (await context.newPage());
      return new KillableBrowser(child, browser, page);
    } catch (error) {
      killGroup(child);
      throw error;
    }
  }

  /** SIGKILL to all of its processes; resolves when none is left. */
  async kill(): Promise<void> {
    const gone = new Promise<void>((resolve) => {
      if (this.#browser.isConnected()) this.#browser.once('disconnected', () => resolve());
      else resolve();
    });
    killGroup(this.#process);
    await gone;
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, 'exit');
    while (isAlive(this.#process)) await wait(10);
    process.off('exit', this.#endWithUs);
  }
}

const ARGS = [
  '--headless=new',
  '--remote-debugging-port=0',
  ...CHROMIUM_ARGS,
  '--disable-breakpad',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
];

async function endpointOf(child: ChildProcess): Promise<string> {
  const { stderr } = child;
  if (stderr === null) throw new Error('the browser has no stderr');
  let said = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`the browser ${why}\n${said}`));
    const late = setTimeout(() => fail(`said nothing in ${READY_MS} ms`), READY_MS);
    createInterface(stderr).on('line', (line) => {
      const endpoint = READY_LINE.exec(line)?.[1];
      if (endpoint === undefined) said = `${said}${line}\n`.slice(-4096);
      else {
        clearTimeout(late);
        resolve(endpoint);
      }
    });
    child.once('error', (error) => fail(`does not start: ${error.message}`));
    child.once('exit', (code) => fail(`ended with ${code}`));
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

function isAlive({ pid }: ChildProcess): boolean {
  try {
    return pid !== undefined && process.kill(-pid, 0);
  } catch {
    return false;
  }
}
