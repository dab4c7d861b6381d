/**
 * Verifies all that a server keeps: database, feed, search, every file that a row names, and every file that lies there.
 * With `repair` what can be mended is; what cannot be is asked for again, so that the catalog says what is true.
 */
import { setImmediate } from 'node:timers/promises';
import type { Clock, Ids, MediaRoot } from '#core/ports.ts';
import { COMMAND_LINE } from '../audit/audit.ts';
import { ownerOf, type KeptFile } from '../lane-server.ts';
import { rebuildSearch, searchTrouble } from '../search/check-search.ts';
import { forgetDamage, forgetLost, knownDamage, noteDamage } from './damage.ts';
import type { Wrong } from './file-check.ts';
import { nameOf, remedyFor, WRONG, type Finding } from './finding.ts';
import { findTwins, putBack, type MendDeps } from './mend.ts';
import { keptFiles, lookAt, orphans } from './verify-files.ts';
import { databaseTrouble, feedTrouble, feedWords, mendFeed } from './verify-rows.ts';

export interface VerifyDeps extends MendDeps {
  clock: Clock;
  ids: Ids;
}

export interface VerifyOptions {
  repair: boolean;
  /** Puts contents of these hashes from elsewhere (a backup) into uploads; answers where each was found. */
  fetch?: (wanted: ReadonlySet<string>) => Promise<ReadonlyMap<string, string>>;
  /** Called as each is found. */
  found?: (finding: Finding) => void;
}

export interface Verified {
  files: number;
  bytes: number;
  findings: Finding[];
}

type Damaged = KeptFile & { wrong: Wrong };

/** A catalog whose files are all gone has lost its disk, not its files: so many at least. */
const DISK_GONE = 3;

export async function verify(deps: VerifyDeps, options: VerifyOptions): Promise<Verified> {
  const { store } = deps;
  const findings: Finding[] = [];
  const tell = (finding: Finding): void => {
    findings.push(finding);
    options.found?.(finding);
  };
  const broken = await databaseTrouble(store.db);
  for (const wrong of broken)
    tell({
      name: 'database',
      wrong,
      remedy: 'Put a backup back into an empty directory (docs/OPERATIONS.md).',
      outcome: 'left',
    });
  // What a damaged database says of files is not believed.
  if (broken.length > 0) return { files: 0, bytes: 0, findings };
  await verifyRows(deps, options, tell);
  await verifyFeed(deps, options, tell);
  await verifySearch(deps, options, tell);
  const strangers = await Array.fromAsync(orphans(store.db, deps));
  const { files, bytes, damaged } = await verifyFiles(deps);
  if (options.repair) await mendFiles(deps, damaged, strangers, options, tell);
  else
    for (const one of damaged)
      tell({ name: nameOf(one), wrong: WRONG[one.wrong], remedy: remedyFor(one), outcome: 'left' });
  for (const one of strangers)
    tell({
      ...{ name: nameOf(one), wrong: 'belongs to nothing in the catalog', outcome: 'left' },
      remedy: 'Nothing reads it. Publish it again if it is wanted, or remove it.',
    });
  // Somebody has looked: what the database had lost is their knowledge now.
  if (options.repair) await store.write(forgetLost);
  return { files, bytes, findings };
}

async function verifyRows({ store, lanes }: VerifyDeps, { repair }: VerifyOptions, tell: (one: Finding) => void) {
  for (const lane of lanes)
    for (const { name, wrong, mend } of (await lane.keeping?.contradictions(store.db)) ?? []) {
      if (repair) await store.write(mend);
      const remedy = repair ? 'Its row says what is true now.' : 'accession verify --repair makes its row true.';
      tell({ name, wrong, remedy, outcome: repair ? 'mended' : 'left' });
    }
}

async function verifyFeed({ store, lanes }: VerifyDeps, { repair }: VerifyOptions, tell: (one: Finding) => void) {
  const trouble = await feedTrouble(store.db, lanes);
  const words = feedWords(trouble);
  if (words.length > 0 && repair) await store.write(async (tx) => mendFeed(tx, await feedTrouble(tx, lanes)));
  const remedy = repair ? 'Workstations are told now.' : 'accession verify --repair tells workstations of it.';
  for (const wrong of words) tell({ name: 'feed', wrong, remedy, outcome: repair ? 'mended' : 'left' });
}

async function verifySearch({ store, lanes }: VerifyDeps, { repair }: VerifyOptions, tell: (one: Finding) => void) {
  const keeping = lanes.flatMap((lane) => lane.keeping ?? []);
  const words = await searchTrouble(store.db, keeping);
  if (words.length > 0 && repair) await store.write((tx) => rebuildSearch(tx, keeping, () => setImmediate()));
  const remedy = repair ? 'The index was made anew.' : 'accession verify --repair makes the index anew.';
  for (const wrong of words) tell({ name: 'search', wrong, remedy, outcome: repair ? 'mended' : 'left' });
}

