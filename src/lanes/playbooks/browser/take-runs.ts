/** Runs of playbooks that wait on the server, done by a browser that works for others; without tools, whose engines it has not. */
import type { BrowserLane, Workstation } from '#adapters/browser/lane-browser.ts';
import { sha256, wait } from '#adapters/llm/executor-ports.ts';
import { AccessionError } from '#core/errors.ts';
import { ok } from '#core/result.ts';
import { createRunClient } from '../http/run-client.ts';
import { workOnNextRun } from '../http/work-on-runs.ts';
import type { PlaybookModels } from '../core/run/ports.ts';

export function openRunTaker({ server, clock, timers }: Pick<Workstation, 'server' | 'clock' | 'timers'>): BrowserLane {
  const client = createRunClient(server);
  return {
    async take({ name, agent }, stop) {
      const model = await agent.model({ demo: false });
      // Whoever has one takes them.
      if (model === null) return ok(false);
      const models: PlaybookModels = {
        price: model.options.price ?? { in: 0, out: 0 },
        nameOf: () => `${model.provider}/${model.model}`,
        async open() {
          const opened = await model.open();
          if (!opened.ok) throw new AccessionError(opened.failure);
          return opened.value;
        },
      };
      const ports = {
        ...{ models, tools: [], clock, sha256 },
        wait: (ms: number, signal: Parameters<typeof wait>[2]) => wait(timers, ms, signal),
      };
      const using = { client, clock, ports, wait: ports.wait, say: () => undefined };
      return workOnNextRun(using, name, stop);
    },
  };
}
