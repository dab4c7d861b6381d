/** How the tools of a command reach sources: connectors of files, the network or what was recorded of it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keptFolder, recordingFile } from '#adapters/toolbox/node/kept-answers.ts';
import { publicNet } from '#adapters/toolbox/node/public-net.ts';
import { recordingNet, rememberingNet, replayingNet } from '#adapters/toolbox/recordings.ts';
import { isPattern } from '#core/domains.ts';
import { failed } from '#core/errors.ts';
import { ALL_TOOLS } from '#core/toolbox/all-tools.ts';
import { declaredTool, readDeclared } from '#core/toolbox/connectors/declared.ts';
import type { RunOptions } from '#core/toolbox/run.ts';
import type { ToolboxTool } from '#core/toolbox/tool.ts';

/** As the commands take them. */
export interface SourceFlags {
  connector?: string[];
  domains?: string[];
  record?: string;
  replay?: string;
}

/** Every tool, and those that files declare. Throws AccessionError `not_found`, `invalid`. */
export async function toolsWith({ connector = [] }: SourceFlags): Promise<readonly ToolboxTool[]> {
  const tools = [...ALL_TOOLS];
  for (const path of connector) {
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

/** Throws AccessionError `invalid`, `not_found`. @param data the data directory, where answers are remembered */
export async function openSources(flags: SourceFlags, data: string): Promise<Pick<RunOptions, 'net' | 'domains'>> {
  const { domains, record, replay } = flags;
  const wrong = domains?.find((one) => !isPattern(one));
  if (wrong !== undefined)
    throw failed('invalid', `--domains: "${wrong}" is no domain.`, { remedy: 'Write it like "*.wikipedia.org".' });
  if (record !== undefined && replay !== undefined)
    throw failed('invalid', '--record and --replay are one or the other.');
  const limits = domains === undefined ? {} : { domains };
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
