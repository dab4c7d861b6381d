/** Firefox as it is installed, by WebDriver BiDi over its own remote agent: no driver beside it, nothing patched. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BidiWire } from './bidi.ts';
import { findElement } from './in-page.ts';
import type { DrivenBrowser, Plain, Tab, Target } from './tab.ts';

const READY = /WebDriver BiDi listening on (ws:\S+)/;
const READY_MS = 180_000;
/** Dark as the system says it, scrollbars that take room, and nothing of Firefox's own goes over the network. */
const PREFERENCES: Record<string, string | number | boolean> = {
  'ui.systemUsesDarkTheme': 1,
  'widget.gtk.overlay-scrollbars.enabled': false,
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.newtabpage.activity-stream.feeds.topsites': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.systemAddon.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,#nothing',
  'toolkit.telemetry.enabled': false,
};
const SIZES = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } };
/**
 * Of the network, which the tests take away on purpose, and of what a page stops loading when it is left. A rejection
 * with something that is no Error (Dexie's are none) has no words here: the programs tell it themselves, with its own
 * (watched-app.ts). What is left are workers that Firefox is ending, which can tell nothing any more.
 */
const EXPECTED =
  /^(?:uncaught exception: Object$|Firefox can’t establish a connection|The connection to \S+ was interrupted|Loading failed|TypeError: error loading dynamically|Failed to load ‘)/;

export async function startFirefox(path: string): Promise<DrivenBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'accession-firefox-'));
  const lines = Object.entries(PREFERENCES).map(
    (entry) => `user_pref(${entry.map((one) => JSON.stringify(one)).join()});`,
  );
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank'];
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const wire = await BidiWire.open(`${await addressOf(child)}/session`);
  return Firefox.start(wire, async () => {
    const ended = once(child, 'exit');
    // Its own end takes a minute where workers are at work, and what it would save goes with the profile.
    child.kill('SIGKILL');
    await ended;
    // Its processes end with it, a moment later.
    await rm(profile, { recursive: true, force: true, maxRetries: 20 });
  });
}

