/**
 * What a lane gives to the catalog server. All that is about tracks or shows, and not about records, jobs and people as
 * such, comes through here:
 *
 *   tables, migrations    its part of the database; `tables` also names each table's key, for backups
 *   feeds, imports        what workstations read of it, and the lists of a catalog file that it takes
 *   routes                its addresses, parts of the one table from which the API's document and the attack tests are made
 *   takes, publish        what of an upload it works on, and how a result becomes part of the catalog
 *   open, demo, recover   what it does when the server starts, in this order; `begin` and `close` while it serves
 */
import type { Ingester } from '#core/ingest/ingester.ts';
import type { Clock, Ids, MediaRoot } from '#core/ports.ts';
import type { CommitRequest } from '#core/sync/protocol.ts';
import type { Route } from './api/route.ts';
import type { AuditAction } from './audit/audit.ts';
import type { DocumentsConfig, GuideConfig, LibraryConfig, ToolboxConfig, ToolsConfig } from './config-file.ts';
import type { CatalogDeps } from './deps.ts';
import type { Answer } from './http/made-answer.ts';
import type { Keyed } from './http/mutate.ts';
import type { LaneImport } from './import/import-file.ts';
import type { LanePlans } from './plans/server-plans.ts';
import type { LaneFeed } from './store/feed.ts';
import type { Migrations } from './store/migrate.ts';
import type { SearchEntry } from './search/search-index.ts';
import type { LaneSearcher, OpenSearching } from './search/searching.ts';
import type { Snapshotting } from './snapshot/snapshotting.ts';
import type { Database, Reader, Tx } from './store/schema.ts';

/** Small files that survive a power cut: adapters/node/atomic-file.ts. */
export interface DurableFiles {
  /** There is the old content or the new one, never half of it. */
  write(path: string, text: string, mode: number): Promise<void>;
  /** Null when it is not there. */
  read(path: string): Promise<string | null>;
  /** Makes renames in a directory durable. */
  sync(directory: string): Promise<void>;
}

/** What a lane is opened with. */
export interface LaneUsing extends Pick<CatalogDeps, 'store' | 'blobs' | 'clock' | 'log' | 'events'> {
  /** The server's data directory: a lane keeps its files in a folder of its own there. */
  directory: string;
  files: DurableFiles;
  /** [library] of accession.toml. */
  library: LibraryConfig;
  /** [tools] of it. */
  tools: ToolsConfig;
  /** [toolbox] of it. */
  toolbox: ToolboxConfig;
  /** Answers questions from a process of its own; null: the database answers all. */
  searching: OpenSearching | null;
  /** Writes a snapshot in a process of its own; null: it is written in the server's. */
  snapshotting: Snapshotting | null;
  /** [documents] of it. */
  documents: DocumentsConfig;
  /** [ai_agent] and [guide] of it. */
  guide: GuideConfig;
}

/** A file that a row of the database names. */
export interface KeptFile {
  root: MediaRoot | 'ingestion_uploads';
  /** Under the root. */
  path: string;
  sha256: string;
  /** Bytes; absent where the row does not say. */
  size?: number | null;
}

/** A kept file; `moved`: where it may have gone while the rows were read. */
export type NamedKeptFile = KeptFile & { moved?: Pick<KeptFile, 'root' | 'path'> };

/** What is needed to find and mend damage in a lane's files and rows (storage/). */
export interface LaneKeeping {
  /** Where its files lie: no other lane has files there. */
  readonly roots: readonly MediaRoot[];
  /** Of these paths those that a row names, or is about to. */
  named(db: Reader, root: KeptFile['root'], paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether a row names the file with this content still. */
  names(db: Reader, file: KeptFile): Promise<boolean>;
  /**
   * The file is damaged and there is no other copy of it here: its rows say so, and what can be asked for again is asked
   * for. Answers what was done, as a sentence.
   */
  giveUp(tx: Tx, file: KeptFile, using: { ids: Ids; at: number; by: string }): Promise<string>;
  /** Rows that contradict themselves, and what makes each true again. */
  contradictions(db: Reader): Promise<{ name: string; wrong: string; mend: (tx: Tx) => Promise<void> }[]>;
  /** All that its search finds, by parts. */
  searched(db: Reader): AsyncIterable<readonly SearchEntry[]>;
  /** The kinds of its feeds with the table that their records are rows of (by `id`). */
  readonly fed: Readonly<Record<string, keyof Database>>;
}

export type CommitDeps = Pick<CatalogDeps, 'store' | 'blobs' | 'clock' | 'log'>;

/** How results of ingestion become part of the catalog. */
export interface LanePublish {
  /** A published file of this content that is really there, or null. */
  published(deps: CommitDeps, sha256: string): Promise<{ path: string; size: number } | null>;
  /**
   * Publishes an upload, once for each key; `replayed`: it was answered before. Throws HttpError 404, 409, 422.
   * @param beside what else happens in the same transaction
   */
  commit(
    deps: CommitDeps,
    request: Keyed,
    body: CommitRequest,
    beside?: (tx: Tx) => Promise<void>,
  ): Promise<{ answer: Answer; replayed: boolean }>;
}

/** A counter that a lane keeps in the database. */
export interface LaneCounter {
  name: string;
  help: string;
  /** What its values are told apart by; absent: it has one. */
  label?: string;
  counts: { of: string; count: number }[];
}

export interface LaneServer {
  readonly id: string;