/** Reads every file; what is known to be damaged is written down, and forgotten where it is right. */
async function verifyFiles(deps: VerifyDeps): Promise<{ files: number; bytes: number; damaged: Damaged[] }> {
  const { store, lanes, clock } = deps;
  const damaged: Damaged[] = [];
  let [files, bytes] = [0, 0];
  const seen = new Set<string>();
  const known = new Set((await knownDamage(store.db, Number.MAX_SAFE_INTEGER)).map(nameOf));
  for await (const file of keptFiles(store.db, lanes)) {
    if (seen.has(`${nameOf(file)} ${file.sha256}`)) continue;
    seen.add(`${nameOf(file)} ${file.sha256}`);
    const looked = await lookAt(deps, file);
    files += 1;
    bytes += looked.read;
    if (looked.wrong !== null) {
      const { wrong } = looked;
      if (!(await isNamed(deps, file))) continue;
      damaged.push({ ...file, wrong });
      await store.write((tx) => noteDamage(tx, file, wrong, clock.now()));
    } else if (known.has(nameOf(file))) await store.write((tx) => forgetDamage(tx, file));
    known.delete(nameOf(file));
  }
  // No row names these any more.
  for (const { root, path } of await knownDamage(store.db, Number.MAX_SAFE_INTEGER))
    if (known.has(nameOf({ root, path }))) await store.write((tx) => forgetDamage(tx, { root, path }));
  return { files, bytes, damaged };
}

/** Whether the row that named the file is there still: it may have been replaced or done with while it was read. */
async function isNamed({ store, lanes }: MendDeps, file: KeptFile): Promise<boolean> {
  if (file.root === 'ingestion_uploads') {
    const row = store.db.selectFrom('work_files').select('id').where('id', '=', file.path);
    return (await row.executeTakeFirst()) !== undefined;
  }
  return (await ownerOf(store.db, lanes, file)) !== null;
}

/** From other copies, from a backup; what nobody here has is given up. */
async function mendFiles(
  deps: VerifyDeps,
  damaged: readonly Damaged[],
  strangers: readonly { root: MediaRoot; path: string }[],
  { fetch }: VerifyOptions,
  tell: (one: Finding) => void,
): Promise<void> {
  const { store, blobs, lanes, clock, ids } = deps;
  const placed = damaged.filter(({ root }) => root !== 'ingestion_uploads');
  const found = await findTwins(deps, placed, strangers);
  const missing = new Set(placed.map(({ sha256 }) => sha256).filter((sha256) => !found.has(sha256)));
  if (missing.size > 0) for (const [sha256, from] of (await fetch?.(missing)) ?? []) found.set(sha256, from);
  const diskGone = await rootsGone(deps, placed);
  for (const file of damaged) {
    const name = nameOf(file);
    const wrong = WRONG[file.wrong];
    const from = found.get(file.sha256);
    if (file.root === 'ingestion_uploads') tell({ name, wrong, remedy: remedyFor(file), outcome: 'left' });
    else if (from !== undefined && (await putBack(deps, file))) {
      tell({ name, wrong, remedy: `Mended from ${from}.`, outcome: 'mended' });
    } else if (diskGone.has(file.root))
      tell({ name, wrong, remedy: 'None of the files is there: mount the disk, and verify again.', outcome: 'left' });
    else {
      const lane = await ownerOf(store.db, lanes, file);
      if (lane === null) continue;
      const at = clock.now();
      const remedy = await store.write(async (tx) => {
        const done = await lane.keeping?.giveUp(tx, file, { ids, at, by: COMMAND_LINE });
        await forgetDamage(tx, file);
        return done ?? '';
      });
      if (file.wrong !== 'gone') await blobs.setAside(file.path, file.root);
      tell({ name, wrong, remedy, outcome: 'asked' });
    }
  }
  for (const sha256 of found.keys()) await blobs.removeUpload(sha256);
}

/** Roots of lanes whose placed files are all gone, and there are some: it is not these that were lost. */
async function rootsGone({ store, blobs, lanes }: MendDeps, damaged: readonly Damaged[]): Promise<Set<string>> {
  const gone = new Set<string>();
  for (const lane of lanes) {
    const roots = lane.keeping?.roots ?? [];
    const of = damaged.filter(({ root }) => roots.some((one) => one === root));
    if (of.length < DISK_GONE || of.some(({ wrong }) => wrong !== 'gone')) continue;
    let isThere = false;
    for await (const { root, path } of lane.files?.(store.db) ?? [])
      if (root !== 'ingestion_uploads' && (await blobs.state(path, root)) !== null) {
        isThere = true;
        break;
      }
    if (!isThere) for (const root of roots) gone.add(root);
  }
  return gone;
}
