/** WebKitGTK with a profile that lasts (webkit-browser.py) by its own driver: the W3C WebDriver protocol (https://www.w3.org/TR/webdriver2/) by fetch. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../e2e/support/catalog-server.ts';
import { Display } from '../../e2e/support/display.ts';
import { findElement } from './in-page.ts';
import type { DrivenBrowser, Plain, Tab, Target } from './tab.ts';

const BROWSER = fileURLToPath(new URL('webkit-browser.py', import.meta.url));
const READY_MS = 120_000;
const LOOK_MS = 50;
/** Milliseconds until the driver has answered a command. */
const ANSWER_MS = 360_000;
/** Milliseconds that a function in the page may take. */
const SCRIPT_MS = 300_000;
/** The key of an element in what the driver sends, of the standard. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const ESCAPE = '\uE00C';

/** `isPrivate`: in a session that keeps nothing. */
export async function startWebkit(driver: string, isPrivate = false): Promise<DrivenBrowser> {
  const display = await Display.start();
  const profile = await mkdtemp(join(tmpdir(), 'accession-webkit-'));
  const port = await freePort();
  // The system is dark; its theme is how GTK is told.
  const env = { ...process.env, DISPLAY: display.name, GTK_THEME: 'Adwaita:dark' };
  const child = spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], { env, stdio: 'ignore' });
  const origin = `http://127.0.0.1:${port}`;
  await ready(origin, child);
  const { sessionId, capabilities } = await call<{ sessionId: string; capabilities: { browserVersion: string } }>(
    origin,
    'POST',
    '/session',
    {
      capabilities: {
        alwaysMatch: {
          'webkitgtk:browserOptions': { binary: BROWSER, args: isPrivate ? [profile, 'private'] : [profile] },
        },
      },
    },
  );
  const wire = new Wire(`${origin}/session/${sessionId}`);
  await wire.post('/timeouts', { script: SCRIPT_MS });
  const first = new WebkitTab(wire, await wire.get<string>('/window'));
  await first.resize(1280, 980);
  return {
    name: `WebKitGTK ${capabilities.browserVersion}`,
    first,
    errors: [],
    openTab: async (width = 'wide') => {
      await wire.select(first.handle);
      if (width === 'wide') {
        const { handle } = await wire.post<{ handle: string }>('/window/new', { type: 'tab' });
        return new WebkitTab(wire, handle);
      }
      return openNarrow(wire);
    },
    close: async () => {
      await wire.end();
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      display.stop();
      // Its processes end after the driver, and write until then.
      await rm(profile, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/**
 * A window that a page opens has no tool bar, which is wider than a telephone. A page may open one when somebody has
 * pressed something.
 */
async function openNarrow(wire: Wire): Promise<Tab> {
  const before = await wire.get<string[]>('/window/handles');
  const open = "open('about:blank', '', 'popup,width=390,height=844')";
  const script = `document.addEventListener('click', () => ${open}, { once: true }); return document.body;`;
  const body = await wire.post<Record<string, string>>('/execute/sync', { script, args: [] });
  await wire.post(`/element/${body[ELEMENT]}/click`, {});
  const until = performance.now() + READY_MS;
  while (performance.now() < until) {
    const handle = (await wire.get<string[]>('/window/handles')).find((one) => !before.includes(one));
    if (handle !== undefined) return new WebkitTab(wire, handle);
    await after(LOOK_MS);
  }
  throw new Error('WebKit has opened no window');
}

async function ready(origin: string, child: ChildProcess): Promise<void> {
  const until = performance.now() + READY_MS;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`WebKitWebDriver ended with ${child.exitCode}`);
    const answer = await fetch(`${origin}/status`).catch(() => null);
    if (answer?.ok) return;
    await after(LOOK_MS);
  }
  throw new Error(`WebKitWebDriver is not ready in ${READY_MS} ms`);
}

async function call<Value>(origin: string, method: string, path: string, body?: object): Promise<Value> {
  const limit = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(origin + path, {
    method,
    signal: limit,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value as Value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`${error}: ${message}`);
}

/** One session. A command goes to the window that was selected last, so one command goes at a time. */
class Wire {
  readonly #session: string;
  #selected = '';
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: string) {
    this.#session = session;
  }

  get<Value>(path: string): Promise<Value> {
    return call<Value>(this.#session, 'GET', path);
  }

  post<Value>(path: string, body: object): Promise<Value> {
    return call<Value>(this.#session, 'POST', path, body);
  }

  async select(handle: string): Promise<void> {
    if (this.#selected === handle) return;
    await this.post('/window', { handle });
    this.#selected = handle;
  }

  /** Runs these commands in this window, after those that were asked for before. */
  in<Value>(handle: string, commands: () => Promise<Value>): Promise<Value> {
    const mine = this.#last.then(async () => {
      await this.select(handle);
      return commands();
    });
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async closeWindow(): Promise<void> {
    await call(this.#session, 'DELETE', '/window');
    this.#selected = '';
  }

  async end(): Promise<void> {
    await call(this.#session, 'DELETE', '');
  }
}

class WebkitTab implements Tab {
  readonly handle: string;
  readonly #wire: Wire;

  constructor(wire: Wire, handle: string) {
    this.#wire = wire;
    this.handle = handle;
  }

  resize(width: number, height: number): Promise<unknown> {
    return this.#post('/window/rect', { width, height });
  }

  async open(address: string): Promise<void> {
    await this.#post('/url', { url: address });
  }

  async reload(): Promise<void> {
    await this.#post('/refresh', {});
  }

  async back(): Promise<void> {
    await this.#post('/back', {});
  }

  async forward(): Promise<void> {
    await this.#post('/forward', {});
  }

  async run<Args extends Plain[], Answer extends Plain>(
    page: (...args: Args) => Answer | Promise<Answer>,
    ...args: Args
  ): Promise<Answer> {
    const script = `const done = arguments[arguments.length - 1];
      (async () => (${page.toString()})(...${JSON.stringify(args)}))()
        .then((answer) => done(JSON.stringify([answer])), (error) => done('!' + error));`;
    const said = await this.#post<string>('/execute/async', { script, args: [] });
    if (said.startsWith('!')) throw new Error(said.slice(1));
    const [answer] = JSON.parse(said) as [Answer];
    return answer;
  }

  has(target: Target): Promise<boolean> {
    return this.#wire.in(this.handle, async () => (await this.#look(target)) !== null);
  }

  click(target: Target): Promise<void> {
    return this.#wire.in(this.handle, async () => {
      const until = performance.now() + READY_MS;
      for (;;) {
        const said = await this.#wire
          .post(`/element/${await this.#find(target)}/click`, {})
          .catch((error: unknown) => error);
        if (!(said instanceof Error)) return;
        // What is just being moved or drawn anew is waited for.
        if (!said.message.startsWith('element not interactable') || performance.now() > until) throw said;
        await after(LOOK_MS);
      }
    });
  }

  choose(target: Target, paths: readonly string[]): Promise<void> {
    return this.#wire.in(this.handle, async () => {
      await this.#wire.post(`/element/${await this.#find(target)}/value`, { text: paths.join('\n') });
    });
  }

  async pressEscape(): Promise<void> {
    const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: ESCAPE }));
    await this.#post('/actions', { actions: [{ type: 'key', id: 'keys', actions }] });
  }

  async picture(): Promise<Buffer> {
    const data = await this.#wire.in(this.handle, () => this.#wire.get<string>('/screenshot'));
    return Buffer.from(data, 'base64');
  }

  async close(): Promise<void> {
    await this.run(closing);
    await this.#wire.in(this.handle, () => this.#wire.closeWindow());
  }

  async #find(target: Target): Promise<string> {
    const found = await this.#look(target);
    if (found === null) throw new Error(`there is no ${target.kind} "${target.name}"`);
    return found;
  }

  async #look(target: Target): Promise<string | null> {
    const script = `return (${findElement.toString()})(arguments[0])`;
    const found = await this.#wire.post<Record<string, string> | null>('/execute/sync', { script, args: [target] });
    return found?.[ELEMENT] ?? null;
  }

  #post<Value>(path: string, body: object): Promise<Value> {
    return this.#wire.in(this.handle, () => this.#wire.post<Value>(path, body));
  }
}

/**
 * Runs in the page: what it hears when a person closes it, and not when the driver does. A narrow window shares its process
 * with the one that opened it, which goes on: so its workers are waited for, as the next page waits for those of a page that
 * is left (docs/decisions/057-leaving-a-page.md).
 */
async function closing(): Promise<null> {
  dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await navigator.locks.request('accession-leaving', () => undefined);
  dispatchEvent(new PageTransitionEvent('pagehide'));
  return null;
}
