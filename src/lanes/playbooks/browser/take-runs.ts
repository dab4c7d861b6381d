/** Runs of playbooks that wait on the server, done by a browser that works for others; without tools, whose engines it has not. */
import type { BrowserLane, Workstation } from '#adapters/browser/lane-browser.ts';
import { sha256, wait } from '#adapters/llm/executor-ports.ts';
import { ok } from '#core/result.ts';
import { createRunClient } from '../http/run-client.ts';
import { workOnNextRun } from '../http/work-on-runs.ts';
import { settingsModels } from './settings-models.ts';

export function openRunTaker({
  server,
  clock,
  timers,
  settings,
}: Pick<Workstation, 'server' | 'clock' | 'timers' | 'settings'>): Required<Pick<BrowserLane, 'take'>> {
  const client = createRunClient(server);
  return {
    async take({ name, agent }, stop) {
      const models = await settingsModels(await settings(), async (named) =>
        named === null ? agent.model({ demo: false }) : ((await agent.modelNamed?.(named)) ?? null),
      );
      // Whoever has one takes them.
      if (!models.any) return ok(false);
      const ports = {
        ...{ models, clock, sha256 },
        wait: (ms: number, signal: Parameters<typeof wait>[2]) => wait(timers, ms, signal),
      };
      const using = { client, clock, ports, tools: null, wait: ports.wait, say: () => undefined };
      return workOnNextRun(using, name, stop);
    },
  };
}
