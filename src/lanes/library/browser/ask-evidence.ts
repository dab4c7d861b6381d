/** What a question found, given to the page in pieces: thousands of rows at once would hold the page up. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { evidenceRows, type EvidenceRow } from '#lanes/library/core/ask/evidence/rows.ts';
import { stateOf } from '#lanes/library/core/ask/run/fold.ts';
import { readLines, runOf } from '#lanes/library/core/ask/run/transcript.ts';
import type { LibraryIndex } from '#lanes/library/core/search/library-index.ts';
import type { AskEvidence } from './library-api.types.ts';
import type { LibraryAskRow } from './schema.ts';

export interface AskedFolders {
  index: LibraryIndex;
  /** Of each part of the index. */
  folders: readonly { id: string; name: string }[];
}

/** Rows of a piece. */
export const EVIDENCE_PIECE = 250;

interface Found {
  id: string;
  rows: readonly EvidenceRow[];
  places: LibraryAskRow['places'];
}

/** `linesOf`: the transcript of a question. `open`: all folders as they are now. */
export function evidencePieces(
  db: AccessionDb,
  linesOf: (id: string) => Promise<string>,
  open: () => Promise<AskedFolders>,
): { piece(id: string, from: number): Promise<AskEvidence> } {
  /** The question that was looked at last, read from its first piece on. */
  let last: Found | null = null;

  async function read(id: string): Promise<Found> {
    const lines = readLines(await linesOf(id));
    // Refused before it began.
    if (lines.length === 0) return { id, rows: [], places: {} };
    const { evidence } = stateOf(runOf(lines).run.journal);
    const asked = (await db.library_asks.get(id))?.folders ?? [];
    const places = placesIn(await open(), asked, new Set(evidence.map(({ source_id }) => source_id)));
    return { id, rows: evidenceRows(evidence), places };
  }

  return {
    async piece(id, from) {
      const found = from > 0 && last?.id === id ? last : await read(id);
      last = found;
      const rows = found.rows.slice(from, from + EVIDENCE_PIECE);
      const folders: Record<string, string> = {};
      for (const { source_id } of rows) {
        const folder = found.places[source_id]?.folder;
        if (folder !== undefined) folders[source_id] = folder;
      }
      return { rows, total: found.rows.length, folders };
    },
  };
}

/** Where sources stand now: the first of the folders that were asked. */
export function placesIn(
  { index, folders }: AskedFolders,
  asked: readonly string[],
  wanted: ReadonlySet<string>,
): LibraryAskRow['places'] {
  const places: Record<string, { folder: string; path: string }> = {};
  for (const { segment, kept } of index.files()) {
    const folder = folders[segment]?.id;
    if (folder === undefined || !wanted.has(kept.sha256) || places[kept.sha256] !== undefined) continue;
    if (asked.length === 0 || asked.includes(folder)) places[kept.sha256] = { folder, path: kept.path };
  }
  return places;
}
