/**
 * A process that answers questions to a lane's catalog from an index in its memory: it reads the database, never writes,
 * and follows the change feed up to what each answer has to have seen. search/searching.ts starts it.
 *
 *   order -> (load) -> ready -> question -> follow -> found
 *                        ^ away, load again: too much has changed, or the database was put back
 */
import { once } from 'node:events';
import { openReading } from './processes/reading-process.ts';
import type {
  FromSearchProcess,
  LaneSearcher,
  SearchOrder,
  SearchQuestion,
  ToSearchProcess,
} from './search/searching.ts';

// Ctrl-C in a terminal goes to all processes of it; this one ends with its server.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));

const say = (message: FromSearchProcess): void => void process.send?.(message, undefined, {}, () => undefined);

async function open(order: SearchOrder): Promise<LaneSearcher> {
  const { db, server } = await openReading(order);
  const searcher = server?.searcher?.(db);
  if (searcher === undefined) throw new Error(`the lane "${order.lane}" has no index to search by`);
  return searcher;
}

const queue: SearchQuestion[] = [];
let wake = (): void => undefined;
const first = once(process, 'message');
process.on('message', (message: ToSearchProcess) => {
  if ('order' in message) return;
  queue.push(message);
  wake();
});
const [{ order }] = (await first) as [{ order: SearchOrder }];
const searcher = await open(order);
await searcher.load();
say('ready');
for (;;) {
  if (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
  // What came meanwhile is answered by one look at the feed.
  await answer(queue.splice(0));
}

async function answer(questions: readonly SearchQuestion[]): Promise<void> {
  const { seq, mark } = searcher.place;
  const isBehind = questions.some(({ place }) => place.seq !== seq || place.mark !== mark);
  if (isBehind && !(await searcher.follow())) {
    // Whoever waits is answered by the database.
    say('away');
    queue.length = 0;
    await searcher.load();
    say('ready');
    return;
  }
  for (const { id, question, limit, place } of questions)
    say({ id, found: searcher.place.seq < place.seq ? null : searcher.search(question, limit) });
}
