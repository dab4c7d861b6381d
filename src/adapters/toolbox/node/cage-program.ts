/**
 * The child of the cage: `node --permission ... --import lock.ts cage-program.ts RUNTIME`. A line of JSON on the third pipe for each
 * line of standard input: `{ data, program }` in, `{ value }` or `{ failure }` out; first of all `{ versions }`, when the engine stands.
 */
import { createReadStream, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { failed, failure, toFailure } from '#core/errors.ts';
import type { CageJob } from '#core/toolbox/cage.ts';
import { ENGINES } from '../engines/engines.ts';

const ANSWERS = 3;

function say(answer: object): void {
  const bytes = Buffer.from(`${JSON.stringify(answer)}\n`);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(ANSWERS, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}

async function serve(runtime: CageJob['runtime']): Promise<void> {
  try {
    const open = ENGINES[runtime];
    if (open === undefined) throw failed('tool_unavailable', 'it is not here');
    const engine = await open();
    say({ versions: engine.versions });
    for await (const line of createInterface({ input: createReadStream('', { fd: 0 }) })) {
      try {
        const job = JSON.parse(line) as Pick<CageJob, 'program' | 'data'>;
        say({ value: (await engine.call(job)) ?? null });
      } catch (thrown) {
        // With `last` the parent ends it, and the next call has a new one.
        say({ failure: toFailure(thrown), last: engine.broken?.() === true });
      }
    }
    process.exit(0);
  } catch (thrown) {
    say({ failure: failure('tool_unavailable', `The engine ${runtime} did not start: ${toFailure(thrown).message}`) });
    process.exit(1);
  }
}

void serve(process.argv[2] as CageJob['runtime']);
