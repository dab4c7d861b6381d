/// <reference lib="dom" />
import { transcodeOrders } from './transcode.ts';

/** What the bench can have done in its page, by name. */
export const orders = { ...transcodeOrders };

declare global {
  interface Window {
    bench: typeof orders;
  }
}
