/** All documents of a session, read one after the other, looked up beside that. Nothing is written. */
import { AccessionError, toFailure } from '#core/errors.ts';
import type { PdfText } from '#core/ingest/pdf.ts';
import type { Cancel } from '#core/ports.ts';
import type { Lookup } from '#lanes/documents/core/lookup/lookup.ts';
import { Doubles } from '#lanes/documents/core/plan/doubles.ts';
import { idsOf } from '#lanes/documents/core/manifest/manifest-state.ts';
import type { Session } from './document-session.ts';
import type { DocumentRow } from './documents-api.types.ts';
import { folderManifest } from './folder-manifest.ts';
import { isPdfPath } from '#lanes/documents/core/written/written-file.ts';
import { documentsIn, isOther, lookedUp, readDocument, unread, type ReadDocument } from './read-documents.ts';

/** Look-ups that wait while the next document is read. */
const AHEAD = 8;

type Heard = (row: DocumentRow) => void;

export interface AskingPorts {
  lookup: Lookup;
  /** Whether nobody may be asked, as it is now. */
  isOffline(): boolean;
}

export interface ReadingPorts extends AskingPorts {
  reader: PdfText;
  cancel: Cancel;
}

/** Reads one after the other; look-ups go on beside, a few at a time. */
export async function readAll(now: Session, ports: ReadingPorts, heard: Heard): Promise<void> {
  const { cancel } = ports;
  const idOf = now.root === null ? (sha256: string) => sha256 : await idsOf(folderManifest(now.tree));
  const done = new Set(now.manifest.entries.flatMap(({ id, processed }) => (processed ? [id] : [])));
  const seen = new Map<string, string>();
  const doubles = new Doubles();
  const waiting = new Set<Promise<void>>();
  const failures: AccessionError[] = [];
  for (const entry of documentsIn(now.entries)) {
    if (cancel.aborted || failures.length > 0) break;
    if (isPdfPath(entry.path)) heard(unread(entry));
    const read = await readDocument(entry, { ...ports, tree: now.tree, idOf, done });
    // What was dropped was meant; in a folder lies what is none.
    if (now.root !== null && isOther(read)) continue;
    const doubleOf = read.row.id === '' ? null : (seen.get(read.row.id) ?? null);
    if (read.row.id !== '' && doubleOf === null) seen.set(read.row.id, entry.path);
    const twice = read.identified === null || doubleOf !== null ? null : doubles.seen(entry.path, read.identified);
    const kept = { ...read, row: { ...read.row, doubleOf, maybeTwice: twice } };
    const asked = (kept.row.asked !== null || kept.row.choices.length > 0) && doubleOf === null;
    now.documents.set(entry.path, kept);
    heard(asked ? { ...kept.row, phase: 'looking' } : kept.row);
    if (!asked) continue;
    const one = askAbout(now, kept, ports, heard)
      .catch((error: unknown) => void failures.push(new AccessionError(toFailure(error), { cause: error })))
      .finally(() => waiting.delete(one));
    waiting.add(one);
    if (waiting.size >= AHEAD) await Promise.race(waiting);
  }
  await Promise.all(waiting);
  const [first] = failures;
  if (first !== undefined) throw first;
}

/** False, and nothing is changed, where it became another since it was read: the person's word on it is the later one. */
function settle(now: Session, read: ReadDocument, said: ReadDocument): boolean {
  if (now.documents.get(read.row.path) !== read) return false;
  now.documents.set(read.row.path, said);
  return true;
}

/** What a source says of it, or why none does. Throws AccessionError `cancelled`. */
export async function askAbout(now: Session, read: ReadDocument, ports: AskingPorts, heard: Heard): Promise<void> {
  const { lookup } = ports;
  try {
    const offline = ports.isOffline();
    let said = await lookedUp(read, lookup);
    // The person said yes, or the network came back, while it was on its way.
    if (offline && !ports.isOffline()) said = await lookedUp(read, lookup);
    if (!settle(now, read, said)) return;
    heard(said.row);
  } catch (error) {
    heard(read.row);
    throw error;
  }
}
