/** Child processes: run to the end and capture, or hand this process's place to one. */
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { ROOT } from './paths.mjs';

/** How often to look whether npm still lives. */
const PARENT_MS = 500;
const WITH_PARENT = new URL('with-parent.mjs', import.meta.url).href;

/**
 * @typedef {object} RunOptions
 * @property {Record<string, string | undefined>} [env] added to this process's environment
 * @property {string} [cwd] the project's top folder by default
 * @property {number} [timeoutMs] killed after that; the code is then 124
 * @property {boolean} [stream] shows the output while it comes, on stderr when `toStderr`
 * @property {boolean} [toStderr]
 * @property {boolean} [yields] to whatever else runs, with all that it starts
 */

/**
 * Runs a command to its end. Never throws: a command that cannot be started has code 127.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>} exit code, and stdout with stderr as they came
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? ROOT,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (options.yields && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    let output = '';
    let late = false;
    const timer = options.timeoutMs
      ? setTimeout(() => {
          late = true;
          child.kill('SIGKILL');
        }, options.timeoutMs)
      : undefined;
    /** @param {Buffer} chunk */
    const take = (chunk) => {
      output += chunk;
      if (options.stream) (options.toStderr ? process.stderr : process.stdout).write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ code: 127, output: `${output}${error.message}\n` });
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code: late ? 124 : exitCode(code, signal), output });
    });
  });
}

/**
 * Starts a script that takes this process's place: same streams, our SIGINT and SIGTERM handed on, and a
 * channel by which it notices when we are gone (see with-parent.mjs).
 *
 * @param {string} node
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, cwd?: string, stdout?: 'inherit' | 'pipe' }} [options]
 */
export function replaceWith(node, args, options = {}) {
  const child = spawn(node, ['--import', WITH_PARENT, ...args], {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdio: ['inherit', options.stdout ?? 'inherit', 'inherit', 'ipc'],
  });
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => void child.kill(signal);
  process.on('SIGINT', forward);
  process.on('SIGTERM', forward);
  const watch = whenNpmIsGone(() => forward('SIGTERM'));
  /** @type {Promise<number>} */
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearInterval(watch);
      process.off('SIGINT', forward);
      process.off('SIGTERM', forward);
      resolve(exitCode(code, signal));
    });
  });
  return { child, ended };
}

/**
 * Starts a script that goes on beside this process, says nothing, and ends with it.
 *
 * @param {string} node
 * @param {string} script
 */
export function beside(node, script) {
  const child = spawn(node, ['--import', WITH_PARENT, script], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // It is for speed alone: without it all is served as it is.
  child.on('error', () => undefined);
  child.unref();
  child.channel?.unref();
}

/**
 * An npm that is killed tells nobody; that its child has another parent then is all there is to see.
 *
 * @param {() => void} act
 */
function whenNpmIsGone(act) {
  if (process.env['npm_lifecycle_event'] === undefined) return undefined;
  const npm = process.ppid;
  return setInterval(() => {
    if (process.ppid !== npm) act();
  }, PARENT_MS).unref();
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 * @returns {number} as a shell would say it: 128 + n for a signal
 */
function exitCode(code, signal) {
  if (code !== null) return code;
  return 128 + (signal ? constants.signals[signal] : 0);
}
