import { expect, test } from 'vitest';
import { hearProgress, tellProgress } from '#adapters/browser/progress/progress-channel.ts';
import type { Told } from '#adapters/browser/progress/told.ts';

test('UI-57 what a worker tells of the file in hand is heard by a page, and what is none of it is not', async () => {
  const stranger = new BroadcastChannel('accession-progress');
  const told: Told = { type: 'converting', shares: new Map([['a', 0.5]]) };
  let stop = (): void => undefined;
  try {
    const heard = await new Promise<Told>((resolve) => {
      stop = hearProgress(resolve);
      stranger.postMessage({ type: 'converting', shares: 'all' });
      tellProgress()(told);
    });
    expect(heard).toEqual(told);
  } finally {
    stop();
    stranger.close();
  }
});
