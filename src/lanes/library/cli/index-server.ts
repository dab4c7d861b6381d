import type { KeptLibrary } from '#cli/lane-cli.ts';
import { nameFolders } from '#lanes/library/server/folders.ts';
import { openIndexer } from './open-indexer.ts';

/** What one file may still take when it is stopped, milliseconds. */
const ORPHAN_MS = 5_000;

/** `library`: brings the server's folders up to date, once or until it is stopped. */
export async function indexServerFolders(
  { store, library, embedder }: KeptLibrary,
  {
    once,
    stop,
    say,
    holder,
  }: { once: boolean; stop: AbortSignal; say(line: string): void; holder?: string | undefined },
): Promise<void> {
  // Without a server that has said it at its start.
  if (once) await nameFolders(store, { now: () => Date.now() }, library.folders);
  const indexer = await openIndexer({ store, library, embedder, stop, say, holder });
  stop.addEventListener('abort', () => setTimeout(() => process.exit(1), ORPHAN_MS).unref());
  try {
    await (once ? indexer.once() : indexer.forever());
  } finally {
    indexer.close();
  }
}
