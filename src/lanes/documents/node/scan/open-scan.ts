/** What a scan of a folder on this machine works with. */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { nodePdfText } from '#adapters/node/pdf-text.ts';
import { journalsInDirectory } from '#adapters/node/rename-journal-store.ts';
import { randomUuids } from '#core/ids.ts';
import type { MoreSource } from '#lanes/documents/core/lookup/hosts.ts';
import { createLookup } from '#lanes/documents/core/lookup/lookup.ts';
import { lookupInNode } from '#lanes/documents/node/lookup-ports.ts';
import { pdfLibWriter } from '#lanes/documents/pdf/pdf-lib-writer.ts';
import type { ScannedFile } from '#lanes/documents/core/plan/scan-folder.ts';
import type { FileTree } from '#core/plan/file-tree.ts';
import type { Lookup } from '#lanes/documents/core/lookup/lookup.ts';
import type { ApplyPorts } from '#lanes/documents/core/apply/apply-documents.ts';

export interface ScanPorts extends ApplyPorts {
  lookup: Lookup;
  /** A document in doubt with what a model says of it; absent: none is asked. */
  advise?: (file: ScannedFile) => Promise<ScannedFile>;
  /** Where what goes to the catalog server waits. */
  outbox: string;
  /** What of a plan goes there; absent: nothing. */
  share?: 'records' | 'pdfs';
  /** Where plans are kept, with what the manifest had. */
  plans: string;
  say: (line: string) => void;
}

export interface Opened {
  dir: string;
  /** The data directory. */
  data: string;
  offline?: boolean;
  rescan?: boolean;
  contact?: string;
  also?: readonly MoreSource[];
}

interface Opening {
  say: (line: string) => void;
  signal: AbortSignal;
  /** Throws AccessionError where there is no such folder. */
  openTree: (directory: string) => Promise<FileTree & { readonly root: string }>;
  /** The system's; a test's own. */
  fetch?: typeof fetch;
}

/** Throws AccessionError where there is no such folder. */
export async function openScan(
  { dir, data, offline = false, rescan = false, contact, also: more = [] }: Opened,
  { say, signal, openTree, fetch: send }: Opening,
): Promise<ScanPorts> {
  const tree = await openTree(dir);
  const plans = join(data, 'documents', 'plans');
  const lookup = createLookup({ ...lookupInNode(data, signal, send), offline, rescan, contact: contact ?? null, more });
  return {
    tree,
    root: tree.root,
    journal: journalsInDirectory(plans),
    plans,
    outbox: join(data, 'documents', 'outbox'),
    lookup,
    writer: pdfLibWriter(),
    reader: nodePdfText(),
    clock: { now: () => Date.now() },
    ids: randomUuids,
    cancel: signal,
    by: userInfo().username,
    say,
  };
}
