import { expect, test } from 'vitest';
import { hearProgress, progressSender, type Progress } from '#adapters/browser/progress.ts';

test('UI-57 what a worker sends of the file in hand is heard by a page, and what is none of it is not', async () => {
  const stranger = new BroadcastChannel('accession-progress');
  const sent: Progress = { type: 'converting', shares: new Map([['a', 0.5]]) };
  let stop = (): void => undefined;
  try {
    const heard = await new Promise<Progress>((resolve) => {
      stop = hearProgress(resolve);
      stranger.postMessage({ type: 'converting', shares: 'all' });
      progressSender().shares(sent.shares);
    });
    expect(heard).toEqual(sent);
  } finally {
    stop();
    stranger.close();
  }
});
