/**
 * The Documents page's work, behind the RPC interface of documents.worker: one folder or drop is open at a time.
 *
 *   open -> each document read, then looked up -> (requery) -> preview (again with every change) -> apply -> undo
 */
import * as v from 'valibot';
import { recoverFolders } from '#adapters/browser/plans/rename-runs.ts';
import { readSettings } from '#adapters/browser/settings.ts';
import type { ModelOpener } from '#adapters/browser/llm/model-opener.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import type { Timers } from '#adapters/http/socket.ts';
import { CancelSource } from '#core/cancel.ts';
import { AccessionError, failed } from '#core/errors.ts';
import type { PdfText } from '#core/ingest/pdf.ts';
import { joinBytes } from '#core/ingest/bytes.ts';
import { contentOf } from '#core/plan/replace-content.ts';
import { answered } from '#core/result.ts';
import { ManifestSchema, type Manifest } from '#core/documents/manifest-form.ts';
import { changedOver } from '#lanes/documents/core/listings/changed-over.ts';
import type { MoreSource } from '#lanes/documents/core/lookup/hosts.ts';
import { documentHash, previewOf } from '#lanes/documents/core/plan/document-plan.ts';
import { shownOf, whyNone } from '#lanes/documents/core/plan/find-by-title.ts';
import { makePlan } from '#lanes/documents/core/plan/make-plan.ts';
import type { PdfWriter } from '#lanes/documents/core/write/prepare-pdf.ts';
import { serverFolders } from './server-folders.ts';
import { createSharedClient } from '#lanes/documents/http/shared-client.ts';
import { advisedDocument } from './ask-model.ts';
import { BY, carryOut, settlePlans, takeBack } from './carry-out.ts';
import { openSession, type Draft, type Opening, type Session } from './document-session.ts';
import type { DocumentsApi, DocumentWish, OpenedDocuments } from './documents-api.types.ts';
import { lookupHere } from './lookup-here.ts';
import { isPdfPath } from '#lanes/documents/core/written/written-file.ts';
import { documentsIn, lookedUp, readDocument, renamedTo, type ReadDocument } from './read-documents.ts';
import { askAbout, readAll } from './read-session.ts';
import type { SharePart } from '#lanes/documents/core/share/approved.ts';
import { queueDone } from './share/share-plan.ts';
import { zipOfDocuments } from './zip-of-documents.ts';

