/** What the tools of a run reach at the terminal: the cage, and the sources that the command line lets through. */
import { openSources, toolsWith, type SourceFlags } from '#cli/open-sources.ts';
import type { ConnectorTool } from '#core/toolbox/connectors/connector-tool.ts';
import type { StepReach } from '#lanes/playbooks/core/tools/toolbox-tools.ts';
import { openNodeCage } from '#lanes/playbooks/node/tools.ts';

export interface ReachFlags extends Pick<SourceFlags, 'connector'> {
  /** Patterns with commas between. */
  domains?: string;
  /** Hashes of free code. */
  agree?: string[];
  recordSources?: string;
  replaySources?: string;
  /** The folder whose library `rag_retrieve` asks. */
  library?: string;
}

export const agreedIn = ({ domains = '' }: ReachFlags): string[] =>
  domains.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));

/** Throws AccessionError `invalid`, `not_found`. */
export async function openReach(flags: ReachFlags, data: string): Promise<StepReach> {
  const { connector, recordSources: record, replaySources: replay } = flags;
  const agreed = agreedIn(flags);
  const said = {
    ...{ domains: agreed },
    ...(connector === undefined ? {} : { connector }),
    ...(record === undefined ? {} : { record }),
    ...(replay === undefined ? {} : { replay }),
  };
  const tools = await toolsWith(said, data);
  const { net, raised = {} } = await openSources(said, data, 'said');
  return {
    ...{
      cage: openNodeCage(),
      raised,
      agreed,
      agreedCode: new Set(flags.agree),
      connectors: tools.filter((tool): tool is ConnectorTool => 'connector' in tool),
    },
    ...(net === undefined ? {} : { net }),
  };
}
