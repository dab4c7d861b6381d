/**
 * The inner half of the cage in a browser: one engine. It starts only where nothing can be reached, which it tries out first.
 * Over its port: `{ versions }` when the engine stands, then for each `{ program, data }` a `{ value }` or `{ failure }`.
 */
import { failed, failure, messageOf, toFailure } from '#core/errors.ts';
import type { CageJob } from '#core/toolbox/cage.ts';
import type { Engine } from '#core/toolbox/engine.ts';
import { serveFiles, type GivenFile } from './files.ts';
import { boundMemory, takeAway } from './take-away.ts';

/** What the page hands in with the port. */
export interface First {
  runtime: string;
  files: readonly GivenFile[];
  memoryMb: number;
}

/** @param open the engine, from files that are there by their addresses */
export function serve(open: (first: First) => Promise<Engine>): void {
  addEventListener(
    'message',
    ({ data, ports }: MessageEvent<First>) => {
      const [port] = ports;
      if (port === undefined) return;
      const say = (answer: object): void => port.postMessage(JSON.stringify(answer));
      void start(open, data).then(
        (engine) => {
          port.onmessage = (event: MessageEvent<string>) => void answer(engine, event.data).then(say);
          say({ versions: engine.versions });
        },
        (thrown: unknown) => {
          const said = `The engine ${data.runtime} did not start: ${messageOf(thrown)}`;
          say({ failure: failure('tool_unavailable', said) });
        },
      );
    },
    { once: true },
  );
}

async function start(open: (first: First) => Promise<Engine>, first: First): Promise<Engine> {
  const open_ = await reached();
  if (open_ !== null)
    throw failed('tool_unavailable', `${open_} This site does not send the policy that the tools need.`);
  boundMemory(first.memoryMb);
  serveFiles(first.files);
  const engine = await open(first);
  takeAway();
  return engine;
}

/** What should have been refused and was not; null: nothing. */
async function reached(): Promise<string | null> {
  if (self.origin !== 'null') return 'The cage belongs to an origin.';
  const got = await fetch('data:text/plain,x').then(
    () => true,
    () => false,
  );
  return got ? 'The cage could fetch.' : null;
}

async function answer(engine: Engine, line: string): Promise<object> {
  try {
    const job = JSON.parse(line) as Pick<CageJob, 'program' | 'data'>;
    return { value: (await engine.call(job)) ?? null };
  } catch (thrown) {
    return { failure: toFailure(thrown), last: engine.broken?.() === true };
  }
}
