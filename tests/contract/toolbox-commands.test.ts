/** Programs of the machine: real processes, what they may not see, and how they end. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { machineCommands } from '#adapters/toolbox/node/machine-commands.ts';
import { CancelSource } from '#core/cancel.ts';
import type { ToolBounds } from '#core/toolbox/cage.ts';
import { command } from '#core/toolbox/command.ts';
import { PRESETS } from '#core/toolbox/commands/commands.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { programFile } from '../fixtures/program-file.ts';

let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'accession-commands-'));
});
afterAll(() => rm(place, { recursive: true, force: true }));

const cage = { run: () => Promise.reject(new Error('a cage was reached')), close: () => undefined };
const NODE = process.execPath;
const LISTED = {
  show: [
    NODE,
    '-e',
    'console.log(JSON.stringify([process.argv.slice(1), process.env, process.cwd(), require("fs").readdirSync(".")]))',
    '$(id); *',
    "a'b",
  ],
  script: [NODE, 'script.js'],
  absent: ['no-such-program-anywhere', 'x'],
};

async function call(
  input: unknown,
  bounds: Partial<ToolBounds> = {},
  signal?: CancelSource,
): Promise<Record<string, unknown>> {
  const run = new ToolboxRun({ cage, commands: machineCommands(LISTED, place), bounds });
  const answered = await run.call(command as never, input, signal);
  return answered.ok ? answered.answer.whole : { ...answered.failure };
}

const script = (text: string, more: object = {}): object => ({ name: 'script', files: { 'script.js': text }, ...more });

/** Folders that commands leave behind. */
const left = (): Promise<string[]> => readdir(place);

describe('a command', () => {
  test('TOOLBOX-60 a command runs with the arguments that are listed, without a shell and our environment, in a fresh folder that is removed', async () => {
    process.env['ACCESSION_SECRET_HUSH'] = 'hush';
    onTestFinished(() => void delete process.env['ACCESSION_SECRET_HUSH']);
    const done = await call({ name: 'show', files: { 'data.csv': 'a,b\n1,2\n' } });
    const [args, env, folder, files] = JSON.parse(String(done['output'])) as [string[], Record<string, string>, string, string[]]; // prettier-ignore
    expect(args).toEqual(['$(id); *', "a'b"]);
    expect(Object.keys(env).sort()).toEqual(['HOME', 'LANG', 'PATH', 'TMPDIR']);
    expect(files).toEqual(['data.csv']);
    expect(done).toMatchObject({ exit_code: 0, files: [] });
    expect(await left()).not.toContain(folder.split('/').at(-1));
  });

  test('TOOLBOX-60 what it writes comes back as text or bytes; links and folders do not; stdin is given', async () => {
    const text = `const fs = require('fs');
      fs.writeFileSync('out.txt', fs.readFileSync(0, 'utf8').toUpperCase());
      fs.writeFileSync('raw.bin', Buffer.from([0, 255]));
      fs.symlinkSync('/etc/passwd', 'link.txt'); fs.mkdirSync('inner'); console.error('said'); process.exitCode = 3;`;
    expect(await call(script(text, { stdin: 'hello' }))).toMatchObject({
      ...{ exit_code: 3, output: '', errors: 'said\n' },
      files: [
        { name: 'out.txt', bytes: 5, text: 'HELLO' },
        { name: 'raw.bin', bytes: 2, base64: 'AP8=' },
      ],
    });
  });

  test('TOOLBOX-60 one that is not listed is refused, one that is not installed unavailable, names that lead elsewhere are input faults', async () => {
    expect(await call({ name: 'sh' })).toMatchObject({ code: 'tool_refused', subject: 'name' });
    expect(await call({ name: '__proto__' })).toMatchObject({ code: 'tool_refused' });
    expect(await call({ name: 'absent' })).toMatchObject({ code: 'tool_unavailable' });
    for (const name of ['../x', '/etc/x', '-e', '.bashrc', 'a/b', ''])
      expect(await call({ name: 'script', files: { [name]: 'x' } }), name).toMatchObject({
        code: 'tool_input',
        subject: 'files',
      });
    expect(await call({ name: 'script', args: ['-e'] })).toMatchObject({ code: 'tool_input', subject: 'args' });
    const nowhere = await new ToolboxRun({ cage }).call(command as never, { name: 'gnuplot' });
    expect(nowhere).toMatchObject({ failure: { code: 'tool_unavailable' } });
  });

  test.each([
    ['runs on', 'for (;;);', { timeMs: 300 }, 'tool_timeout'],
    ['starts another that runs on', "require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'inherit' }); for (;;);", { timeMs: 400 }, 'tool_timeout'], // prettier-ignore
    [
      'talks without end',
      "const line = 'x'.repeat(65536); const say = () => process.stdout.write(line, say); say();",
      {},
      'tool_limit',
    ],
    ['writes without end', "const fs = require('fs'); const part = Buffer.alloc(8e6); for (let i = 0; i < 400; i++) { fs.appendFileSync('big', part); }", {}, 'tool_limit'], // prettier-ignore
    [
      'takes all memory',
      'const all = []; for (;;) all.push(new Float64Array(1e6).fill(1));',
      { memoryMb: 300 },
      'tool_limit',
    ],
  ] as const)('TOOLBOX-61 one that %s is ended, and the next one works', async (_, text, bounds, code) => {
    expect(await call(script(text), { timeMs: 20_000, ...bounds })).toMatchObject({ code });
    expect(await call(script('console.log(1 + 1)'))).toMatchObject({ output: '2\n' });
    expect(await left()).toEqual([]);
  });

  test('TOOLBOX-61 a person cancels one, and what it left running behind its back ends with it', async () => {
    const stop = new CancelSource();
    const running = call(script('setInterval(() => 0, 1000)'), {}, stop);
    stop.abort();
    expect(await running).toMatchObject({ code: 'cancelled' });
    const spawned = await call(
      script("const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'inherit' }); console.log(child.pid); child.unref();"), // prettier-ignore
    );
    const pid = Number(spawned['output']);
    expect(pid).toBeGreaterThan(0);
    expect(alive(pid)).toBe(false);
  });
});

