/** Where the tools of a question compute: children of the cage, each started by its first call. */
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';

/** Of one question. */
export function openToolbox(): { run: ToolboxRun; close(): void } {
  const cage = openNodeCage();
  return { run: new ToolboxRun({ cage }), close: () => cage.close() };
}
