/** Where the key of the model's server comes from. It is kept in memory alone. */
import { ok, type Result, fail } from '#core/result.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { failure } from '#core/errors.ts';

/** Runs `api_key_command`. What it prints is a secret: nothing of it, nor of its errors, is in any failure. */

/** The specification's limit, milliseconds. */
export const KEY_COMMAND_LIMIT_MS = 10_000;
/** Bytes; no key is longer, and a command that never stops printing is stopped. */
const MAX_OUTPUT = 64 * 1024;

interface KeyCommandOptions {
  limitMs?: number | undefined;
  /** The setting that is named when it fails; usually `api_key_command`. */
  name?: string;
  signal?: AbortSignal;
}

/**
 * The trimmed output of a shell command. One that has not ended at the limit is killed with all that it started
 * (its process group). Failures are `model_unauthorized`, or `cancelled` by the signal.
 */
export function runKeyCommand(command: string, options: KeyCommandOptions = {}): Promise<Result<string>> {
  const limitMs = options.limitMs ?? KEY_COMMAND_LIMIT_MS;
  return new Promise((resolve) => {
    // A group of its own, so that the shell's children can be killed with it.
    const child = spawn(command, {
      shell: true,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const pieces: Buffer[] = [];
    let bytes = 0;
    const refused = (what: string): Result<string> => refusedBy(options.name ?? 'api_key_command', what);
    const end = (result: Result<string>, kill: boolean): void => {
      clearTimeout(limit);
      options.signal?.removeEventListener('abort', cancel);
      if (kill) {
        killGroup(child);
        // Who left the group may still hold the pipe; it is not waited for.
        child.stdout.destroy();
      }
      resolve(result);
    };
    const cancel = (): void => end(fail(failure('cancelled', 'The server is stopping.')), true);
    const limit = setTimeout(
      () => end(refused(`did not end within ${limitMs / 1000} s and was stopped`), true),
      limitMs,
    );
    if (options.signal?.aborted === true) return cancel();
    options.signal?.addEventListener('abort', cancel);

    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes > MAX_OUTPUT) end(refused('prints far more than a key'), true);
    });
    child.on('error', () => end(refused('could not be started'), false));
    child.on('close', (code, signal) => {
      if (code === 0) end(readKey(Buffer.concat(pieces).toString('utf8'), refused), false);
      else end(refused(code === null ? `was ended by ${signal ?? 'a signal'}` : `ended with code ${code}`), false);
    });
  });
}

/** A key goes into a header: one line of printable characters. */
function readKey(output: string, refused: (what: string) => Result<string>): Result<string> {
  const key = output.trim();
  if (key === '') return refused('printed nothing');
  return /^[\x21-\x7e]+$/.test(key) ? ok(key) : refused('printed more than one word, or characters that no key has');
}

function refusedBy(name: string, what: string): Result<string> {
  return fail(
    failure('model_unauthorized', `In accession.toml, ${name} ${what}.`, {
      remedy: 'Ask the administrator to run the command of accession.toml by hand and to repair it.',
    }),
  );
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' });
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // ESRCH: it has just ended by itself.
  }
}

export type KeySetting = { kind: 'none' } | { kind: 'fixed'; key: string } | { kind: 'command'; command: string };

/** Former keys that are still kept out of every text. */
const REMEMBERED = 16;

export type KeySource = ReturnType<typeof createKeySource>;

export function createKeySource(setting: KeySetting, limits: KeyCommandOptions = {}) {
  let current = setting.kind === 'fixed' ? setting.key : null;
  /** Every key that was in use lately, the newest first. */
  let known: readonly string[] = current === null ? [] : [current];
  /** The run under way: whoever asks meanwhile waits for the same one. */
  let running: Promise<Result<string | null>> | null = null;

  async function run(command: string): Promise<Result<string | null>> {
    const result = await runKeyCommand(command, limits);
    if (result.ok) {
      current = result.value;
      known = [...new Set([result.value, ...known])].slice(0, REMEMBERED);
    }
    return result;
  }

  /** The key, from the command where there is one and it has not run yet; null where none is set. */
  async function get(): Promise<Result<string | null>> {
    if (setting.kind !== 'command' || current !== null) return ok(current);
    running ??= run(setting.command).finally(() => {
      running = null;
    });
    return running;
  }

  return {
    /** What must be in no answer and no log. */
    get known() {
      return known;
    },
    /** A refused key can be replaced by running the command again. */
    renewable: setting.kind === 'command',
    get,
    /** The key that follows one that was refused; the command runs again unless somebody has done that already. */
    async after(refused: string | null): Promise<Result<string | null>> {
      if (setting.kind === 'command' && current === refused) current = null;
      return get();
    },
  };
}