function addressOf(child: ChildProcess): Promise<string> {
  const { stderr } = child;
  if (stderr === null) throw new Error('Firefox has no pipe');
  return new Promise((resolve, reject) => {
    let said = '';
    const late = setTimeout(() => reject(new Error(`Firefox is not ready in ${READY_MS} ms\n${said}`)), READY_MS);
    createInterface(stderr).on('line', (line) => {
      said += `${line}\n`;
      const address = READY.exec(line)?.[1];
      if (address === undefined) return;
      clearTimeout(late);
      resolve(address);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Firefox ended with ${code}\n${said}`)));
  });
}

class Firefox implements DrivenBrowser {
  readonly name: string;
  readonly first: Tab;
  readonly errors: string[] = [];
  readonly close: () => Promise<void>;
  readonly #wire: BidiWire;

  private constructor(wire: BidiWire, name: string, first: Tab, close: () => Promise<void>) {
    this.#wire = wire;
    this.name = name;
    this.first = first;
    this.close = close;
    wire.onEvent = (_method, params) => {
      const { level, type, text } = params as { level: string; type: string; text: string | null };
      if (level === 'error' && type === 'javascript' && !EXPECTED.test(text ?? '')) this.errors.push(text ?? '');
    };
  }

  static async start(wire: BidiWire, close: () => Promise<void>): Promise<Firefox> {
    const { capabilities } = await wire.send<{ capabilities: { browserVersion: string } }>('session.new', {
      capabilities: {},
    });
    await wire.send('session.subscribe', { events: ['log.entryAdded'] });
    const { contexts } = await wire.send<{ contexts: { context: string }[] }>('browsingContext.getTree');
    const first = new FirefoxTab(wire, contexts[0]?.context ?? '');
    await first.resize(SIZES.wide);
    return new Firefox(wire, `Firefox ${capabilities.browserVersion}`, first, close);
  }

  async openTab(width: 'wide' | 'narrow' = 'wide'): Promise<Tab> {
    const { context } = await this.#wire.send<{ context: string }>('browsingContext.create', { type: 'tab' });
    const tab = new FirefoxTab(this.#wire, context);
    await tab.resize(SIZES[width]);
    return tab;
  }
}

/** How BiDi names an element. */
interface Node {
  sharedId: string;
}
type Evaluated =
  | { type: 'success'; result: { type: string; value?: unknown; sharedId?: string } }
  | { type: 'exception'; exceptionDetails: { text: string } };

class FirefoxTab implements Tab {
  readonly #wire: BidiWire;
  readonly #context: string;

  constructor(wire: BidiWire, context: string) {
    this.#wire = wire;
    this.#context = context;
  }

  async resize(viewport: { width: number; height: number }): Promise<void> {
    await this.#send('browsingContext.setViewport', { viewport });
  }

  async open(address: string): Promise<void> {
    await this.#send('browsingContext.navigate', { url: address, wait: 'complete' });
  }

  async reload(): Promise<void> {
    await this.#send('browsingContext.reload', { wait: 'complete' });
  }

  async back(): Promise<void> {
    await this.#send('browsingContext.traverseHistory', { delta: -1 });
  }

  async forward(): Promise<void> {
    await this.#send('browsingContext.traverseHistory', { delta: 1 });
  }

  async run<Args extends Plain[], Answer extends Plain>(
    page: (...args: Args) => Answer | Promise<Answer>,
    ...args: Args
  ): Promise<Answer> {
    const text = `async () => JSON.stringify([await (${page.toString()})(...${JSON.stringify(args)})])`;
    const { value } = await this.#evaluate(text);
    const [answer] = JSON.parse(String(value)) as [Answer];
    return answer;
  }

  async has(target: Target): Promise<boolean> {
    return (await this.#look(target, false)) !== null;
  }

  async click(target: Target): Promise<void> {
    const origin = { type: 'element', element: await this.#find(target, true) };
    await this.#send('input.performActions', {
      actions: [
        {
          type: 'pointer',
          id: 'mouse',
          actions: [
            { type: 'pointerMove', x: 0, y: 0, origin },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        },
      ],
    });
  }

  async choose(target: Target, paths: readonly string[]): Promise<void> {
    await this.#send('input.setFiles', { element: await this.#find(target, false), files: paths });
  }

  async pressEscape(): Promise<void> {
    const value = '\uE00C';
    const actions = [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ];
    await this.#send('input.performActions', { actions: [{ type: 'key', id: 'keys', actions }] });
  }

  async picture(): Promise<Buffer> {
    const { data } = await this.#send<{ data: string }>('browsingContext.captureScreenshot', {});
    return Buffer.from(data, 'base64');
  }

  async close(): Promise<void> {
    await this.#send('browsingContext.close', {});
  }

  async #find(target: Target, scroll: boolean): Promise<Node> {
    const found = await this.#look(target, scroll);
    if (found === null) throw new Error(`there is no ${target.kind} "${target.name}"`);
    return found;
  }

  async #look(target: Target, scroll: boolean): Promise<Node | null> {
    const look = `(${findElement.toString()})(${JSON.stringify(target)})`;
    const found = await this.#evaluate(
      `async () => { const one = ${look}; ${scroll ? "one?.scrollIntoView({ block: 'center' });" : ''} return one; }`,
    );
    return found.sharedId === undefined ? null : { sharedId: found.sharedId };
  }

  async #evaluate(functionDeclaration: string): Promise<{ value?: unknown; sharedId?: string }> {
    const answer = await this.#wire.send<Evaluated>('script.callFunction', {
      functionDeclaration,
      awaitPromise: true,
      target: { context: this.#context },
    });
    if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
    return answer.result;
  }

  #send<Result>(method: string, params: object): Promise<Result> {
    return this.#wire.send<Result>(method, { context: this.#context, ...params });
  }
}
