/// <reference lib="dom" />
import { transcodeOrders } from './transcode.ts';
import { unzipOrders } from './unzip.ts';

/** What the bench can have done in its page, by name. */
export const orders = { ...transcodeOrders, ...unzipOrders };

declare global {
  interface Window {
    bench: typeof orders;
  }
}
