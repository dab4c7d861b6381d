/**
 * `documents scan`: a folder of papers, read and looked up. With `--write --yes` what is Strong is written in one plan;
 * with `--write` alone a person is asked about each, and what is decided is done at once.
 */
import { matchesGlob } from 'node:path/posix';
import { relative, resolve, sep } from 'node:path';
import { decodeTextFile } from '#adapters/media/legacy-text.ts';
import { failed } from '#core/errors.ts';
import type { TreeEntry } from '#core/plan/file-tree.ts';
import { folderDocument } from '#lanes/documents/core/folders/folder-document.ts';
import { idsOf } from '#lanes/documents/core/manifest/manifest-state.ts';
import { manifestOf, type ManifestStore } from '#lanes/documents/core/manifest/manifest-store.ts';
import { Doubles, withDouble } from '#lanes/documents/core/plan/doubles.ts';
import { makePlan, type Decided } from '#lanes/documents/core/plan/make-plan.ts';
import { entriesOf, scanned, unlocked, type ScannedFile } from '#lanes/documents/core/plan/scan-folder.ts';
import { readPdfBytes } from '#lanes/documents/node/identify-pdf-bytes.ts';
import { manifestFiles } from '#lanes/documents/node/scan/manifest-files.ts';
import type { ScanPorts } from '#lanes/documents/node/scan/open-scan.ts';
import { askPerson, type Interactive } from './ask-person.ts';
import { carryOut, ended, settle } from './carry-out.ts';
import type { Terminal } from './terminal.ts';

export interface ScanFlags {
  write?: boolean;
  /** What is Strong is written, nobody is asked. */
  yes?: boolean;
  rename: 'yes' | 'no';
  /** A folder within the scanned one. */
  moveTo?: string;
  /** False: none is kept. */
  manifest: string | false;
  interactive?: Interactive;
  skipExisting?: boolean;
  /** What is skipped and says nothing of itself is marked in the file. */
  markSkipped?: boolean;
  allowDelete?: boolean;
  depth?: number;
  glob?: string;
  jobs?: number;
  /** Each document as a line of JSON, for other programs; nothing else is said. */
  json?: boolean;
}

/** A single file of it alone. */
export interface OnlyFile {
  /** Below the folder. */
  path: string;
}

/**
 * @param terminal where a person is asked; not needed with `--yes` or without `--write`
 * @returns exit code. Throws AccessionError where the folder or the manifest cannot be read
 */
