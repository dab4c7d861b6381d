/**
 * Programs of this machine that its operator listed: no shell, the arguments that stand there, a fresh folder, nothing of our
 * environment; time, memory, output and what it writes are bounded, and to stop is to kill it with all that it started.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { access, constants, lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { AccessionError, failed, toFailure } from '#core/errors.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { fail, ok } from '#core/result.ts';
import { USUAL_BOUNDS, type ToolBounds } from '#core/toolbox/cage.ts';
import type { CommandDone, CommandRun, Commands } from '#core/toolbox/commands/commands.ts';
import { residentMb } from './open-child.ts';

/** Bytes of each of its two outputs. */
const MOST_OUTPUT = 1024 * 1024;
/** Of its folder while it runs, and of what is given back. */
const MOST_WRITTEN = 64 * 1024 * 1024;
const MOST_BACK = 8 * 1024 * 1024;
const MOST_FILES = 100;
const LOOK_MS = 100;

/**
 * @param listed by name, program and arguments
 * @param place where its fresh folders are made
 */
export function machineCommands(
  listed: Readonly<Record<string, readonly string[]>>,
  place: string = tmpdir(),
): Commands {
  return {
    names: Object.keys(listed),
    async run(asked, bounds, signal) {
      const [program = '', ...args] = (Object.hasOwn(listed, asked.name) ? listed[asked.name] : undefined) ?? [];
      const folder = await mkdtemp(join(place, 'accession-command-'));
      try {
        return ok(await ran({ program, args, folder, asked, bounds: { ...USUAL_BOUNDS, ...bounds }, signal }));
      } catch (thrown) {
        return fail(toFailure(thrown, asked.name));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

interface Running {
  program: string;
  args: readonly string[];
  folder: string;
  asked: CommandRun;
  bounds: ToolBounds;
  signal: CancelSignal | undefined;
}

async function ran(running: Running): Promise<CommandDone> {
  const { asked, folder } = running;
  const given = new Map<string, Buffer>();
  for (const [name, content] of Object.entries(asked.files ?? {})) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.base64, 'base64');
    given.set(name, bytes);
    await writeFile(join(folder, name), bytes, { flag: 'wx', mode: 0o600 });
  }
  const done = await ended(running, await found(running.program, asked.name));
  return { ...done, files: await written(folder, given) };
}

/** Throws AccessionError `tool_unavailable`. */
async function found(program: string, name: string): Promise<string> {
  const places = isAbsolute(program) ? [program] : (process.env['PATH'] ?? '').split(delimiter).map((one) => join(one, program)); // prettier-ignore
  for (const place of places) if (await access(place, constants.X_OK).then(() => true, () => false)) return place; // prettier-ignore
  throw failed('tool_unavailable', `${name}: there is no program "${program}" on this machine.`, {
    remedy: 'Install it, or list another one.',
  });
}

function ended(
  { args, folder, asked, bounds, signal }: Running,
  program: string,
): Promise<Pick<CommandDone, 'exit_code' | 'output' | 'errors'>> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      cwd: folder,
      // None of ours: no key that stands in it is handed on.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const said = { out: '', err: '' };
    let why: AccessionError | null = null;
    const stop = (because: AccessionError): void => {
      why ??= because;
      killAll(child);
    };
    const { name } = asked;
    const timer = setTimeout(
      () => stop(failed('tool_timeout', `${name} was stopped after ${bounds.timeMs / 1000} s.`)),
      bounds.timeMs,
    );
    const cancel = (): void => stop(failed('cancelled', 'cancelled'));
    signal?.addEventListener('abort', cancel);
    if (signal?.aborted) cancel();
    const look = setInterval(() => {
      const held = residentMb(child.pid);
      if (held !== null && held > bounds.memoryMb)
        stop(failed('tool_limit', `${name} took more than ${bounds.memoryMb} MB of memory.`));
      void sizeOf(folder).then((bytes) => {
        if (bytes > MOST_WRITTEN)
          stop(failed('tool_limit', `${name} wrote more than ${MOST_WRITTEN / 1024 / 1024} MiB.`));
      });
    }, LOOK_MS);
    const collect = (key: 'out' | 'err') => (text: string) => {
      said[key] += text;
      if (said[key].length > MOST_OUTPUT) stop(failed('tool_limit', `${name} said more than 1 MiB.`));
    };
    child.stdout.setEncoding('utf8').on('data', collect('out'));
    child.stderr.setEncoding('utf8').on('data', collect('err'));
    child.stdin.on('error', () => undefined).end(asked.stdin ?? '');
    const end = (act: () => void): void => {
      clearTimeout(timer);
      clearInterval(look);
      signal?.removeEventListener('abort', cancel);
      // What it started and left behind goes, too.
      killAll(child);
      act();
    };
    child.on('error', (error) =>
      end(() => reject(failed('tool_unavailable', `${name} did not start.`, { cause: error }))),
    );
    child.on('exit', (code) => {
      // Who holds its outputs still is not waited for longer than this.
      const wait = setTimeout(() => child.stdout.destroy(), 500);
      child.on('close', () => {
        clearTimeout(wait);
        end(() => (why === null ? resolve({ exit_code: code, output: said.out, errors: said.err }) : reject(why)));
      });
      killAll(child);
      setTimeout(() => child.stderr.destroy(), 500).unref();
    });
  });
}

function killAll({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true }).catch(() => []))
    bytes += (await lstat(join(folder, name)).catch(() => null))?.size ?? 0;
  return bytes;
}

/** Files of the folder itself that are new or changed; neither links nor folders. */
async function written(folder: string, given: ReadonlyMap<string, Buffer>): Promise<CommandDone['files']> {
  const files: CommandDone['files'] = [];
  let back = 0;
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    const stat = await lstat(path);
    if (!stat.isFile()) continue;
    if (files.length >= MOST_FILES || back + stat.size > MOST_BACK) {
      if (given.has(name)) continue;
      throw failed('tool_limit', `It wrote more than ${MOST_FILES} files or ${MOST_BACK / 1024 / 1024} MiB.`);
    }
    const bytes = await readFile(path);
    if (given.get(name)?.equals(bytes) === true) continue;
    back += bytes.length;
    const text = bytes.toString('utf8');
    const isText = !text.includes('\0') && Buffer.from(text).equals(bytes);
    files.push({ name, bytes: bytes.length, ...(isText ? { text } : { base64: bytes.toString('base64') }) });
  }
  return files;
}
