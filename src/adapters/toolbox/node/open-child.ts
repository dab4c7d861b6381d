/** One child of the cage: a process that may read our programs and packages and nothing else, with no environment and no network. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { MOST_RESULT, type CageJob } from '#core/toolbox/cage.ts';
import type { Child, ChildEvents } from '../children.ts';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../../../..');
/** All that a child may read. */
const READABLE = ['src/core', 'src/adapters/toolbox', 'node_modules', 'package.json'].map((path) => join(ROOT, path));
/** webR computes in a thread, and it and ngspice make code of text at their start; the others may do neither. */
const THREADS = new Set<CageJob['runtime']>(['r']);
const CODE_OF_TEXT = new Set<CageJob['runtime']>(['r', 'spice']);
/** Of what an engine says when it fails to start, characters. */
const MOST_SAID = 4000;

export function openChild(runtime: CageJob['runtime'], events: ChildEvents): Child {
  const child = spawn(
    process.execPath,
    [
      '--permission',
      ...READABLE.map((path) => `--allow-fs-read=${path}`),
      ...(THREADS.has(runtime) ? ['--allow-worker'] : []),
      ...(CODE_OF_TEXT.has(runtime) ? [] : ['--disallow-code-generation-from-strings']),
      '--disable-warning=SecurityWarning',
      '--disable-warning=ExperimentalWarning',
      `--import=${join(HERE, 'lock.ts')}`,
      join(HERE, 'cage-program.ts'),
      runtime,
    ],
    { cwd: ROOT, env: {}, stdio: ['pipe', 'ignore', 'pipe', 'pipe'] },
  );
  const [input, , errors, answers] = child.stdio as unknown as [Writable, null, Readable, Readable];
  let said = '';
  errors.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-MOST_SAID)));
  input.on('error', () => undefined);
  readLines(answers, events, () => child.kill('SIGKILL'));
  let ended = false;
  const end = (): void => {
    if (!ended) events.ended(said);
    ended = true;
  };
  child.on('error', end).on('close', end);
  return {
    send: (line) => void input.write(`${line}\n`),
    memoryMb: () => residentMb(child.pid),
    kill: () => void child.kill('SIGKILL'),
  };
}

function readLines(answers: Readable, events: ChildEvents, kill: () => void): void {
  let pieces: string[] = [];
  let length = 0;
  answers.setEncoding('utf8').on('data', (text: string) => {
    length += text.length;
    if (length > MOST_RESULT) {
      events.tooMuch();
      kill();
      return;
    }
    const parts = text.split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      events.answer([...pieces, part].join(''));
      pieces = [];
      length = 0;
    }
    pieces.push(last);
  });
}

/** Linux says it in a file; elsewhere the limit of memory is the engine's own. */
export function residentMb(pid: number | undefined): number | null {
  if (pid === undefined || process.platform !== 'linux') return null;
  try {
    const kilobytes = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}
