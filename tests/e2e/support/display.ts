/** A screen without a screen (Xvfb) and a hand on its keyboard (xdotool): what the browser itself asks, a person answers. */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where they are not installed, tests on them are skipped; with CI=true that counts as failed. */
export const hasDisplay = ['Xvfb', 'xdotool'].every((name) => spawnSync('which', [name]).status === 0);

export class Display {
  /** `:N` */
  readonly name: string;
  readonly #server: ChildProcess;

  private constructor(server: ChildProcess, name: string) {
    this.#server = server;
    this.name = name;
  }

  static async start(): Promise<Display> {
    // The server chooses a free number and says it.
    const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const said = server.stdio[3];
    if (said === null || said === undefined || !('readable' in said)) throw new Error('Xvfb has no pipe');
    const number = await new Promise<string>((resolve, reject) => {
      createInterface(said as NodeJS.ReadableStream).once('line', resolve);
      server.once('error', reject);
      server.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    });
    return new Display(server, `:${number}`);
  }

  async press(...keys: string[]): Promise<void> {
    await run('xdotool', ['key', '--delay', '150', ...keys], { env: this.#env });
  }

  stop(): void {
    this.#server.kill();
  }

  get #env(): NodeJS.ProcessEnv {
    return { ...process.env, DISPLAY: this.name };
  }
}