/** A process that ended and was not fetched yet is none. */
function alive(pid: number): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return state !== '' && !state.startsWith('Z');
  } catch {
    return false;
  }
}

const installed = (program: string): boolean => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** What Debian's packages answer; on a machine without one the sentence that says so. */
const DEBIAN: [name: string, file: string, text: string, said: RegExp][] = [
  ['gnuplot', 'script.gp', 'set terminal svg\nset output "figure.svg"\nplot sin(x)\n', /^$/],
  ['maxima', 'script.mac', 'string(factor(x^4-1));\n', /\(x-1\)\*\(x\+1\)\*\(x\^2\+1\)/],
  ['octave-cli', 'script.m', 'printf("%d\\n", det([1 2; 3 4]))\n', /-2/],
  [
    'ngspice',
    'circuit.cir',
    'divider\nv1 1 0 10\nr1 1 2 1k\nr2 2 0 1k\n.op\n.print op v(2)\n.end\n',
    /5\.000000e\+00|v\(2\)\s*=?\s*5\.0/i,
  ],
];

test.each(DEBIAN)(
  'TOOLBOX-62 the preset %s runs as Debian has it, or says that it is not installed',
  async (name, file, text, said) => {
    const run = new ToolboxRun({
      cage,
      commands: machineCommands(PRESETS),
      bounds: { timeMs: 60_000, memoryMb: 2000 },
    });
    const answered = await run.call(command as never, { name, files: { [file]: text } });
    if (!installed(PRESETS[name]?.[0] ?? '')) {
      expect(answered).toMatchObject({ failure: { code: 'tool_unavailable', message: expect.stringContaining(name) } });
      return;
    }
    const { exit_code, output, errors, files } = (answered.ok ? answered.answer.whole : {}) as Record<string, unknown>;
    expect([exit_code, errors]).toEqual([0, expect.any(String)]);
    expect(`${String(output)}`).toMatch(said);
    if (name === 'gnuplot')
      expect(files).toEqual([expect.objectContaining({ name: 'figure.svg', text: expect.stringContaining('<svg') })]);
  },
);

test('TOOLBOX-63 the terminal runs what accession.toml or --command lists, and shows the presets', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-listed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(
    join(folder, 'accession.toml'),
    `[toolbox.commands]\nhello = [${JSON.stringify(NODE)}, "-p", "'hello'"]\n`,
    { mode: 0o600 },
  );
  const main = programFile('cli/main.ts');
  const toolbox = (...args: string[]): Promise<string> =>
    new Promise((resolve) => {
      execFile(NODE, [main, 'toolbox', ...args], { env: { ...process.env, ACCESSION_DATA: folder } }, (_error, out, said) => resolve(`${out}${said}`)); // prettier-ignore
    });
  expect(JSON.parse(await toolbox('run', 'command', '--input', '{"name":"hello"}'))).toMatchObject({
    output: { output: 'hello\n' },
  });
  const own = `bye=${JSON.stringify([NODE, '-p', "'bye bye'"])}`;
  expect(JSON.parse(await toolbox('run', 'command', '--command', own, '--input', '{"name":"bye"}'))).toMatchObject({
    output: { output: 'bye bye\n' },
  });
  expect(await toolbox('run', 'command', '--input', '{"name":"bye"}')).toContain('tool_refused');
  expect(await toolbox('run', 'command', '--command', 'nothing', '--input', '{"name":"bye"}')).toContain(
    'neither a preset',
  );
  expect(await toolbox('presets')).toContain('gnuplot = ["gnuplot","script.gp"]');
});
