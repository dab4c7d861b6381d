/// <reference lib="dom" />
import { probeOrders } from './probe.ts';
import { transcodeOrders } from './transcode.ts';
import { unzipOrders } from './unzip.ts';

/** What the bench can have done in its page, by name. */
export const orders = { ...probeOrders, ...transcodeOrders, ...unzipOrders };

declare global {
  interface Window {
    bench: typeof orders;
  }
}
