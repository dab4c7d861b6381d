/** Python, by Pyodide's core. Its way to JavaScript is closed before the first line; each call has names of its own. */
import { loadPyodide, version, type PyodideConfig } from 'pyodide';
import { isRecord } from '#core/agent/tools/tool.ts';
import { failed, messageOf } from '#core/errors.ts';
import type { Engine } from '#core/toolbox/engine.ts';

/** Characters of what a program prints. */
const MOST_PRINTED = 1_000_000;

/** Runs once: modules that reach JavaScript are gone, and a last expression is the value, as a notebook has it. */
const PRELUDE = `
import ast, base64, io, json, sys, zipfile
sys.meta_path[:] = [f for f in sys.meta_path if 'js' not in type(f).__name__.lower()]
for name in [n for n in sys.modules if n.split('.')[0] in ('js', 'pyodide_js', '_pyodide_core', 'pyodide', '_pyodide')]:
    sys.modules[name] = None
for name in ('js', 'pyodide_js', '_pyodide_core', 'pyodide', '_pyodide', 'socket', '_socket', 'ssl'):
    sys.modules[name] = None

def _unpack(wheels):
    for wheel in json.loads(wheels):
        zipfile.ZipFile(io.BytesIO(base64.b64decode(wheel['base64']))).extractall('/wheels')
    if '/wheels' not in sys.path:
        sys.path.append('/wheels')

def _run(code, data, wheels):
    if wheels != '[]':
        _unpack(wheels)
    names = {'__name__': '__main__', 'data': json.loads(data)}
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, '<code>', 'exec'), names)
    value = names.get('value') if last is None else eval(compile(ast.Expression(last.value), '<code>', 'eval'), names)
    return json.dumps(value, allow_nan=False, default=str)

_run
`;

/** @param from where Pyodide finds its files */
export async function openPython(from: PyodideConfig): Promise<Engine> {
  let printed = '';
  let broken = false;
  const keep = (line: string): void => {
    if (printed.length < MOST_PRINTED) printed += `${line}\n`;
  };
  const python = await loadPyodide({
    ...{ ...from, jsglobals: Object.create(null) as object, env: { HOME: '/home' } },
    ...{ stdout: keep, stderr: keep, stdin: () => null },
  });
  const run = python.runPython(PRELUDE) as (code: string, data: string, wheels: string) => string;
  const said = python.runPython('import sys; sys.version.split()[0]') as string;
  return {
    broken: () => broken,
    versions: [`Python ${said}`, `pyodide ${version}`],
    call({ data }) {
      if (!isRecord(data)) throw failed('internal', 'Python was given no object.');
      printed = '';
      try {
        const wheels = JSON.stringify(data['wheels'] ?? []);
        const value: unknown = JSON.parse(run(String(data['code']), JSON.stringify(data['data'] ?? null), wheels));
        return { value, output: printed, figures: [] };
      } catch (thrown) {
        // What is no error of Python's ended the interpreter.
        broken = !(thrown instanceof Error && thrown.name === 'PythonError');
        if (broken) throw failed('tool_refused', `code: ${messageOf(thrown).slice(0, 300)}`, { subject: 'code' });
        const last = messageOf(thrown).trim().split('\n').at(-1) ?? '';
        if (/^(?:zipfile\.)?BadZipFile/.test(last))
          throw failed('tool_input', 'wheels: one of them is no wheel.', { subject: 'wheels' });
        throw failed(/^MemoryError/.test(last) ? 'tool_limit' : 'tool_input', `code: ${last.slice(0, 300)}`, {
          subject: 'code',
        });
      }
    },
  };
}
