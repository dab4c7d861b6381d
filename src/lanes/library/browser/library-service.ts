/** The library of this browser: folders, their indexes, and what the pages ask of them. */
import { decodeLegacy } from '#adapters/media/legacy-text.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { KeptFiles } from '#adapters/browser/kept-files.ts';
import { readSettings } from '#adapters/browser/settings.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import type { Embedder } from '#core/agent/llm/embedder.ts';
import type { Settings } from '#core/config.ts';
import { fillVectors } from '#lanes/library/core/vectors/fill-vectors.ts';
import { searchProfile, whyWords } from '#lanes/library/core/vectors/profiles.ts';
import { openVectorFiles, Vectors } from '#lanes/library/core/vectors/vectors.ts';
import { CancelSource } from '#core/cancel.ts';
import { failed, toFailure } from '#core/errors.ts';
import { allowed } from '#adapters/browser/plans/file-system-access.types.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { answered } from '#core/result.ts';
import type { AgentTimers } from '#core/ingest/read-chunks.ts';
import { askedOf } from '#lanes/library/core/documents/library-documents.ts';
import type { KeptFile, Segment } from '#lanes/library/core/index/segment.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import { openLibrary, type OpenLibrary } from '#lanes/library/core/indexing/manifest.ts';
import type { FolderSource, IndexProgress } from '#lanes/library/core/indexing/ports.ts';
import type { LiveAgents } from '#lanes/library/core/model/live-agents.ts';
import { LibraryIndex } from '#lanes/library/core/search/library-index.ts';
import type { Passage } from '#lanes/library/core/search/passage.types.ts';
import { searchLibrary } from '#lanes/library/core/search/search.ts';
import { findSymbols } from '#lanes/library/core/search/symbols.ts';
import { agentsApi } from './agents-api.ts';
import { askApi, type AskModels, type ToolboxPlace } from './ask-api.ts';
import { toolsApi } from './tools-api.ts';
import { embedderName } from './embedders.ts';
import { browserLibrary } from './browser-library.ts';
import type { openReadingThreads } from './reading-threads.ts';
import { handleFolder, listedFolder, type ListedFile } from './folder-sources.ts';
import type { LibraryApi, LibraryFileRow, LibraryHit } from './library-api.types.ts';
import type { LibraryFolderRow } from './schema.ts';

