/** Tools and engines in words. */
import type { Runtime } from '#core/toolbox/cage.ts';
import type { Connector } from '#core/toolbox/connectors/net.ts';
import { bytes } from '#ui/parts/words.ts';
import type { EngineState } from '../client.ts';

export const ENGINE_NAMES: Readonly<Record<Runtime, string>> = {
  ...{ r: 'R', sql: 'DuckDB', python: 'Python', cas: 'Algebra', spice: 'ngspice', mine: 'Mining', draw: 'Figures' },
  none: 'None',
};

/** Whether it can run here, and what that takes. */
export function stateWords(state: EngineState | undefined): string {
  if (state === undefined) return 'Not in this browser';
  if (state.kept) return 'Ready';
  return state.begun > 0
    ? `Fetched in part: ${bytes(state.begun)} of ${bytes(state.bytes)}`
    : `Fetches ${bytes(state.bytes)} once`;
}

/** Whom it asks, and who does. */
export function sourceWords({ hosts, direct, secret }: Connector): string {
  const whom = hosts === null ? 'the host that you name' : (hosts[0] ?? '').replace('*.', '');
  return direct && secret === undefined ? `Asks ${whom}` : `Asks ${whom} through your server`;
}
