import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { programFile } from '../../fixtures/program-file.ts';

const READY_LINE = /^http:\/\/127\.0\.0\.1:(\d+)\/#token=\S+$/;
const READY_MS = 180_000;
const STOP_MS = 15_000;

/**
 * The real server as a process of its own, on one port and one data folder for its whole life, so that it can be
 * stopped, killed and started again under a browser that is waiting for it.
 */
export class CatalogServer {
  readonly token = 'e2e-token-0123456789';
  readonly #data: string;
  readonly #main: string;
  /** The one it chose at its first start; the same ever after. */
  #port = 0;
  #child: ChildProcessByStdio<null, Readable, Readable> | null = null;
  /** Everything it printed, for the report of a failed test. */
  log = '';

  private constructor(data: string, main: string) {
    this.#data = data;
    this.#main = main;
  }

  /** On a port of its own, with an empty catalog. `data` is its data folder, `main` its main module. */
  static async start(data: string, main = programFile('server/main.ts')): Promise<CatalogServer> {
    const server = new CatalogServer(data, main);
    await server.start();
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Folder of the published audio. */
  get media(): string {
    return join(this.#data, 'media');
  }

  /** What the person opens first. */
  get signInLink(): string {
    return this.linkOf(this.token);
  }

  /** The same for somebody else. */
  linkOf(token: string): string {
    return `${this.origin}/#token=${token}`;
  }

  /** Starts again with this accession.toml. */
  async configure(toml: string): Promise<void> {
    await this.kill();
    await writeFile(join(this.#data, 'accession.toml'), toml);
    await this.start();
  }

  /** Resolves once the ready line was printed. Throws with the log when the server ends or is late. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [this.#main], {
      env: {
        ...process.env,
        PORT: String(this.#port),
        ACCESSION_DATA: this.#data,
        ACCESSION_TOKEN: this.token,
        ACCESSION_DEMO: '0',
        ACCESSION_INSIDE_WORKERS: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stderr.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    const ready = new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no ready line in ${READY_MS} ms\n${this.log}`)), READY_MS);
      createInterface(child.stdout).on('line', (line) => {
        this.log += `${line}\n`;
        const port = READY_LINE.exec(line)?.[1];
        if (port === undefined) return;
        this.#port = Number(port);
        clearTimeout(late);
        resolve();
      });
      child.once('exit', (code) => {
        clearTimeout(late);
        reject(new Error(`the server ended with ${code}\n${this.log}`));
      });
    });
    await ready;
  }

  /** Asks it to end, as Ctrl-C does. Throws when it does not end cleanly. */
  async stop(): Promise<void> {
    const code = await this.#end('SIGTERM');
    if (code !== 0) throw new Error(`the server ended with ${code} after SIGTERM\n${this.log}`);
  }

  /** Takes it away without a word. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return 0;
    this.#child = null;
    const ended = once(child, 'exit');
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    const [code] = await ended;
    clearTimeout(late);
    return code;
  }
}

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  probe.close();
  await once(probe, 'close');
  return address.port;
}