export interface LibraryUsing {
  db: AccessionDb;
  /** The catalog server that this app belongs to. */
  server: () => Promise<HttpOptions>;
  files: () => Promise<KeptFiles>;
  agents: () => Promise<LiveAgents>;
  openReading: typeof openReadingThreads;
  /** Who makes vectors; null where nobody is set up. */
  embedder(settings: Settings): Promise<Embedder | null>;
  clock: Clock;
  ids: Ids;
  timers: AgentTimers;
  hash(bytes: Uint8Array): Promise<string>;
  models: AskModels;
  toolbox: ToolboxPlace;
  /** Runs the work alone: no two tabs index a folder at once. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** How often the pages hear of progress, milliseconds. */
const REPORT_MS = 100;

interface Running {
  cancel: CancelSource;
  paused: boolean;
  goOn: () => void;
  /** Ends what is being read. */
  stop: () => void;
}

export function createLibraryService(using: LibraryUsing): LibraryApi {
  const { db, clock } = using;
  const running = new Map<string, Running>();
  const given = new Map<string, readonly ListedFile[]>();
  const opened = new Opened(using);

  async function source(row: LibraryFolderRow): Promise<FolderSource> {
    if (row.handle !== null) return handleFolder(row.handle);
    const files = given.get(row.id);
    if (files === undefined)
      throw failed('file_unreadable', `The files of "${row.name}" are read once.`, { remedy: 'Drop them again.' });
    return listedFolder(files);
  }

  async function update(
    id: string,
    onProgress: (progress: IndexProgress) => void,
    only: 'vectors' | null,
  ): Promise<void> {
    const row = await rowOf(db, id);
    // What vectors are made of is in the index: the folder need not be asked for.
    const folder = only === null ? await source(row) : null;
    const run: Running = { cancel: new CancelSource(), paused: false, goOn: () => undefined, stop: () => undefined };
    running.set(id, run);
    let said = -Infinity;
    const report = (progress: IndexProgress): void => {
      if (progress.phase !== 'done' && clock.now() - said < REPORT_MS) return;
      said = clock.now();
      onProgress(progress);
    };
    try {
      const files = await using.files();
      const store = browserLibrary(db, files, id);
      const mayGoOn = (): Promise<void> =>
        run.paused ? new Promise((resolve) => (run.goOn = resolve)) : Promise.resolve();
      const index = async (folder: FolderSource): Promise<void> => {
        const agents = await using.agents();
        const ports = { ...using, folder, store, registry: agents.registry, decode: decodeLegacy };
        const reading = using.openReading(agents, using.timers);
        run.stop = reading.close;
        const { segments, vectors } = await indexFolder({
          ...{ ...ports, elsewhere: reading.elsewhere },
          cancel: run.cancel,
          mayGoOn,
          onProgress: report,
        });
        // What runs that were killed, and runs before, have left behind.
        const named = new Set([...segments.map((one) => one.id), ...(vectors?.ids ?? [])]);
        await files.keepOnly((name) => !name.startsWith(`${id}.`) || named.has(name.slice(id.length + 1)));
        // Without them it is found by its words: the folder counts as read before they are there.
        await opened.count(id);
        reading.close();
      };
      if (folder !== null) await index(folder);
      const embedder = await using.embedder(await readSettings(db));
      if (embedder === null) return;
      await fillVectors({
        ...{ store, embedder, ids: using.ids, timers: using.timers, mayGoOn, cancel: run.cancel },
        onVectors: (done, found) => report({ phase: 'vectors', found, done, read: 0, chunks: 0, path: '' }),
      });
    } finally {
      run.stop();
      running.delete(id);
      await opened.count(id);
    }
  }

  return {
    add: (given_) =>
      answered(() =>
        // The same folder, given twice at once, is one.
        using.alone('library folders', async () => {
          if (given_.kind === 'handle') {
            for (const row of await db.library_folders.toArray())
              if (row.handle !== null && (await row.handle.isSameEntry(given_.handle))) return row.id;
          }
          const name = given_.kind === 'handle' ? given_.handle.name : given_.name;
          const same = given_.kind === 'files' ? await db.library_folders.toArray() : [];
          const id = same.find((row) => row.handle === null && row.name === name)?.id ?? using.ids.next();
          if (given_.kind === 'files') given.set(id, given_.files);
          if ((await db.library_folders.get(id)) !== undefined) return id;
          const handle = given_.kind === 'handle' ? given_.handle : null;
          const row = { id, name, handle, added_at: clock.now(), manifest: null, files: 0, chunks: 0 };
          await db.library_folders.put(row);
          return id;
        }),
      ),
    update: (id, onProgress, only = null) =>
      answered(() => using.alone(`library ${id}`, () => update(id, onProgress, only))),
    pause(id, paused) {
      const run = running.get(id);
      if (run === undefined) return;
      run.paused = paused;
      if (!paused) run.goOn();
    },
    cancel(id) {
      const run = running.get(id);
      run?.cancel.abort();
      run?.goOn();
      run?.stop();
    },
    remove: (id) =>
      answered(async () => {
        running.get(id)?.cancel.abort();
        running.get(id)?.goOn();
        await db.library_folders.delete(id);
        await opened.collect();
      }),
    search: (words, limit) =>
      answered(async () => {
        const [{ index, folders }, settings] = await Promise.all([opened.all(), readSettings(db)]);
        const { library_profile: profile } = settings;
        const asked = askedOf(index, words, (segment) => folders[segment]?.id ?? '');
        const hitOf = ({ place, ...passage }: Passage): LibraryHit => {
          const { id, name } = folders[place.segment] ?? { id: '', name: '' };
          return { ...passage, folder: id, folderName: name };
        };
        const hitsOf = (passages: readonly Passage[]): LibraryHit[] => passages.map((one) => hitOf(asked.told(one)));
        if (asked.words === '') return { hits: hitsOf(asked.beginnings(limit)), why: null };
        const options = { ...asked.options, k: limit };
        const model = embedderName(settings);
        const vectors = profile === 'bm25' || model === null ? null : await opened.vectors(model);
        let why = whyWords(profile, vectors, model);
        let found = null;
        if (why === null && vectors !== null) {
          const embedder = await using.embedder(settings);
          try {
            if (embedder !== null)
              found = await searchProfile(profile, { index, vectors, embedder, question: asked.words, ...options });
          } catch (thrown) {
            why = `${toFailure(thrown).message} It was answered as bm25.`;
          }
        }
        found ??= searchLibrary(index, asked.words, options);
        return { hits: hitsOf(found), why };
      }),
    symbols: (words, limit) =>
      answered(async () => {
        const { index, folders } = await opened.all();
        return findSymbols(index, words, limit).map(({ segment, file, chunk, name }) => {
          const of = index.parts[segment]?.segment;
          const { startLine, fullyQualifiedName, chunkType, metadata } = of?.chunk(chunk) ?? never();
          const line = Number(metadata['nameLine'] ?? startLine);
          const path = of?.files[file]?.path ?? '';
          return {
            folder: folders[segment]?.id ?? '',
            path,
            line,
            name,
            qualified: fullyQualifiedName ?? name,
            chunkType,
          };
        });
      }),
    folder: (id) =>
      answered(async () => {
        const { index, manifest } = await opened.one(id);
        const files = [...index.files()].filter(({ kept }) => !kept.binary).map(({ kept }) => rowFrom(kept));
        files.sort((a, b) => (a.path < b.path ? -1 : 1));
        return { files, leftOut: manifest.leftOut, failed: manifest.failed };
      }),
    file: (id, path) =>
      answered(async () => {
        for (const { kept, of } of (await opened.one(id)).index.files())
          if (kept.path === path) return { ...rowFrom(kept), text: of.text(kept), outline: of.chunksOf(kept) };
        return null;
      }),
    ...agentsApi(db, using.agents),
    ...toolsApi(db),
    ...askApi(using, {
      open: () => opened.all(),
      async byMeaning(profile, question, options) {
        const settings = await readSettings(db);
        const model = embedderName(settings);
        const vectors = model === null ? null : await opened.vectors(model);
        if (vectors === null || whyWords(profile, vectors, model) !== null) return null;
        const embedder = await using.embedder(settings);
        const { index } = await opened.all();
        return embedder === null ? null : searchProfile(profile, { index, vectors, embedder, question, ...options });
      },
    }),
    content: (id, path) =>
      answered(async () => {
        const row = await rowOf(db, id);
        const has = row.handle === null ? given.has(id) : await allowed(row.handle, 'read');
        const read = has ? await (await source(row)).read(path) : null;
        return read === null ? null : new Uint8Array(read.bytes).buffer;
      }),
    async canUpdate(id) {
      const row = await db.library_folders.get(id);
      if (row === undefined) return false;
      return row.handle === null ? given.has(id) : allowed(row.handle, 'read');
    },
  };
}

const never = (): never => {
  throw failed('not_found', 'The library has changed. Search again.');
};

const rowFrom = ({ path, agentId, language, size, chunks, warnings }: KeptFile): LibraryFileRow => {
  return { path, agentId, language, size, chunks, warnings };
};

async function rowOf(db: AccessionDb, id: string): Promise<LibraryFolderRow> {
  const row = await db.library_folders.get(id);
  if (row === undefined) throw failed('not_found', 'There is no such folder in the library.');
  return row;
}

/** Indexes of the folders, opened when they are asked for; a segment is read once. */
class Opened {
  readonly #using: LibraryUsing;
  #segments = new Map<string, Segment>();
  #libraries = new Map<string, { manifest: unknown; library: OpenLibrary }>();
  #vectors: { key: string; vectors: Vectors } | null = null;
  #together: { key: string; all: { index: LibraryIndex; folders: { id: string; name: string }[] } } | null = null;

