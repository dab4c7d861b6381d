/** The playbook and the config that a command names: by path, by `-`, or a config that names its playbook (PB-1). */
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { failed, isCode } from '#core/errors.ts';
import { isMapping, type Mapping, type Value } from '#lanes/playbooks/core/value.ts';
import { MOST_CONFIG, readConfig } from '#lanes/playbooks/core/read/playbook.ts';
import { nested } from '#lanes/playbooks/core/tokens/config-values.ts';
import { readYaml } from '#lanes/playbooks/core/read/yaml.ts';

/** Wrong usage, with the sentence that says so: exit code 2. */
export class WrongUsage extends Error {}

export interface Texts {
  playbook: string;
  config: Mapping;
  /** Absolute; null: it came by standard input. */
  playbookPath: string | null;
  configPath: string | null;
}

/** Throws WrongUsage, PlaybookFault of the config, AccessionError `not_found`. */
export async function readSource(file: string, config: string | undefined): Promise<Texts> {
  if (file === '-' && config === '-') throw new WrongUsage('Only one of the playbook and --config can be "-".');
  const first = await textOf(file);
  const named = config === undefined ? playbookOf(first) : null;
  if (named !== null) {
    const path = resolve(file === '-' ? '.' : dirname(resolve(file)), named);
    return {
      playbook: await textOf(path),
      config: readConfig(first),
      playbookPath: path,
      configPath: file === '-' ? null : resolve(file),
    };
  }
  return {
    playbook: first,
    config: config === undefined ? {} : readConfig(await textOf(config)),
    playbookPath: file === '-' ? null : resolve(file),
    configPath: config === undefined || config === '-' ? null : resolve(config),
  };
}

/** The playbook that a config names; null where the text is none. */
function playbookOf(text: string): string | null {
  const read = readYaml(text, MOST_CONFIG);
  if (!read.ok || !isMapping(read.value)) return null;
  const { playbook } = read.value;
  return typeof playbook === 'string' ? playbook : null;
}

async function textOf(path: string): Promise<string> {
  if (path === '-') return standardInput();
  try {
    const handle = await open(path);
    try {
      const { size } = await handle.stat();
      if (size > MOST_CONFIG) throw failed('too_large', `"${path}" is longer than 1 MiB.`);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isCode(error, 'ENOENT', 'EISDIR', 'ENOTDIR'))
      throw failed('not_found', `There is no file "${path}".`, { remedy: 'Check the path.' });
    throw error;
  }
}

async function standardInput(): Promise<string> {
  if (process.stdin.isTTY)
    throw new WrongUsage('"-" reads standard input, and that is a terminal: pipe a file into it.');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_CONFIG) throw new WrongUsage('Standard input is longer than 1 MiB.');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text.trim() === '') throw new WrongUsage('Standard input is empty.');
  return text;
}

/** `--set title=x --set a.b=3`: values are read as YAML. Throws WrongUsage. */
export function settings(said: readonly string[], flag = '--set'): Mapping {
  const set: Mapping = {};
  for (const one of said) {
    const at = one.indexOf('=');
    if (at <= 0) throw new WrongUsage(`${flag} takes KEY=VALUE, not "${one}".`);
    const read = readYaml(one.slice(at + 1), 64 * 1024);
    if (!read.ok) throw new WrongUsage(`${flag} ${one.slice(0, at)}: ${read.fault.message}`);
    Object.defineProperty(set, one.slice(0, at), {
      value: read.value satisfies Value,
      enumerable: true,
      configurable: true,
    });
  }
  return set;
}

/** `--step agent.iterations=2`, for all steps that ask a model. */
export function stepSettings(said: readonly string[]): Mapping {
  const wrong = said.find(
    (one) =>
      !/^(?:verbosity|max_requery_iterations|agent\.(?:enabled|iterations|tools|domains|expand|retriever\.(?:profile|k|rerank)))=/.test(
        one,
      ),
  );
  if (wrong === undefined) return nested(settings(said, '--step'));
  throw new WrongUsage(
    `--step takes verbosity, max_requery_iterations, or a key of agent (agent.iterations=2), not "${wrong}".`,
  );
}
