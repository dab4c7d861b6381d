/** Flags of `accession ask QUESTION`, as the specification names them. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { AskBlock } from '#lanes/library/core/ask/run/options.ts';
import { PLANNERS, PROFILES, WRITERS } from '#lanes/library/core/ask/run/options.ts';

export interface AskFlags {
  agent?: boolean | 'on' | 'off';
  iterations?: number;
  expand?: number;
  tools?: string;
  domains?: string;
  'budget.tokens'?: number;
  'budget.cost'?: number;
  confidence?: number;
  seed?: number;
  k?: number;
  profile?: (typeof PROFILES)[number];
  writer?: (typeof WRITERS)[number];
  planner?: (typeof PLANNERS)[number];
}

function numberOf(text: string): number {
  if (!/^-?\d+(?:\.\d+)?$/.test(text.trim())) throw new InvalidArgumentError('say a number.');
  return Number(text);
}

export const withAskFlags = (command: Command): Command =>
  command
    .addOption(new Option('--agent [on|off]', 'look in rounds until it suffices; off: one retrieval, one answer'))
    .option('--iterations <count>', 'rounds, at most (3)', numberOf)
    .option('--expand <count>', 'further wordings a round (0)', numberOf)
    .option('--tools <names>', 'tools that may be called, with commas between (rag_retrieve)')
    .option('--domains <patterns>', 'domains that tools may reach, with commas between (none)')
    .option('--budget.tokens <count>', 'tokens of the model, at most', numberOf)
    .option('--budget.cost <dollars>', 'US dollars of the model, at most; needs --price', numberOf)
    .option('--confidence <share>', 'the run ends once it is this sure, 0 to 1', numberOf)
    .option('--seed <number>', "of the model's sampling, where it can", numberOf)
    .option('--k <count>', 'passages a search (15)', numberOf)
    .addOption(new Option('--profile <name>', 'how passages are ranked (hybrid)').choices(PROFILES))
    .addOption(new Option('--writer <name>', 'who writes the answer (auto)').choices(WRITERS))
    .addOption(new Option('--planner <name>', 'who plans the look-ups (auto)').choices(PLANNERS));

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** What was said on the command line, as a block. */
export function blockOf(flags: AskFlags): AskBlock {
  const { agent, tools, domains, k, profile } = flags;
  const tokens = flags['budget.tokens'];
  const cost = flags['budget.cost'];
  if (typeof agent === 'string' && !['on', 'off'].includes(agent))
    throw new InvalidArgumentError('--agent is on or off.');
  const given = <T>(name: string, value: T | undefined) => (value === undefined ? {} : { [name]: value });
  return {
    ...given('enabled', agent === undefined ? undefined : agent !== 'off'),
    ...given('iterations', flags.iterations),
    ...given('expand', flags.expand),
    ...given('confidence', flags.confidence),
    ...given('seed', flags.seed),
    ...given('writer', flags.writer),
    ...given('planner', flags.planner),
    ...given('tools', tools === undefined ? undefined : listOf(tools)),
    ...given('domains', domains === undefined ? undefined : listOf(domains)),
    budgets: { ...given('tokens', tokens), ...given('cost', cost) },
    retriever: { ...given('k', k), ...given('profile', profile) },
  };
}