  constructor(using: LibraryUsing) {
    this.#using = using;
  }

  async one(id: string): Promise<OpenLibrary> {
    return this.#open(await rowOf(this.#using.db, id));
  }

  /** All folders as one index, with the folder of each of its parts. */
  async all(): Promise<{ index: LibraryIndex; folders: { id: string; name: string }[] }> {
    const rows = await this.#using.db.library_folders.orderBy('added_at').toArray();
    const key = JSON.stringify(rows.map(({ id, manifest }) => [id, manifest]));
    if (this.#together?.key === key) return this.#together.all;
    const folders: { id: string; name: string }[] = [];
    const parts = [];
    for (const row of rows)
      for (const part of (await this.#open(row)).index.parts) {
        parts.push(part);
        folders.push({ id: row.id, name: row.name });
      }
    const all = { index: new LibraryIndex(parts), folders };
    this.#together = { key, all };
    return all;
  }

  /** The vectors of all folders, of the model alone that is asked for: others count as not there. */
  async vectors(model: string): Promise<Vectors> {
    const rows = await this.#using.db.library_folders.orderBy('added_at').toArray();
    const key = JSON.stringify([model, rows.map(({ id, manifest }) => [id, manifest])]);
    if (this.#vectors?.key === key) return this.#vectors.vectors;
    const { index } = await this.all();
    const files = await this.#using.files();
    const vectorFiles = [];
    for (const row of rows) {
      const { manifest } = await this.#open(row);
      if (manifest.vectors?.model === model)
        vectorFiles.push(...(await openVectorFiles(browserLibrary(this.#using.db, files, row.id), manifest.vectors)));
    }
    const vectors = new Vectors(model, vectorFiles, index);
    this.#vectors = { key, vectors };
    return vectors;
  }

  /** Writes how much a folder has into its row. */
  async count(id: string): Promise<void> {
    if ((await this.#using.db.library_folders.get(id)) === undefined) return;
    const kept = [...(await this.one(id)).index.files()].filter(({ kept: { binary } }) => !binary);
    const chunks = kept.reduce((sum, { kept: file }) => sum + file.chunks, 0);
    await this.#using.db.library_folders.update(id, { files: kept.length, chunks });
  }

  /** Takes away segments that no folder names. */
  async collect(): Promise<void> {
    const rows = await this.#using.db.library_folders.toArray();
    const named = new Set(rows.map(({ id }) => id));
    await (await this.#using.files()).keepOnly((name) => named.has(name.split('.')[0] ?? ''));
  }

  async #open(row: LibraryFolderRow): Promise<OpenLibrary> {
    const known = this.#libraries.get(row.id);
    if (known !== undefined && JSON.stringify(known.manifest) === JSON.stringify(row.manifest)) return known.library;
    const store = browserLibrary(this.#using.db, await this.#using.files(), row.id);
    const library = await openLibrary(store, this.#segments);
    for (const { id, segment } of library.index.parts) this.#segments.set(id, segment);
    this.#libraries.set(row.id, { manifest: row.manifest, library });
    return library;
  }
}
