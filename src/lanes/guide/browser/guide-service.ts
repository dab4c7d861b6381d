/** Guides of this browser: what its worker offers the page. */
import { readSettings } from '#adapters/browser/settings.ts';
import { failed } from '#core/errors.ts';
import { answered } from '#core/result.ts';
import { GuideApp } from '#lanes/guide/core/app/guide-app.ts';
import { readLineup } from '#lanes/guide/core/lineup/read-lineup.ts';
import { answerFaults } from '#lanes/guide/core/app/answers.ts';
import { editProgrammes } from '#lanes/guide/core/app/edit.ts';
import { exportStored } from '#lanes/guide/core/app/export-stored.ts';
import { overlaidLineup } from '#lanes/guide/core/app/overlaid-lineup.ts';
import { Standing } from '#lanes/guide/core/app/standing.ts';
import type { GuideRecord } from '#lanes/guide/core/store/guide-records.ts';
import type { GuideStore } from '#lanes/guide/core/store/guide-store.ts';
import { writeLineup } from '#lanes/guide/core/write/write-lineup.ts';
import { importGuide } from '../bytes/import-guide.ts';
import type { GuideApi, Taken } from './guide-api.types.ts';
import { bytesOfFile } from './guide-bytes.ts';
import { cardOf, channelNames, faultRows, gridOf, healthOf } from './guide-reads.ts';
import { dexieGuideStore } from './guide-store.ts';
import { guidePorts, type GuideMachine } from './guide-ports.ts';
import { dexieRunStore } from './run-store.ts';
import { recoverRuns, watchGuides } from './guide-watch.ts';
import { previewOf, schedulesOf } from './schedules-here.ts';

export type { GuideMachine };

/** Bytes by which a lineup is told from a guide. */
const HEAD = 512;

