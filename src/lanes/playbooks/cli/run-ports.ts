/** What a run needs, on this machine. */
import { createHash } from 'node:crypto';
import type { OfferedTool } from '#core/agent/tools/offered-tool.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { toolboxTools, type StepReach } from '#lanes/playbooks/core/tools/toolbox-tools.ts';
import type { PlaybookFiles, PlaybookModels, RunNews, RunPorts } from '#lanes/playbooks/core/run/ports.ts';

export const sha256 = (text: string): Promise<string> =>
  Promise.resolve(createHash('sha256').update(text).digest('hex'));

export function runPorts(
  files: PlaybookFiles,
  models: PlaybookModels,
  more: {
    signal?: AbortSignal;
    said?: (news: RunNews) => void;
    reach?: StepReach;
    tools?: readonly OfferedTool[];
  } = {},
): RunPorts {
  const { reach = null, tools: given = [], ...rest } = more;
  const tools = [...(reach === null ? [] : toolboxTools(reach)), ...given];
  return { files, models, tools, ...machinePorts(), ...rest };
}

export const machinePorts = (): Pick<RunPorts, 'sha256' | 'wait' | 'clock'> => ({
  ...{ sha256, wait, clock: { now: () => Date.now() } },
});

/** Most waits are a deadline that is never reached: ending one early makes no error object. */
function wait(milliseconds: number, signal: CancelSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<null>();
  const onEnd = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onEnd);
    resolve(null);
  };
  const timer = setTimeout(onEnd, milliseconds);
  signal?.addEventListener('abort', onEnd);
  return promise.then(() => undefined);
}
