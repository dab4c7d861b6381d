/** What a run's tools compute and ask with, at the terminal. */
import { publicNet } from '#adapters/toolbox/node/public-net.ts';
import type { Net } from '#core/toolbox/connectors/net.ts';

export { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';

/** How a worker asks sources for somebody else: hosts that its own configuration lets through, and with no secret of its own. */
export const workerNet = (allow: readonly string[]): Net =>
  publicNet({ clock: { now: () => Date.now() }, allow, secret: () => Promise.resolve(null) });