  /**
   * Its tables, each with the columns that tell its rows apart; before a table come those that it refers to. Their types
   * are added to `Database` (store/schema.ts) by declaration merging.
   */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  /** Tables that it makes anew from what else there is: no backup has them. */
  readonly derived?: readonly string[];
  /** By names that are numbered on over all lanes (`0014-parcels`). Those before 0014 are in store/migrations. */
  readonly migrations?: Migrations;

  /** What it writes into the log of who did what. */
  readonly audit: readonly AuditAction[];
  readonly feeds: readonly LaneFeed[];
  readonly imports: readonly LaneImport[];
  /** In the order in which the API's document has them. */
  routes(deps: ServerDeps): Route[];

  /** Kinds of files that its worker takes out of an upload over HTTP. */
  readonly takes?: readonly Ingester[];
  readonly publish?: LanePublish;
  /** The status of a download request, or null where it knows none of this id. */
  /** What a process of its own answers questions by, of this database; it only reads. */
  searcher?(db: Reader): LaneSearcher;
  /** Writes the file that workstations begin with into a directory, and says what there is to say of it. */
  writeSnapshot?(
    db: Reader,
    directory: string,
    files: Pick<DurableFiles, 'sync'>,
    signal: AbortSignal,
  ): Promise<object>;
  requestStatus?(db: Reader, id: string): Promise<'pending' | 'fulfilled' | null>;
  /**
   * Whether `kind:id` may answer a question about so many files though it is none of the options. False: the kind is
   * another lane's. Throws HttpError 422 where it may not.
   */
  checkChoice?(db: Reader, choice: { kind: string; id: string }, files: number): Promise<boolean>;

  /** Its kinds of plans, and tools for those who make them. */
  readonly plans?: LanePlans;

  /** Counts for GET /metrics. */
  counts?(db: Reader): Promise<{ table: string; state: string; count: number }[]>;
  /** Counters of its own for GET /metrics, by names without our prefix. */
  metrics?(db: Reader): Promise<LaneCounter[]>;
  /** Files that its rows name, root by root in an order that stays; only those behind a file that it gave before. */
  files?(db: Reader, after?: Pick<KeptFile, 'root' | 'path'>): AsyncIterable<NamedKeptFile>;
  /** How its files and rows are verified and mended. */
  readonly keeping?: LaneKeeping;

  /** The same lane with what it needs while the server runs. */
  open?(using: LaneUsing): Promise<LaneServer>;
  /** At the very first start of a server that shows something to try: fills what is still empty. False: it was not. */
  demo?(tx: Tx, using: { ids: Ids; clock: Clock }): Promise<boolean>;
  /** Puts in order what a crash may have left behind, before anything is served. */
  recover?(deps: ServerDeps): Promise<void>;
  /** The server is about to answer requests. */
  begin?(): void;
  /** The server stops. */
  close?(): Promise<void>;
}

/** What the server is made of: its parts, and its lanes. */
export interface ServerDeps extends CatalogDeps {
  lanes: readonly LaneServer[];
}

/** The first lane that publishes takes the commits: they name a track, as the specification has it. */
export function publisherOf(lanes: readonly LaneServer[]): LanePublish {
  const found = lanes.find(({ publish }) => publish !== undefined)?.publish;
  if (found === undefined) throw new Error('no lane of this server publishes anything');
  return found;
}

/** A published file of this content, of whichever lane, or null. */
export async function publishedFile(
  deps: CommitDeps & Pick<ServerDeps, 'lanes'>,
  sha256: string,
): Promise<{ path: string; size: number } | null> {
  for (const { publish } of deps.lanes) {
    const found = (await publish?.published(deps, sha256)) ?? null;
    if (found !== null) return found;
  }
  return null;
}

/** The lane whose row names the file with this content still, or null. */
export async function ownerOf(db: Reader, lanes: readonly LaneServer[], file: KeptFile): Promise<LaneServer | null> {
  for (const lane of lanes) if ((await lane.keeping?.names(db, file)) === true) return lane;
  return null;
}
