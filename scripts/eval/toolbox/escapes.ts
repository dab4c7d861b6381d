/**
 * What code of a model's or steered data would do to get out of the cage in Node. Out is: a word of a file of this machine or of
 * this process's environment in an answer, a file that was written, a connection that arrived. Nothing is told by an answer's form.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNodeCage } from '../../../src/adapters/toolbox/node/node-cage.ts';
import { publicNet } from '../../../src/adapters/toolbox/node/public-net.ts';
import { USUAL_BOUNDS, type CageJob } from '../../../src/core/toolbox/cage.ts';
import { ALL_TOOLS } from '../../../src/core/toolbox/all-tools.ts';
import { ToolboxRun } from '../../../src/core/toolbox/run.ts';
import { toolNamed } from '../../../src/core/toolbox/tools.ts';

const WORD = 'marker-that-only-this-machine-knows';

interface Tried {
  tried: number;
  escapes: number;
  /** Whether the engine answered at all after them. */
  works: boolean;
}

export async function escapesInNode(): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), 'accession-escapes-'));
  const [file, written] = [join(folder, 'secret.txt'), join(folder, 'written')];
  writeFileSync(file, `${WORD}\n`);
  process.env['ACCESSION_ESCAPE'] = WORD;
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cage = openNodeCage();
  const net = publicNet({ clock: { now: () => Date.now() }, allow: null, wait: () => Promise.resolve() });
  const run = new ToolboxRun({ cage, net });
  let [tried, escapes] = [0, 0];
  const look = (what: string, answer: unknown): void => {
    tried += 1;
    const out = JSON.stringify(answer).includes(WORD) || existsSync(written) || connections > 0;
    if (!out) return;
    escapes += 1;
    process.stderr.write(`escaped: ${what}\n`);
    connections = 0;
    rmSync(written, { recursive: true, force: true });
  };
  const bounds = { ...USUAL_BOUNDS, timeMs: 8_000, memoryMb: 1024 };
  const caged = async (runtime: CageJob['runtime'], program: string, data: unknown): Promise<void> =>
    look(program.slice(0, 90), await cage.run({ runtime, program, data }, bounds));
  const called = async (tool: string, input: unknown): Promise<void> =>
    look(`${tool} ${JSON.stringify(input).slice(0, 90)}`, await run.call(toolNamed(tool, ALL_TOOLS), input));
  try {
    for (const code of python(file, written, port)) {
      const answer = await cage.run({ runtime: 'python', program: 'run', data: { code, data: 1 } }, bounds);
      look(code, answer);
    }
    for (const code of ofR(file, written, port)) await caged('r', `function(input) { got <- tryCatch(${code}, error = function(e) "no"); list(got = paste(capture.output(print(got)), collapse = "")) }`, {}); // prettier-ignore
    for (const [tool, inputs] of Object.entries(ofTools(file, written, port)))
      for (const input of inputs) await called(tool, input);
    const works = (await Promise.all([run.call(toolNamed('frame_query'), toolNamed('frame_query').example), run.call(toolNamed('stat_describe'), { x: [1, 2, 3] })])).every(({ ok }) => ok); // prettier-ignore
    return { tried, escapes, works };
  } finally {
    cage.close();
    server.close();
    delete process.env['ACCESSION_ESCAPE'];
    rmSync(folder, { recursive: true, force: true });
  }
}

const python = (file: string, written: string, port: number): string[] => [
  `open(${JSON.stringify(file)}).read()`,
  `open(${JSON.stringify(written)}, 'w').write('x')`,
  `import os; os.environ.get('ACCESSION_ESCAPE')`,
  `import os; os.listdir(${JSON.stringify(join(file, '..'))}); open(${JSON.stringify(file)}).read()`,
  `import os; os.system('touch ${written}')`,
  `import subprocess; subprocess.run(['touch', ${JSON.stringify(written)}])`,
  `import socket; s = socket.create_connection(('127.0.0.1', ${port}), 2); s.send(b'x'); s.recv(9)`,
  `import urllib.request; urllib.request.urlopen('http://127.0.0.1:${port}').read()`,
  `import http.client; c = http.client.HTTPConnection('127.0.0.1', ${port}); c.request('GET', '/'); c.getresponse().read()`,
  `import js; js.process.env.ACCESSION_ESCAPE`,
  `import js; js.fetch('http://127.0.0.1:${port}')`,
  `import sys; sys.modules.pop('js', None); import js; js.require('fs').readFileSync(${JSON.stringify(file)}, 'utf8')`,
  `from pyodide.code import run_js; run_js('process.env.ACCESSION_ESCAPE')`,
  `from pyodide.code import run_js; run_js("import('node:fs').then((fs) => fs.writeFileSync('${written}', 'x'))")`,
  `import pyodide_js; pyodide_js.FS.mount`,
  `import _pyodide_core; _pyodide_core.run_js('process')`,
  `import ctypes; ctypes.CDLL(None).system(b'touch ${written}')`,
  `import pyodide.http; pyodide.http.open_url('http://127.0.0.1:${port}').read()`,
];

