/** A library in memory, read by the agents that need nothing of the platform, and what is asked of it. */
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import { openLibrary } from '#lanes/library/core/indexing/manifest.ts';
import { yieldsChunks } from '#core/ingest/agent.ts';
import { Ledger } from '#lanes/library/core/ask/evidence/ledger.ts';
import { docOfFile } from '#lanes/library/core/ask/evidence/retrieve.ts';
import type { Evidence } from '#lanes/library/core/ask/evidence/evidence.types.ts';
import type { LibraryIndex } from '#lanes/library/core/search/library-index.ts';
import { filesOf, indexingPorts, MemoryLibrary } from '../library-world.ts';

export async function libraryOf(texts: Record<string, string>): Promise<LibraryIndex> {
  const store = new MemoryLibrary();
  await indexFolder(indexingPorts(filesOf(texts), store, libraryAgents().filter(yieldsChunks)));
  return (await openLibrary(store)).index;
}

/** Every file whole, by its path. */
export async function evidenceOf(texts: Record<string, string>): Promise<Record<string, Evidence>> {
  const found: Record<string, Evidence> = {};
  for (const { of, kept } of (await libraryOf(texts)).files()) {
    const ledger = new Ledger();
    ledger.add([docOfFile(of, kept)], { query: '', tool: 'test' });
    const [one] = ledger.evidence;
    if (one !== undefined) found[kept.path] = one;
  }
  return found;
}