export interface DocumentsUsing extends Opening {
  timers: Timers;
  reader: PdfText;
  writer: PdfWriter;
  /** Loads what is wanted later, so that it is there without a network, too. */
  fetchAhead(): void;
  /** The browser's; a test's own. */
  fetch?: typeof fetch;
  /** The catalog server, which asks for us what no page may; absent: there is none. */
  server?: () => Promise<HttpOptions>;
  /** The model of the settings, for documents in doubt; absent: none can be. */
  models?: () => Promise<ModelOpener>;
  /** Whether the browser says that there is a network. */
  isOnline(): boolean;
  /** Runs the work alone: no two tabs change a manifest at once. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>;
}

const EMPTY_WISH: DocumentWish = { decided: [], rename: true };
/** Of whoever changes documents and their manifest. */
const LOCK = 'accession-documents';

export function createDocumentsService(using: DocumentsUsing): DocumentsApi {
  const { db, clock, ids } = using;
  let session: Session | null = null;
  let cancel = new CancelSource();

  const opened = (): Session => {
    if (session !== null) return session;
    throw failed('not_found', 'Nothing is open.', { remedy: 'Open the folder again: the page was loaded anew.' });
  };

  /** What the look-up goes by; settings are read anew before each work. */
  let asking: { offline: boolean; contact: string; more: readonly MoreSource[] } = {
    offline: true,
    contact: '',
    more: [],
  };
  const { lookup, again } = lookupHere({ ...using, now: () => ({ ...asking, cancel }) });

  async function prepareAsking(lookUp: boolean): Promise<void> {
    if (cancel.aborted) cancel = new CancelSource();
    const { documents_contact: contact, documents_more: more } = await readSettings(db);
    asking = { offline: !lookUp || !using.isOnline(), contact: contact.trim(), more };
    again();
  }

  /** A document that is open, once it may be asked about. */
  async function askingAbout(path: string, lookUp: boolean) {
    const now = opened();
    const known = now.documents.get(path);
    if (known === undefined) throw failed('not_found', `"${path}" is not among the documents.`);
    await prepareAsking(lookUp);
    // The server read it; what is asked about it now is held against its own pages.
    const read = now.server === null || known.identified !== null ? known : await readHere(now, known);
    return { now, known, read };
  }
  async function readHere(now: Session, known: ReadDocument): Promise<ReadDocument> {
    const entry = now.entries.find(({ path }) => path === known.row.path);
    if (entry === undefined) return known;
    const is = { idOf: () => known.row.id, done: new Set<string>(), tree: now.tree, cancel };
    const { identified, row } = await readDocument(entry, { ...using, ...is });
    // Of what the server looked up it said the titles.
    const choices = known.row.choices.length > 0 ? known.row.choices : row.choices;
    return { identified, row: { ...known.row, choices, own: row.own, title: row.title } };
  }
  async function onServer({ id, name }: { id: string; name: string }): Promise<Session> {
    const { serverSession, valueOf } = await import('./server-session.ts');
    const documents = valueOf(await folders.serverFolder(id));
    return serverSession({ id, name }, documents, (path) => folders.serverFolderContent(id, path));
  }
  const folders = serverFolders(using.server);
  const ports = { lookup, isOffline: () => asking.offline };

  /** Nothing goes to a server where there is none. */
  const sharePart = async (): Promise<SharePart> =>
    using.server === undefined ? 'nothing' : (await readSettings(db)).documents_share;

  /** `cancelled`, where that is why it ended. */
  async function untilCancelled(work: () => Promise<void>): Promise<{ cancelled: boolean }> {
    try {
      await work();
      return { cancelled: cancel.aborted };
    } catch (error) {
      if (error instanceof AccessionError && error.failure.code === 'cancelled') return { cancelled: true };
      throw error;
    }
  }

  async function keptListings(): Promise<Manifest> {
    const row = await db.document_listings.get('listings');
    const { success, output } = v.safeParse(ManifestSchema, row?.manifest);
    return success ? output : { version: 1, entries: [] };
  }

  async function draftOf(now: Session, wish: DocumentWish): Promise<Draft> {
    const decided = wish.decided.flatMap(({ path, action }) => {
      const row = now.documents.get(path)?.row;
      if (row === undefined || row.id === '') return [];
      const { record, reasons, source } = row.proposal;
      const [notes, writable] = [reasons.slice(1).join(' '), row.whyNot === null];
      return [{ path, id: row.id, action, record, source, evidence: row.evidence, notes, writable }];
    });
    const made = makePlan(decided, {
      ...{
        id: now.draft?.plan.id ?? ids.next(),
        root: now.mediaFolderPath,
        entries: now.entries,
        rules: now.tree.rules,
      },
      ...{ rename: wish.rename, known: now.manifest.entries, now: new Date(clock.now()).toISOString() },
    });
    return { ...made, hash: await documentHash(made.plan) };
  }

  return {
    open: (source, lookUp, heard, told) =>
      answered(async () => {
        cancel.abort();
        cancel = new CancelSource();
        using.fetchAhead();
        await prepareAsking(lookUp);
        const now = source.kind === 'server' ? await onServer(source) : await openSession(source, using, cancel);
        session = now;
        const documents =
          now.server === null
            ? documentsIn(now.entries).filter(({ path }) => now.root === null || isPdfPath(path)).length
            : now.documents.size;
        const folder = now.server ?? now.root;
        told({ folder, name: now.name, documents, problem: now.problem } satisfies OpenedDocuments);
        if (now.server !== null) {
          for (const { row } of now.documents.values()) heard(row);
          return { cancelled: false };
        }
        return untilCancelled(() => readAll(now, { ...using, ...ports, cancel }, heard));
      }),
    lookUp: (heard) =>
      answered(async () => {
        const now = opened();
        await prepareAsking(true);
        const open = [...now.documents.values()].filter(
          ({ row }) =>
            (row.asked !== null || row.choices.length > 0) && row.doubleOf === null && row.proposal.sure !== 'strong',
        );
        return untilCancelled(async () => {
          for (const { row } of open) heard({ ...row, phase: 'looking' });
          await Promise.all(open.map((read) => askAbout(now, read, ports, heard)));
        });
      }),
    cancel: () => {
      cancel.abort();
      return Promise.resolve();
    },
    requery: (path, identifier, lookUp) =>
      answered(async () => {
        const { now, read } = await askingAbout(path, lookUp);
        const said = await lookedUp(renamedTo(read, identifier), lookup);
        now.documents.set(path, said);
        return said.row;
      }),
    findByTitle: (path, title, lookUp) =>
      answered(async () => {
        const { now, known, read } = await askingAbout(path, lookUp);
        const answer = await lookup.byTitle(title);
        // What was said of it meanwhile stays; what was found stands beside it.
        const is = now.documents.get(path);
        const base = is === undefined || is === known ? read : is;
        const row = { ...base.row, candidates: shownOf(answer, read.identified) };
        now.documents.set(path, { ...base, row });
        return { row, why: whyNone(answer) };
      }),
    advise: (path, lookUp) =>
      answered(async () => {
        const { now, known, read } = await askingAbout(path, lookUp);
        const { models } = using;
        if (models === undefined) throw failed('model_missing', 'No model is set.');
        const said = await advisedDocument(read, { ...using, models, tree: now.tree, lookup, signal: cancel });
        if (now.documents.get(path) === known) now.documents.set(path, said);
        return (now.documents.get(path) ?? said).row;
      }),
    unlock: (path, password, lookUp) =>
      answered(async () => {
        const now = opened();
        const [entry, before] = [now.entries.find((one) => one.path === path), now.documents.get(path)];
        if (entry === undefined || before === undefined) throw failed('not_found', `"${path}" is not there.`);
        await prepareAsking(lookUp);
        const { id, done, doubleOf } = before.row;
        const known = { idOf: () => id, done: new Set(done ? [id] : []), tree: now.tree, cancel, password };
        const read = await readDocument(entry, { ...using, ...known });
        if (read.row.locked) throw failed('invalid', 'That is not its password.');
        const said = await lookedUp({ ...read, row: { ...read.row, doubleOf } }, lookup);
        now.documents.set(path, said);
        return said.row;
      }),
    preview: (wish) =>
      answered(async () => {
        const now = opened();
        const draft = await draftOf(now, wish);
        now.draft = draft;
        now.wish = wish;
        const below = (path: string): string => path.slice(now.mediaFolderPath.length + 1);
        const names = Object.fromEntries(draft.plan.files.map(({ path, to }) => [below(path), below(to)]));
        const { problems } = await previewOf(draft.plan, now.entries, {
          ...{ rules: now.tree.rules, state: { sources: draft.sources }, replaced: [] },
        });
        return { hash: draft.hash, names, problems: draft.plan.files.length === 0 ? [] : problems };
      }),
    apply: (hash, heard) =>
      answered(async () => {
        const now = opened();
        const { draft } = now;
        if (draft?.hash !== hash)
          throw failed('conflict', 'The plan is not the one that was shown.', { remedy: 'Look again.' });
        if (now.problem !== null) throw failed('invalid', now.problem);
        cancel = new CancelSource();
        const { server } = now;
        if (server !== null && using.server !== undefined) {
          heard({ phase: 'preparing', done: 0, total: draft.plan.files.length });
          const { carryOutOnServer } = await import('./server-session.ts');
          const applied = await carryOutOnServer(
            { ...now, server },
            draft,
            { ...(now.wish ?? EMPTY_WISH), share: await sharePart() },
            await using.server(),
          );
          now.draft = null;
          return applied;
        }
        if (now.root === null) {
          const prepared = (done: number, total: number) => heard({ phase: 'preparing', done, total });
          const zipped = await zipOfDocuments(draft.plan, now.entries, { ...using, tree: now.tree, cancel, prepared });
          const { plan, told } = draft;
          const placeOf = ({ path }: (typeof plan.files)[number]): string => path.slice(now.mediaFolderPath.length + 1);
          await queueDone(db, now.tree, { plan, told, part: await sharePart(), now: clock.now(), placeOf });
          return { as: 'zip' as const, ...zipped };
        }
        const { root } = now;
        const share = await sharePart();
        const applied = await using.alone(LOCK, () =>
          carryOut({ ...now, root }, draft, { ...using, cancel, heard, share }),
        );
        now.draft = null;
        return applied;
      }),
    undo: (planId, heard) =>
      answered(() => {
        cancel = new CancelSource();
        return using.alone(LOCK, () => takeBack(planId, { ...using, cancel, heard, share: 'nothing' }));
      }),
    undoOnServer: (planId) =>
      answered(async () => {
        if (using.server === undefined) throw failed('offline', 'There is no catalog server.');
        const { undoOnServer } = await import('./server-session.ts');
        return undoOnServer(planId, await using.server());
      }),
    recover: (giveUp) =>
      answered(() =>
        using.alone(LOCK, async () => {
          const recovered = await recoverFolders(using, { read: () => Promise.resolve(null) }, BY, giveUp);
          await settlePlans(using);
          return recovered;
        }),
      ),
    listings: () => answered(() => keptListings()),
    keepListings: (before, after) =>
      answered(() =>
        db.transaction('rw', db.document_listings, async () => {
          const manifest = changedOver(await keptListings(), before, after);
          await db.document_listings.put({ id: 'listings', manifest });
          return manifest;
        }),
      ),
    ...folders,
    sharedContent: (sha256) =>
      answered(async () => {
        if (using.server === undefined) throw failed('offline', 'There is no catalog server.');
        const answer = await createSharedClient(await using.server()).content(sha256);
        if (!answer.ok) throw new AccessionError(answer.failure);
        return answer.value;
      }),
    content: (path) => answered(async () => joinBytes([await contentOf(opened().tree, path)]).buffer),
  };
}
