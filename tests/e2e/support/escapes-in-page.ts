/**
 * Attempts out of the cage of a browser, and how many came through. Any browser that a test drives: Playwright's page, or what
 * runs a function in a page as it does.
 */
import type { Page } from '@playwright/test';
import { attemptInCage, runCaged } from './cage-in-page.ts';

/** As JavaScript that somebody made run in the cage. */
const ATTEMPTS = [
  "fetch(BASE + '/health').then((answer) => answer.text())",
  "fetch(BASE + '/health', { mode: 'no-cors' })",
  "fetch('https://example.org/', { mode: 'no-cors' })",
  "fetch('data:text/plain,x')",
  "fetch(URL.createObjectURL(new Blob(['x'])))",
  "(() => { const x = new XMLHttpRequest(); x.open('GET', BASE + '/health', false); x.send(); })()",
  "failing(new WebSocket(BASE.replace('http', 'ws')), 'onopen')",
  "failing(new EventSource(BASE + '/v1/events'), 'onopen')",
  // Its end is refused as well, which nobody else asks for.
  "(() => { const to = new WebTransport('https://127.0.0.1:9/'); to.closed.catch(() => 0); return to.ready; })()",
  'importScripts(BASE + "/cage.js")',
  'import(BASE + "/cage.js")',
  "import('data:text/javascript,export default 1')",
  "failing(indexedDB.open('accession'), 'onsuccess')",
  'indexedDB.databases()',
  'caches.keys()',
  'navigator.storage.getDirectory()',
  'navigator.locks.query()',
  "failing(new Worker(BASE + '/cage.js'), 'onmessage')",
  "failing(new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))), 'onmessage')",
  "failing(new SharedWorker(BASE + '/cage.js'), 'onconnect')",
  "navigator.serviceWorker.register(BASE + '/service-worker.js')",
  'localStorage.length',
  'document.cookie.length',
  'cookieStore.getAll()',
  'parent.document.title',
  // What another tab says comes over one channel of the origin; the cage's own has none.
  "failing(new Worker('data:text/javascript,fetch(\"' + BASE + '/health\").then(() => postMessage(1), () => close())'), 'onmessage')",
];
const OF_TEXT = [
  "eval('1')",
  "new Function('return 1')()",
  "setTimeout('self.x = 1') || Promise.reject(new Error('x'))",
];

const PYTHON = [
  'import js; js.fetch',
  'import sys; sys.modules.pop("js", None); import js; js.self',
  'import sys; sys.modules.pop("pyodide_js", None); import pyodide_js; pyodide_js.FS',
  'from pyodide.code import run_js; run_js("1")',
  'import sys; [sys.modules.pop(n) for n in list(sys.modules) if "pyodide" in n]; from pyodide.code import run_js; run_js("self")',
  'from pyodide.http import open_url; open_url("/health")',
  'import urllib.request; urllib.request.urlopen("http://127.0.0.1:9")',
  'import socket; socket.create_connection(("127.0.0.1", 9))',
  'import subprocess; subprocess.run(["id"])',
  'import os; os.system("id") == 0 or 1 / 0',
];
const R = [
  'webr::eval_js(\'fetch("/health")\')',
  'webr::eval_js(\'self.indexedDB.open("x")\')',
  "webr::eval_js('1')",
  "readLines(url('http://127.0.0.1:9/'))",
  "download.file('http://127.0.0.1:9/', tempfile(), quiet = TRUE)",
  "webr::install('cli')",
  'socketConnection(port = 9)',
  "system('id', intern = TRUE)",
  "readLines('/etc/passwd')[1:3][[2]]",
];
const SQL = [
  "select * from read_csv_auto('/etc/passwd')",
  "select * from 'https://127.0.0.1:9/x.parquet'",
  "copy (select 1) to 'x.csv'",
  "select * from glob('/*')",
  'load httpfs',
];

export interface Escapes {
  tried: number;
  /** The attempts that came through. */
  through: string[];
}

/** Tries all of them in a page of the app. */
export async function escapesFrom(page: Pick<Page, 'evaluate'>): Promise<Escapes> {
  const through: string[] = [];
  let tried = 0;
  const count = (attempts: readonly string[], got: (at: number) => boolean): void => {
    tried += attempts.length;
    through.push(...attempts.filter((_, at) => got(at)));
  };
  const strict = await attemptInCage(page, [...ATTEMPTS, ...OF_TEXT]);
  count([...ATTEMPTS, ...OF_TEXT], (at) => strict[at] === 'reached');
  const text = await attemptInCage(page, ATTEMPTS, '?text');
  count(ATTEMPTS, (at) => text[at] === 'reached');
  const sql = await runCaged(page, 'sql', SQL.map((one) => ({ program: 'query', data: { tables: {}, sql: one } }))); // prettier-ignore
  count(SQL, (at) => sql[at]?.failure === undefined);
  const python = await runCaged(page, 'python', PYTHON.map((code) => ({ program: 'run', data: { code, data: [1] } }))); // prettier-ignore
  count(PYTHON, (at) => python[at]?.failure === undefined);
  const r = await runCaged(page, 'r', R.map((code) => ({ program: `function(input) list(reached = ${code})`, data: {} })), { asText: true }); // prettier-ignore
  count(R, (at) => r[at]?.failure === undefined);
  return { tried, through };
}
