import type { ServerFolder } from '#lanes/library/core/server-library.ts';
import { ask } from '#ui/client/workers.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { serverLibrary } from '../server-library.ts';

/** Between two looks while a folder is being read, milliseconds. */
const AGAIN_MS = 2_000;

/** The folders of the server that this person may read. */
class ServerFolders {
  folders: readonly ServerFolder[] = $state.raw([]);
  /** A server that cannot be asked has none; the rest of the page goes on. */
  async look(): Promise<void> {
    const answer = await (await serverLibrary())?.folders();
    this.folders = answer?.ok === true ? answer.value.items : [];
  }

  /** Looks now, and again while something is being read. Answers how to end that. */
  watch(): () => void {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let ended = false;
    const next = async (): Promise<void> => {
      await this.look();
      const busy = this.folders.some(({ state }) => state === 'reading' || state === 'waiting');
      if (busy && !ended) timer = setTimeout(() => void next(), AGAIN_MS);
    };
    void next();
    return () => {
      ended = true;
      if (timer !== null) clearTimeout(timer);
    };
  }

  async scan(id: string): Promise<void> {
    const client = await serverLibrary();
    if (client === null || (await ask(client.scan(id))) === null) return;
    toasts.say('The server looks through the folder.');
    await this.look();
  }
}

export const onServer = new ServerFolders();
