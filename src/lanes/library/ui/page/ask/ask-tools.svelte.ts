import { ask } from '#ui/client/workers.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { plural } from '#ui/parts/words.ts';
import { library, type RefusedTool, type ToolsState } from '../../client.ts';

/** A longer file is refused by its length, and need not be read whole. Bytes. */
const MOST_BYTES = 400_000;

/** Tools of the person's own, as YAML files. */
class AskTools {
  state = $state.raw<ToolsState | null>(null);
  /** Of what was given last: files that are no tools. */
  refused = $state.raw<readonly RefusedTool[]>([]);

  async load(): Promise<void> {
    this.state = (await ask(library().tools())) ?? this.state;
  }

  async add(files: readonly File[]): Promise<void> {
    const given = await Promise.all(
      files.map(async (file) => ({ file: file.name, text: await file.slice(0, MOST_BYTES).text() })),
    );
    const refused = await ask(library().addTools(given));
    if (refused === null) return;
    this.refused = refused;
    await this.load();
    const added = given.length - refused.length;
    if (added > 0) toasts.say(`${plural(added, 'tool')} added. Choose in "Where and how" which a question may use.`);
  }

  async remove(file: string): Promise<void> {
    await ask(library().removeTool(file));
    await this.load();
  }
}

export const askTools = new AskTools();
