import { cp, link, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packIn, watchedPack } from './watched-pack.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Programs of their own: the page, its workers, the service worker. Chunks are parts of them. */
const PROGRAMS = /(?:^|\/)(?:entry\/start\.[^/]+|workers\/[^/]+\.worker-[^/]+|service-worker)\.js$/;

/**
 * Hears of every error that the app does not catch, in pages, workers and the service worker alike. The drivers cannot:
 * WebKit's says nothing of errors, and neither says what happens in a worker.
 */
export class Errors {
  readonly #server: Server;
  readonly #heard: string[] = [];

  constructor() {
    this.#server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        this.#heard.push(text);
        response.end();
      });
    });
  }

  /** Answers the address to which errors are sent. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `http://127.0.0.1:${address.port}/`;
  }

  /** What was heard since the last call. */
  take(): string[] {
    return this.#heard.splice(0);
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

/** Runs first in each program of the app. */
function tell(address: string): void {
  const send = globalThis.fetch.bind(globalThis);
  // A page that is being left stops loading what it was loading: nobody is there to miss it. Shown again, it starts anew.
  let left = false;
  for (const name of ['beforeunload', 'pagehide']) addEventListener(name, () => (left = true));
  // A worker does not hear of it; these are the browsers' names for what they stop loading for a worker that ends.
  const stopped = /^TypeError: (?:Importing a module script|Cross-origin script load|error loading dynamically)/;
  const say = (what: string, error: unknown): void => {
    if (left || (!('document' in globalThis) && stopped.test(String(error)))) return;
    const words = error instanceof Error ? `${String(error)}\n${error.stack ?? ''}` : String(error);
    const at = `${globalThis.location.pathname}, ${Math.round(performance.now() / 1000)} s after its start`;
    const body = `${what} in ${at}: ${words}`;
    void send(address, { method: 'POST', mode: 'no-cors', keepalive: true, body }).catch(() => undefined);
  };
  // After the program's own listeners: a worker whose page goes takes what that breaks for none.
  const unlessPrevented = (event: Event, what: string, error: unknown): void =>
    void setTimeout(() => {
      if (!event.defaultPrevented) say(what, error);
    });
  addEventListener('error', (event) => unlessPrevented(event, 'error', event.error ?? event.message));
  addEventListener('unhandledrejection', (event) => unlessPrevented(event, 'unhandled rejection', event.reason));
  addEventListener('securitypolicyviolation', (event) =>
    say('security policy', `${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
  );
  const { error } = console;
  console.error = (...words: unknown[]) => {
    say(
      'console.error',
      words.map((word) => (word instanceof Error ? `${String(word)} ${word.stack ?? ''}` : String(word))).join(' '),
    );
    error.apply(console, words);
  };
}

/**
 * A copy of the built app and its server in `folder`, whose programs tell `address` of their errors. Answers the server's
 * main module.
 */
export async function watchedApp(folder: string, address: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const first = `(${tell.toString()})(${JSON.stringify(address)});\n`;
  const worker = await readFile(join(ROOT, 'build', 'service-worker.js'), 'utf8');
  const pack = packIn(worker);
  const isProgram = (path: string): boolean => PROGRAMS.test(path);
  const told = watchedPack(worker, await readFile(join(ROOT, 'build', pack)), { first, isProgram });
  await Promise.all([
    cp(join(ROOT, 'src'), join(folder, 'src'), { recursive: true }),
    cp(join(ROOT, 'docs'), join(folder, 'docs'), { recursive: true }),
    cp(join(ROOT, 'package.json'), join(folder, 'package.json')),
    symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules')),
    ...(await filesIn(join(ROOT, 'build'))).map(async (path) => {
      const [from, to] = [join(ROOT, 'build', path), join(folder, 'build', path)];
      await mkdir(dirname(to), { recursive: true });
      if (path === pack) await writeFile(to, told.packed);
      else if (path === 'service-worker.js') await writeFile(to, first + told.worker);
      else if (isProgram(path)) await writeFile(to, first + (await readFile(from, 'utf8')));
      // The rest is as large as it is unchanged.
      else await link(from, to);
    }),
  ]);
  return join(folder, 'src', 'server', 'main.ts');
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}
