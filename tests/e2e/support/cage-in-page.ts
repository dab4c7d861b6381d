/** The cage of the built app with whatever program a test puts into it: over the very files that the app has. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

const ASSETS = join(import.meta.dirname, '../../../build/_app/immutable/assets');

export interface CagedJob {
  program: string;
  data: unknown;
}

/** Where the build has the pack of an engine. */
function packOf(runtime: string): string {
  const name = readdirSync(ASSETS).find((one) => one.startsWith(`toolbox-${runtime}.`) && one.endsWith('.bin'));
  if (name === undefined) throw new Error(`The build has no engine ${runtime}.`);
  return `/_app/immutable/assets/${name}`;
}

/** Runs jobs one after the other in an engine of its own; what each answers, `{ value }` or `{ failure }`. */
export function runCaged(
  page: Pick<Page, 'evaluate'>,
  runtime: string,
  jobs: readonly CagedJob[],
  { memoryMb = 1024, asText = false } = {},
): Promise<{ value?: unknown; failure?: { code: string; message: string } }[]> {
  return page.evaluate(
    async ({ url, search, given, memory, name }) => {
      const stream = (await (await fetch(url)).blob()).stream().pipeThrough(new DecompressionStream('gzip'));
      const whole = new Uint8Array(await new Response(stream).arrayBuffer());
      const length = new DataView(whole.buffer).getUint32(0);
      const list = JSON.parse(new TextDecoder().decode(whole.subarray(4, 4 + length))) as {
        name: string;
        bytes: number;
      }[];
      let at = 4 + length;
      const files = list.map((file) => ({ name: file.name, bytes: whole.slice(at, (at += file.bytes)) }));
      const program = new TextDecoder().decode(files[0]?.bytes);
      const warden = new Worker(`/cage.js${search}`);
      const { port1, port2 } = new MessageChannel();
      const next = (): Promise<string> =>
        new Promise((resolve, reject) => {
          port1.onmessage = ({ data }) => resolve(data as string);
          warden.onmessage = ({ data }) => reject(new Error(JSON.stringify(data)));
        });
      const opened = next();
      warden.postMessage({ program, first: { runtime: name, files: files.slice(1), memoryMb: memory } }, [port2]);
      const first = JSON.parse(await opened) as { failure?: { code: string; message: string } };
      if (first.failure) throw new Error(first.failure.message);
      const answers: { value?: unknown; failure?: { code: string; message: string } }[] = [];
      for (const job of given) {
        const answer = next();
        port1.postMessage(JSON.stringify(job));
        answers.push(JSON.parse(await answer) as { value?: unknown });
      }
      warden.terminate();
      return answers;
    },
    { url: packOf(runtime), search: asText ? '?text' : '', given: jobs, memory: memoryMb, name: runtime },
  );
}

/**
 * Each attempt is JavaScript within the cage, before anything is taken away there: what the policy and the missing origin
 * leave to whoever runs it. `reached` where it came through, otherwise the name of what refused it.
 */
export function attemptInCage(
  page: Pick<Page, 'evaluate'>,
  attempts: readonly string[],
  search = '',
): Promise<string[]> {
  const tried = attempts.map((code) => `async () => { return ${code}; }`).join(',\n');
  const program = `addEventListener('message', async ({ data, ports: [port] }) => {
    const BASE = data.base;
    const failing = (target, good) => new Promise((resolve, reject) => { target[good] = resolve; target.onerror = () => reject(new Error('refused')); });
    const ends = [];
    for (const attempt of [${tried}]) {
      const late = new Promise((resolve) => setTimeout(resolve, 2000, 'late'));
      ends.push(await Promise.race([attempt().then(() => 'reached', (error) => error.name), late]));
    }
    port.postMessage(ends);
  });`;
  return page.evaluate(
    ({ code, address }) =>
      new Promise<string[]>((resolve, reject) => {
        const warden = new Worker(address);
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => resolve(data as string[]);
        warden.onmessage = ({ data }) => reject(new Error(JSON.stringify(data)));
        warden.postMessage({ program: code, first: { base: location.origin } }, [port2]);
      }),
    { code: program, address: `/cage.js${search}` },
  );
}