export function createGuideService(machine: GuideMachine): GuideApi {
  const { db, clock, ids } = machine;
  const store = dexieGuideStore(db, ids);
  const { store: runs, archive } = dexieRunStore(db);
  const app = new GuideApp(guidePorts(machine, { store, runs, archive }));
  let importing: { aborted: boolean } | null = null;
  // What is damaged there is said by the first run.
  const recovered = recoverRuns(machine, app).catch(() => undefined);

  async function takeGuide(file: File, onProgress: Parameters<GuideApi['take']>[2]): Promise<Taken> {
    const known = (await store.guides()).find(({ kind, name }) => kind === 'file' && name === file.name);
    const { guide_zone } = await readSettings(db);
    const cancel = { aborted: false };
    if (importing !== null) importing.aborted = true;
    importing = cancel;
    let share = 0;
    const bytes = bytesOfFile(file, (read) => (share = file.size === 0 ? 1 : read / file.size));
    const lookups = await store.lookupCounts();
    const wish = { guide: known?.id ?? ids.next(), kind: 'file' as const, name: file.name };
    const guide = await importGuide(
      store,
      bytes,
      { ...wish, zone: guide_zone === '' ? null : guide_zone },
      { now: clock.now(), cancel, onProgress: ({ programmes }) => onProgress({ share, programmes }) },
    );
    await app.imported(lookups, false);
    return { kind: 'guide', guide };
  }

  async function takeLineup(file: File, wanted: string | null): Promise<Taken> {
    const guides = await store.guides();
    const guide = wanted ?? [...guides].sort((a, b) => b.imported_at - a.imported_at)[0]?.id;
    if (guide === undefined)
      throw failed('invalid', `"${file.name}" is a lineup, and there is no guide yet that it could belong to.`, {
        remedy: 'Drop the guide first, then its lineup.',
      });
    const read = readLineup(await file.text());
    await store.putLineup(guide, { name: file.name, read });
    await app.notePoint();
    return { kind: 'lineup', entries: read.entries.length, unreadable: read.unreadable };
  }

  const dismissals = {
    dismiss: (guide, of) =>
      answered(async () => {
        const at = clock.now();
        const rows = of.map((one) => ({ schema_version: 1 as const, id: ids.next(), guide, at, of: one }));
        await store.putDismissals(rows);
        await app.notePoint();
        return rows.map(({ id }) => id);
      }),
    restore: (gone) =>
      answered(async () => {
        await store.removeDismissals(gone);
        await app.notePoint();
        return null;
      }),
  } satisfies Partial<GuideApi>;

  return {
    take: (file, guide, onProgress) =>
      answered(async () => ((await looksLikeLineup(file)) ? takeLineup(file, guide) : takeGuide(file, onProgress))),
    cancel() {
      if (importing !== null) importing.aborted = true;
    },
    remove: (guide) => answered(async () => (await store.remove(guide), null)),
    exported: (guide, packed) => answered(async () => blobOf(store, await guideOf(store, guide), packed)),
    lineupFile: (guide, form) =>
      answered(async () => {
        const lineup = await store.lineup(guide);
        if (lineup === null) throw failed('not_found', 'This guide has no lineup.', { remedy: 'Drop one first.' });
        const standing = new Standing(await store.mends({ guides: [guide], channels: null }));
        return writeLineup(overlaidLineup(lineup.read, standing).entries, form);
      }),
    health: (channel) => answered(async () => healthOf({ db, store, archive, now: clock.now() }, channel)),
    channels: () => answered(async () => channelNames(store)),
    faults: (wish) => answered(async () => faultRows(store, wish)),
    grid: (wish) => answered(async () => gridOf(store, wish)),
    card: (cell) => answered(async () => cardOf(store, cell)),
    run: (channel) =>
      answered(async () => {
        await recovered;
        const begun = await app.runs.trigger({ how: 'demand', channel, by_run: false });
        if (!begun.begun) return begun;
        await begun.ended;
        await app.notePoint();
        return { begun: true, run: begun.run };
      }),
    dryRun: (channel) => answered(async () => app.dryRun(channel)),
    undo: (wish) => answered(async () => app.undo(wish)),
    asked: (text, channel) =>
      answered(async () => {
        await recovered;
        const begun = await app.runs.asked(text, channel, false);
        if (begun?.begun !== true) return begun;
        void begun.ended.then(() => app.notePoint()).catch(() => undefined);
        return { begun: true, run: begun.run };
      }),
    lift: (channel) => answered(async () => (await app.runs.lift(channel), null)),
    runs: (limit) =>
      answered(async () => ({
        records: await archive.records(limit),
        mends: await store.mends({ guides: null, channels: null }),
      })),
    ...dismissals,
    edit: ({ guide, channel, start, about }, field, after) =>
      answered(async () => {
        await editProgrammes(store, guide, [{ channel, start, about, field, after }], { clock, ids });
        await app.notePoint();
        return null;
      }),
    answer: (wish) =>
      answered(async () => {
        const given = await answerFaults(store, wish, { clock, ids });
        await app.notePoint();
        return given;
      }),
    schedules: () => answered(async () => schedulesOf(machine, store)),
    putSchedule: (row) => answered(async () => (await store.putSchedule(row), await app.derive(), null)),
    removeSchedule: (channel) => answered(async () => (await store.removeSchedule(channel), await app.derive(), null)),
    preview: (channel, days) => answered(async () => previewOf(machine, channel, days)),
    watch: () => watchGuides(machine, app),
  };
}

async function looksLikeLineup(file: Blob): Promise<boolean> {
  const head = (await file.slice(0, HEAD).text()).replace(/^\ufeff/, '').trimStart();
  return /^(?:[[{]|#EXTM3U|#EXTINF)/i.test(head);
}

async function guideOf(store: GuideStore, id: string): Promise<GuideRecord> {
  const guide = await store.guide(id);
  if (guide === null) throw failed('not_found', 'This guide is not there any more.');
  return guide;
}

/** Pieces are kept by the browser, which may put them on the disk. */
async function blobOf(store: GuideStore, guide: GuideRecord, packed: boolean): Promise<Blob> {
  const pieces: Blob[] = [];
  for await (const text of exportStored(store, guide)) pieces.push(new Blob([text]));
  const plain = new Blob(pieces, { type: 'application/xml' });
  if (!packed) return plain;
  const stream = plain.stream().pipeThrough(new CompressionStream('gzip'));
  return new Blob([await new Response(stream).arrayBuffer()], { type: 'application/gzip' });
}
