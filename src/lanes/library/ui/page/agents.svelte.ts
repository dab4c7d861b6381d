import { looksLikeAgent, MAX_AGENT_FILE } from '#core/ingest/agent-file.ts';
import { ask } from '#ui/client/workers.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { plural } from '#ui/parts/words.ts';
import { library, type AgentsState, type RefusedFile } from '../client.ts';
import { shelf } from './library.svelte.ts';

/** Who reads what: the program's agents, and those that the person gave as Markdown files. */
class Agents {
  state = $state.raw<AgentsState | null>(null);
  /** Of what was given last: files that are no agents, each with its line. */
  refused = $state.raw<readonly RefusedFile[]>([]);
  open = $state(false);

  async load(): Promise<void> {
    this.state = (await ask(library().agents())) ?? this.state;
  }

  /** Keeps the files that are agents, and has what they read read again. */
  async add(files: readonly File[]): Promise<void> {
    const given = await Promise.all(
      // A longer one is refused by its length, and need not be read whole.
      files.map(async (file) => ({ file: file.name, text: await file.slice(0, MAX_AGENT_FILE * 4).text() })),
    );
    const refused = await ask(library().addAgents(given));
    if (refused === null) return;
    this.refused = refused;
    this.open = true;
    await this.load();
    const added = given.length - refused.length;
    if (added > 0) {
      toasts.say(`${plural(added, 'agent')} added. What ${added === 1 ? 'it reads' : 'they read'} is read again.`);
      await shelf.updateAll();
    }
  }

  async remove(file: string): Promise<void> {
    await ask(library().removeAgent(file));
    await this.load();
    await shelf.updateAll();
  }
}

export const agents = new Agents();

/** Files that are meant as agents, be they good ones; null where a file among them is something else. */
export async function agentFiles(files: readonly File[]): Promise<readonly File[] | null> {
  if (files.length === 0) return null;
  for (const file of files) {
    if (!/\.(md|markdown)$/i.test(file.name)) return null;
    if (!looksLikeAgent(await file.slice(0, MAX_AGENT_FILE).text())) return null;
  }
  return files;
}
