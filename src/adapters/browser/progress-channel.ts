/**
 * What is worth no row: how far the files in hand are, told to the pages of all tabs. A row for each word would cost a
 * write to the disk, and each page a read of everything that it shows.
 */
import * as v from 'valibot';
import { Gathered } from './gathered.ts';
import { systemTimers } from './system.ts';
import { ToldSchema, type Told } from './told.ts';

const NAME = 'accession-progress';

/** For workers: answers the function that tells. */
export function tellProgress(): (told: Told) => void {
  const channel = new BroadcastChannel(NAME);
  return (told) => channel.postMessage(told);
}

/** For the stage worker: bytes of a batch. */
export function tellReading(): (batchId: string, done: number, total: number) => void {
  const tell = tellProgress();
  return (batch_id, done, total) => tell({ type: 'reading', batch_id, done, total });
}

/** For pages: hears the last word on everything once a second. Answers the function that stops hearing. */
export function hearProgress(hear: (told: Told) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  const gathered = new Gathered(hear, systemTimers);
  channel.onmessage = (event: MessageEvent<unknown>) => {
    const told = v.safeParse(ToldSchema, event.data);
    if (told.success) gathered.take(told.output);
  };
  return () => {
    channel.close();
    gathered.stop();
  };
}
