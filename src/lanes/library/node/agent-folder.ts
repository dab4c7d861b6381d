/** A folder of agents on the disk: read again when something in it is another than before. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_AGENT_FILE } from '#core/ingest/agent-file.ts';
import type { AgentSource } from '#lanes/library/core/model/agent-files.ts';

/** Milliseconds between two looks: what is dropped is in force within a second. */
const LOOK_MS = 500;
/** Bytes that are read of a file: enough to see that it is too long. */
const MOST_BYTES = MAX_AGENT_FILE * 4;

/** The Markdown files of a folder; none where there is no such folder. Folders in it are not looked at. */
export async function readAgentFolder(folder: string): Promise<AgentSource[]> {
  const files = await Promise.all(
    (await markdownIn(folder)).map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8').catch(() => null);
      return text === null ? [] : [{ file, text: text.slice(0, MOST_BYTES) }];
    }),
  );
  return files.flat();
}

export interface AgentWatch {
  /** Looks at once; true where something has changed since the last look. */
  look(): Promise<boolean>;
  stop(): void;
}

/** Calls back with the folder's files whenever one came, changed or went; the first time at the first look. */
export function watchAgentFolder(folder: string, onFiles: (files: AgentSource[]) => Promise<void> | void): AgentWatch {
  let before: string | null = null;
  let looking: Promise<boolean> | null = null;
  const lookNow = async (): Promise<boolean> => {
    const now = await stateOf(folder);
    if (now === before) return false;
    before = now;
    await onFiles(await readAgentFolder(folder));
    return true;
  };
  const look = (): Promise<boolean> => (looking ??= lookNow().finally(() => (looking = null)));
  const timer = setInterval(() => void look().catch(() => false), LOOK_MS);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}

async function markdownIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return names.flatMap((one) => (one.isFile() && /\.(md|markdown)$/i.test(one.name) ? [one.name] : [])).sort();
}

/** Names, sizes and times: enough to see that something is another. */
async function stateOf(folder: string): Promise<string> {
  const states = (await markdownIn(folder)).map(async (name) => {
    const facts = await stat(join(folder, name), { bigint: true }).catch(() => null);
    return `${name}/${facts?.size ?? ''}/${facts?.mtimeNs ?? ''}/${facts?.ino ?? ''}`;
  });
  return (await Promise.all(states)).join('\n');
}