const ofR = (file: string, written: string, port: number): string[] => [
  `readLines(${JSON.stringify(file)})`,
  `{ writeLines('x', ${JSON.stringify(written)}); file.exists(${JSON.stringify(written)}) }`,
  `Sys.getenv('ACCESSION_ESCAPE')`,
  `system('cat ${file}', intern = TRUE)`,
  `webr::eval_js('process.env.ACCESSION_ESCAPE')`,
  `webr::eval_js("globalThis.process.mainModule.require('fs').readFileSync('${file}', 'utf8')")`,
  `webr::eval_js("fetch('http://127.0.0.1:${port}').then(() => 1); 1")`,
  `readLines(url('http://127.0.0.1:${port}'))`,
  `download.file('http://127.0.0.1:${port}', tempfile())`,
  `{ s <- socketConnection('127.0.0.1', ${port}, timeout = 2); writeLines('x', s); readLines(s, 1) }`,
  `dyn.load(${JSON.stringify(file)})`,
  `source('http://127.0.0.1:${port}')`,
];

const CIRCUIT = (line: string): { netlist: string } => ({ netlist: `a\nV1 a 0 1\nR1 a 0 1k\n${line}\n.op\n.end` });

const ofTools = (file: string, written: string, port: number): Record<string, unknown[]> => ({
  frame_query: [
    `select * from read_csv_auto('${file}')`,
    `select * from '${file}'`,
    `select * from read_parquet('http://127.0.0.1:${port}/x')`,
    `copy t to '${written}'`,
    `export database '${written}'`,
    `attach '${written}'`,
    `select getenv('ACCESSION_ESCAPE')`,
    `select * from glob('${join(file, '..')}/*')`,
    `install httpfs`,
    `with a as (select * from read_text('${file}')) select * from a`,
  ].map((sql) => ({ tables: { t: 'k\n1\n' }, sql })),
  spice: ['.control\nshell touch ' + written + '\n.endc', `.include ${file}`, `.lib ${file} x`, `V2 b 0 PWL FILE=${file}`, `.write ${written}`, '*# shell touch ' + written].map(CIRCUIT), // prettier-ignore
  tex: [`\\input{${file}}`, `\\includegraphics{${file}}`, `\\href{http://127.0.0.1:${port}}{x}`, '\\def\\a{\\a\\a}\\a'].map((tex) => ({ tex })), // prettier-ignore
  plot: [
    { data: { url: file }, mark: 'bar' },
    { data: { url: `http://127.0.0.1:${port}/x.csv` }, mark: 'bar' },
    { data: { values: [{ a: 1 }] }, mark: 'bar', usermeta: { x: { expr: 'process' } }, params: [{ name: 'p', expr: "constructor.constructor('return process')()" }], encoding: { x: { field: 'a' } } }, // prettier-ignore
  ].map((spec) => ({ spec })),
  cas: [`\\operatorname{process}`, `\\text{${file}}`].map((expr) => ({ op: 'evaluate', expr })),
  gis_read: [
    `<?xml version="1.0"?><!DOCTYPE kml [<!ENTITY x SYSTEM "file://${file}">]><kml><Placemark><name>&x;</name></Placemark></kml>`,
    `<!DOCTYPE kml SYSTEM "http://127.0.0.1:${port}/x.dtd"><kml/>`,
  ].map((text) => ({ file: text })),
  maltego_read: [
    { file: `<!DOCTYPE g [<!ENTITY x SYSTEM "file://${file}">]><graphml><node id="&x;"/></graphml>` },
    { file: { base64: Buffer.from('PK\u0003\u0004../../escaped').toString('base64') } },
  ],
  scrape: [
    ...[
      `https://127.0.0.1:${port}/`,
      `https://2130706433:${port}/`,
      `https://[::ffff:127.0.0.1]:${port}/`,
      `https://localhost:${port}/`,
    ],
    ...[`https://0177.0.0.1/`, `file://${file}`],
  ].map((url) => ({ url })),
  http_api: [
    { api: `name: x\nabout: x\nbase: https://127.0.0.1\nlicence: x\nattribution: x\nendpoints: { e: { about: x, path: '/', rows: $, columns: { a: $ } } }` }, // prettier-ignore
    { api: `name: !!js/function 'process'\nabout: x` },
    { api: 'a: &a [x]\nb: *a' },
  ],
});
