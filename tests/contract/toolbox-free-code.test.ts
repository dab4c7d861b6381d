/** Code that a person read and agreed to, in the cage of Node: what it answers, and what is left of it for the next call. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import JSZip from 'jszip';
import { afterAll, expect, test } from 'vitest';
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { toolNamed } from '#core/toolbox/tools.ts';
import { runProgram } from '../fixtures/program.ts';
import { compiledModule } from '../fixtures/toolbox/compiled-module.ts';

const cage = openNodeCage();
afterAll(() => cage.close());

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** By a person who agreed to it. */
async function call(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const tool = toolNamed(name);
  const agreed = new Set([sha256(tool.code?.(input) ?? '')]);
  const answered = await new ToolboxRun({ cage, agreed }).call(tool, input);
  return answered.ok ? answered.answer.whole : { error: answered.failure.code, field: answered.failure.subject };
}

const wheel = async (files: Record<string, string | Uint8Array>): Promise<string> => {
  const zip = new JSZip();
  for (const [name, text] of Object.entries(files)) zip.file(name, text);
  return zip.generateAsync({ type: 'base64' });
};

/** An engine is started anew for each call: there are few. */
const LONG = 300_000;

test(
  'TOOLBOX-80 R that a person agreed to answers its last value, what it printed and what it drew; what it changed is gone with its call',
  { timeout: LONG },
  async () => {
    const poison =
      'for (name in c("mean", "sum")) { unlockBinding(name, baseenv()); assign(name, function(...) 7, envir = baseenv()) }';
    const code = `${poison}\nx <- as.data.frame(data)\nprint(nrow(x))\nplot(x$a)\nlist(x, matrix(1:4, 2), mean(x$a), factor("u"))`;
    const drawn = await call('r_run', { code, data: { a: [1, 2, 3] } });
    expect(drawn).toMatchObject({ value: [{ a: [1, 2, 3] }, [[1, 3], [2, 4]], 7, 'u'], output: '[1] 3\n' }); // prettier-ignore
    const [figure, ...others] = drawn['figures'] as { name: string; base64: string }[];
    expect(others).toEqual([]);
    expect(figure?.name).toBe('figure-01.pdf');
    expect(Buffer.from(figure?.base64 ?? '', 'base64').toString('latin1')).toMatch(/^%PDF-[^]*%%EOF\s*$/);
    expect(await call('stat_describe', { x: [1, 2, 3] })).toMatchObject({ mean: 2 });
    expect(await call('r_run', { code: 'stop("no")' })).toEqual({ error: 'tool_input', field: 'code' });
    expect(await new ToolboxRun({ cage }).call(toolNamed('r_run'), { code: '1' })).toMatchObject({
      failure: { code: 'tool_refused', subject: 'code' },
    });
  },
);

test(
  'TOOLBOX-81 a wheel that the person has is there for its call, and is part of what they agree to',
  { timeout: LONG },
  async () => {
    const base64 = await wheel({
      'counted/__init__.py': 'from .inner import twice',
      'counted/inner.py': 'def twice(x):\n    return 2 * x\n',
      'counted-1.0.dist-info/METADATA': 'Name: counted\nVersion: 1.0\n',
    });
    const code = 'import counted\ncounted.twice(data)';
    const wheels = [{ name: 'counted-1.0-py3-none-any.whl', base64 }];
    expect(await call('python_run', { code, data: 21, wheels })).toMatchObject({ value: 42 });
    const agreed = new Set([sha256(code)]);
    expect(await new ToolboxRun({ cage, agreed }).call(toolNamed('python_run'), { code, data: 21, wheels })).toMatchObject({ failure: { code: 'tool_refused' } }); // prettier-ignore
    expect(await call('python_run', { code: '1', wheels: [{ name: 'a.whl', base64: 'AAAA' }] })).toEqual({ error: 'tool_input', field: 'wheels' }); // prettier-ignore
    expect(await call('python_run', { code: '1', wheels: [{ name: '../a', base64 }] })).toEqual({ error: 'tool_input', field: 'wheels' }); // prettier-ignore
  },
);

test(
  'TOOLBOX-95 a wheel with code that was compiled for WebAssembly is loaded; one for another machine is said',
  { timeout: LONG },
  async () => {
    const suffix = 'cpython-314-wasm32-emscripten.so';
    const code = 'from counted import inner\ninner.answer + data';
    const withModule = async (bytes: Uint8Array): Promise<Record<string, unknown>> => {
      const base64 = await wheel({ 'counted/__init__.py': '', [`counted/inner.${suffix}`]: bytes });
      return call('python_run', { code, data: 1, wheels: [{ name: 'counted-1.0-cp314-cp314-wasm32.whl', base64 }] });
    };
    expect(await withModule(compiledModule('inner'))).toMatchObject({ value: 43 });
    expect(await withModule(Buffer.from('\x7fELF and so on'))).toEqual({ error: 'tool_input', field: 'code' });
  },
);

test('TOOLBOX-81 the terminal takes wheels from files', { timeout: LONG }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-wheel-'));
  try {
    const file = join(folder, 'one-1-py3-none-any.whl');
    await writeFile(file, Buffer.from(await wheel({ 'one.py': 'value = 1\n' }), 'base64'));
    const words = ['toolbox', 'run', 'python_run', '--wheel', file, '--input'];
    const asked = [...words, '{"code":"import one\\none.value"}'];
    const refused = await runProgram('cli/main.ts', asked, { ACCESSION_DATA: folder });
    expect(await refused.exited).toBe(1);
    const [hash = ''] = /[\da-f]{64}/.exec(refused.stdout()) ?? [];
    const ran = await runProgram('cli/main.ts', [...asked, '--agree', hash], { ACCESSION_DATA: folder });
    expect(await ran.exited, ran.stderr()).toBe(0);
    expect(JSON.parse(ran.stdout())).toMatchObject({ output: { value: 1 } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('TOOLBOX-88 a file of several megabytes in base64 is taken, and what is none is said', async () => {
  const zip = new JSZip();
  zip.file('doc.kml', '<kml><Placemark><Point><coordinates>7.4,46.9</coordinates></Point></Placemark></kml>');
  zip.file('large.bin', Buffer.alloc(6 * 1024 * 1024, 1), { compression: 'STORE' });
  const base64 = await zip.generateAsync({ type: 'base64' });
  const run = new ToolboxRun({ cage });
  expect(await run.call(toolNamed('gis_read'), { file: { base64 } })).toMatchObject({ answer: { whole: { kind: 'KMZ' } } }); // prettier-ignore
  expect(await run.call(toolNamed('gis_read'), { file: { base64: `${base64.slice(0, -5)}*AAA=` } })).toMatchObject({ failure: { code: 'tool_input', subject: 'file' } }); // prettier-ignore
});