export async function scanCommand(
  flags: ScanFlags,
  ports: ScanPorts,
  terminal: Terminal | null = null,
  only: OnlyFile | null = null,
): Promise<number> {
  const { tree, cancel, lookup, say, root } = ports;
  const isAsking = flags.write === true && flags.yes !== true;
  if (isAsking && terminal === null) throw failed('invalid', 'Nobody can be asked here.');
  const moveTo = flags.moveTo === undefined ? null : within(root, flags.moveTo);
  if (flags.write === true) await settle(ports);
  const file = flags.manifest === false ? null : resolve(flags.manifest);
  const store = file === null ? null : manifestFiles(file);
  const known = store === null ? [] : (await manifestOf(store)).entries;
  const processed = new Set(known.flatMap((entry) => (entry.processed ? [entry.id] : [])));
  const done = flags.skipExisting === true ? processed : new Set<string>();
  const entries = await entriesOf(tree, cancel);
  const { glob } = flags;
  const options = {
    depth: flags.depth ?? null,
    jobs: flags.jobs ?? 1,
    idOf: store === null ? (sha256: string) => sha256 : await idsOf(store),
    done,
    cancel,
    identify: readPdfBytes,
    decode: decodeTextFile,
    matches: (path: string) => (only === null || path === only.path) && (glob === undefined || matchesGlob(path, glob)),
  };
  const planned = async (decided: readonly Decided[], there: readonly TreeEntry[], from: ManifestStore | null) =>
    makePlan(decided, {
      id: ports.ids.next(),
      root,
      entries: there,
      rules: tree.rules,
      rename: flags.rename === 'yes',
      moveTo,
      known: from === null ? [] : (await manifestOf(from)).entries,
      now: new Date(ports.clock.now()).toISOString(),
    });
  /** As the folder will be, as far as it is decided. */
  let there = entries;
  const nameOf = async (found: ScannedFile): Promise<string> => {
    const { plan } = await planned([decidedOf(found, 'write')], there, null);
    return plan.files[0]?.to.slice(root.length + 1) ?? found.path;
  };
  const unlock = (found: ScannedFile, password: string): Promise<ScannedFile> =>
    unlocked(found, password, { ...options, tree, lookup });
  const decided: Decided[] = [];
  const seen = new Map<string, string>();
  const doubles = new Doubles();
  const counts = { write: 0, skip: 0, remove: 0 };
  let number = 0;
  for await (const read of scanned(tree, entries, lookup, options)) {
    const advised = seen.has(read.id) ? read : ((await ports.advise?.(read)) ?? read);
    const twice = advised.identified === null || seen.has(read.id) ? null : doubles.seen(read.path, advised.identified);
    const found = { ...advised, proposal: withDouble(advised.proposal, twice) };
    number += 1;
    const double = seen.get(found.id);
    const to = await nameOf(found);
    if (flags.json === true)
      say(JSON.stringify(folderDocument(found, { double: double ?? null, done: processed.has(found.id) })));
    else if (!isAsking || double !== undefined) for (const line of linesOf(found, to)) say(line);
    if (double !== undefined && flags.json !== true) say(`  the same content as ${double}: left alone`);
    if (double !== undefined) continue;
    seen.set(found.id, found.path);
    if (!isAsking) {
      if (found.proposal.sure !== 'strong') continue;
      decided.push(decidedOf(found, 'write'));
      there = [...there, { path: to, kind: 'file', size: 0, modified: 0 }];
      continue;
    }
    if (terminal === null) continue;
    const { interactive: mode = 'cli', allowDelete: mayDelete = false } = flags;
    const answer = await askPerson(found, { number, name: to }, { terminal, mode, lookup, mayDelete, unlock });
    if (answer === null) break;
    counts[answer.action] += 1;
    // What is skipped stands in the manifest, where one is kept; nothing else of it is touched.
    if (answer.action === 'skip' && store === null && flags.markSkipped !== true) continue;
    const { plan, sources, before, told } = await planned([decidedOf(answer.file, answer.action)], there, store);
    if (plan.files.length === 0) continue;
    const code = await carryOut(
      { plan, sources, manifest: file, before, told },
      answer.action === 'skip' ? '1 document skipped' : '1 document',
      { ...ports, markSkipped: flags.markSkipped === true },
    );
    if (code !== 0) return code;
    there = await entriesOf(tree, cancel);
  }
  if (cancel.aborted) throw failed('cancelled', isAsking ? 'It was stopped; what was decided is done.' : STOPPED);
  if (isAsking) return ended(say, `${counts.write} written, ${counts.skip} skipped, ${counts.remove} removed`, 0);
  if (flags.json === true) return 0;
  if (decided.length === 0) return ended(say, 'nothing is sure enough to be written', 0);
  const count = `${decided.length} ${decided.length === 1 ? 'document' : 'documents'}`;
  if (flags.write !== true)
    return ended(say, `would write ${count}; nothing was touched (--write --yes writes them, --write asks)`, 0);
  const { plan, sources, before, told } = await planned(decided, entries, store);
  return carryOut({ plan, sources, manifest: file, before, told }, count, ports);
}

const STOPPED = 'The scan was cancelled; nothing was written.';

function decidedOf({ path, id, proposal, identified, whyNot }: ScannedFile, action: Decided['action']): Decided {
  const { record, reasons, source } = proposal;
  const evidence = identified?.evidence ?? [];
  return { path, id, action, record, source, evidence, notes: reasons.slice(1).join(' '), writable: whyNot === null };
}

/** Below the root. Throws AccessionError `invalid`. */
function within(root: string, folder: string): string {
  const below = relative(root, resolve(root, folder)).split(sep).join('/');
  if (below === '' || below.startsWith('..')) throw failed('invalid', `"${folder}" is not a folder within "${root}".`);
  return below;
}

function linesOf({ path, proposal: { sure, record, source, reasons }, whyNot }: ScannedFile, to: string): string[] {
  const said =
    record === null
      ? []
      : [`  ${record.title} · ${record.authors.join(', ')} · ${record.publication} ${record.date} (${source})`];
  return [
    `${path}: ${sure}`,
    ...said,
    ...reasons.map((reason) => `  ${reason}`),
    ...(sure === 'strong' && to !== path ? [`  -> ${to}`] : []),
    ...(sure === 'strong' && whyNot !== null ? [`  is not written into: ${whyNot}`] : []),
  ];
}
