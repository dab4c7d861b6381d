/** Where the tools of a question compute: children of the cage, each started by its first call. */
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import { ToolboxRun, type RunOptions } from '#core/toolbox/run.ts';

/** Of one question. @param reach sources and programs that it may turn to */
export function openToolbox(reach: Pick<RunOptions, 'net' | 'commands' | 'raised'>): {
  run: ToolboxRun;
  close(): void;
} {
  const cage = openNodeCage();
  return { run: new ToolboxRun({ ...reach, cage, domains: [] }), close: () => cage.close() };
}
