/**
 * R, by webR. A recipe runs with its data as arguments and answers one text of JSON (core/toolbox/r/prelude.ts). `init` never
 * rejects: the cage has a deadline. After the start, what R could reach through JavaScript is taken away from its thread.
 */
import { WebR, type WebROptions } from 'webr';
import { isRecord } from '#core/agent/tools/tool.ts';
import { failed } from '#core/errors.ts';
import type { Engine } from '#core/toolbox/engine.ts';
import { PRELUDE } from '#core/toolbox/r/prelude.ts';
import { toRData } from './r-data.ts';

/** What R's own thread has that recipes do not need. Evaluated there, once, before the first data. */
const TAKEN_AWAY = `
for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'indexedDB', 'caches', 'importScripts', 'Worker',
  'navigator', 'BroadcastChannel', 'SharedWorker', 'process', 'require', 'module', 'eval', 'Function'])
  try { Object.defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false }); } catch {}
0`;

/** @param from where webR finds its files */
export async function openR(from: WebROptions): Promise<Engine> {
  const r = new WebR({ ...from, interactive: false });
  await r.init();
  await r.evalRVoid(PRELUDE);
  const version = await r.evalRString('paste(R.version$major, R.version$minor, sep = ".")');
  await r.evalRVoid('webr::eval_js(taken)', { env: { taken: TAKEN_AWAY } });
  return {
    versions: [`R ${version}`, `webr ${r.version}`],
    async call({ program, data }) {
      const text = await r.evalRString(`.run(${program}, input)`, {
        env: { input: toRData(data) as never },
      });
      const answer: unknown = JSON.parse(text);
      if (!isRecord(answer)) throw failed('internal', 'R answered no object.');
      if (answer['value'] !== undefined) return answer['value'];
      if (/(?:cannot|could not|unable to) allocate|memory exhausted|no more memory/i.test(String(answer['message'])))
        throw failed('tool_limit', `R: ${String(answer['message'])}`);
      const field = typeof answer['field'] === 'string' ? answer['field'] : undefined;
      throw failed('tool_input', `${field === undefined ? 'R' : field}: ${String(answer['message'])}`, {
        ...(field === undefined ? {} : { subject: field }),
      });
    },
  };
}
