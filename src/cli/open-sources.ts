/** How the tools of a command reach sources: connectors of files, the network or what was recorded of it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keptFolder, recordingFile } from '#adapters/toolbox/node/kept-answers.ts';
import { publicNet } from '#adapters/toolbox/node/public-net.ts';
import { machineCommands } from '#adapters/toolbox/node/machine-commands.ts';
import { recordingNet, rememberingNet, replayingNet } from '#adapters/toolbox/recordings.ts';
import { isPattern } from '#core/domains.ts';
import { failed } from '#core/errors.ts';
import { ALL_TOOLS } from '#core/toolbox/all-tools.ts';
import { declaredTool, readDeclared } from '#core/toolbox/connectors/declared.ts';
import { PRESETS } from '#core/toolbox/commands/commands.ts';
import type { RunOptions } from '#core/toolbox/run.ts';
import type { ToolboxTool } from '#core/toolbox/tool.ts';
import { readConfigFile } from '#server/config-file.ts';

/** As the commands take them. */
export interface SourceFlags {
  connector?: string[];
  domains?: string[];
  record?: string;
  replay?: string;
  /** A preset's name, one that accession.toml lists, or `name=program argument ...`. */
  command?: string[];
}

/** Every tool, and those that files declare. Throws AccessionError `not_found`, `invalid`. */
export async function toolsWith({ connector = [] }: SourceFlags, data: string): Promise<readonly ToolboxTool[]> {
  const tools = [...ALL_TOOLS];
  const { toolbox } = await readConfigFile(process.env, data);
  for (const path of [...toolbox.connectors, ...connector]) {
    const text = await readFile(path, 'utf8').catch((cause: unknown) => {
      throw failed('not_found', `There is no file "${path}".`, { cause });
    });
    const tool = declaredTool(readDeclared(text, path));
    if (tools.some(({ name }) => name === tool.name))
      throw failed('invalid', `${path}: there is a tool "${tool.name}" already.`, { remedy: 'Give it another name.' });
    tools.push(tool);
  }
  return tools;
}

/** What a run of tools reaches beyond the cage. */
export type Reach = Pick<RunOptions, 'net' | 'domains' | 'commands' | 'raised'>;

/**
 * Throws AccessionError `invalid`, `not_found`.
 * @param data the data directory, where answers are remembered
 * @param of `said`: only programs that the command line names, as whoever calls tools is no person
 */
export async function openSources(flags: SourceFlags, data: string, of: 'all' | 'said' = 'all'): Promise<Reach> {
  const { domains, record, replay } = flags;
  const wrong = domains?.find((one) => !isPattern(one));
  if (wrong !== undefined)
    throw failed('invalid', `--domains: "${wrong}" is no domain.`, { remedy: 'Write it like "*.wikipedia.org".' });
  if (record !== undefined && replay !== undefined)
    throw failed('invalid', '--record and --replay are one or the other.');
  const { toolbox } = await readConfigFile(process.env, data);
  const said = listedBy(flags.command ?? [], { ...PRESETS, ...toolbox.commands });
  const commands = machineCommands({ ...(of === 'all' ? toolbox.commands : {}), ...said });
  const limits = { commands, raised: toolbox.raised, ...(domains === undefined ? {} : { domains }) };
  if (replay !== undefined) return { ...limits, net: replayingNet(await recordingFile(replay, false)) };
  const net = rememberingNet(
    publicNet({
      ...{ clock: { now: () => Date.now() }, allow: null },
      secret: (name) => Promise.resolve(process.env[`ACCESSION_SECRET_${name}`] || null),
    }),
    keptFolder(join(data, 'sources')),
  );
  return {
    ...limits,
    net: record === undefined ? net : recordingNet(net, await recordingFile(record, true)),
  };
}

/** `gnuplot`, or `plot=gnuplot script.gp`; a list of JSON where an argument has a blank in it. */
function listedBy(
  said: readonly string[],
  known: Readonly<Record<string, readonly string[]>>,
): Record<string, readonly string[]> {
  return Object.fromEntries(
    said.map((one) => {
      const at = one.indexOf('=');
      const name = at < 0 ? one : one.slice(0, at);
      const words = at < 0 ? known[name] : wordsOf(one.slice(at + 1).trim());
      if (words !== undefined && words.length > 0 && /^[a-z][a-z\d_-]{0,40}$/.test(name)) return [name, words];
      throw failed('invalid', `--command: "${one}" is neither a preset nor NAME=PROGRAM ARGUMENT ...`, {
        remedy: `Presets: ${Object.keys(PRESETS).join(', ')}.`,
      });
    }),
  );
}

function wordsOf(text: string): readonly string[] | undefined {
  if (!text.startsWith('[')) return text.split(/\s+/).filter((word) => word !== '');
  try {
    const words: unknown = JSON.parse(text);
    if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  } catch {
    // Said by who asks.
  }
  return undefined;
}
