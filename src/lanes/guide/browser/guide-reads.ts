/** What the page reads: health, faults with their texts, the grid, a programme with its mends. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { readSettings } from '#adapters/browser/settings.ts';
import { gatesOf } from '#lanes/guide/core/app/gates.ts';
import { channelName, gridPage } from '#lanes/guide/core/app/grid.ts';
import { countOpen, issuesOf, recentErrors } from '#lanes/guide/core/app/guide-view.ts';
import { ALL_FAULTS, openFaults, type OpenFault } from '#lanes/guide/core/app/open-faults.ts';
import { overlaid } from '#lanes/guide/core/app/overlaid.ts';
import { aboutOf } from '#lanes/guide/core/app/place.ts';
import { Standing } from '#lanes/guide/core/app/standing.ts';
import { whatMends } from '#lanes/guide/core/app/what-mends.ts';
import { faultWords } from '#lanes/guide/core/faults/fault-words.ts';
import { textsOf, type GuideElement } from '#lanes/guide/core/read/element.ts';
import { escalationSentence } from '#lanes/guide/core/run/guards.ts';
import type { RunArchive } from '#lanes/guide/core/run/ports.ts';
import { envelopeOf } from '#lanes/guide/core/run/question.ts';
import type { GuideStore } from '#lanes/guide/core/store/guide-store.ts';
import { unpackProgrammes } from '#lanes/guide/core/store/packed.ts';
import type { Card, Cell, ChannelName, FaultRow, FaultWish, Grid, GridWish, Health } from './guide-api.types.ts';

const DAY = 86_400_000;

/** Of one channel, or (null) of the whole. */
export async function healthOf(
  { db, store, archive, now }: { db: AccessionDb; store: GuideStore; archive: RunArchive; now: number },
  channel: string | null,
): Promise<Health> {
  const guides = await store.guides();
  const counted = await countOpen(store, { ...ALL_FAULTS, channel });
  const { counts, codes, programmes, failing } = counted;
  const settings = await readSettings(db);
  const failures = await store.lookupFailures();
  const recent_errors = recentErrors(failures.slice(-10).map(({ code, sentence }) => `${code}: ${sentence}`));
  const lineups: Record<string, string> = {};
  for (const { id } of guides) {
    const lineup = await store.lineup(id);
    if (lineup !== null) lineups[id] = lineup.name;
  }
  return {
    ...{ guides, lineups, programmes, failing, counts, codes, issues: issuesOf(counted, channel) },
    envelope: envelopeOf({ programmes, failing, open: counts, plex_mismatch: false, recent_errors }),
    points: await store.points(),
    gates: gatesOf(await archive.memory(), channel, { ...settings, containment: settings.guide_containment }, now),
    dismissals: await store.dismissals(),
    escalations: (await archive.escalations(5)).map((one) => ({ ...one, words: escalationSentence(one) })),
  };
}

/** Channels of all guides by name, each id once. */
export async function channelNames(store: GuideStore): Promise<ChannelName[]> {
  const names = new Map<string, string>();
  for (const { id } of await store.guides())
    for (const channel of await store.channels(id))
      if (channel.id !== '' && !names.has(channel.id)) names.set(channel.id, channelName(channel));
  return [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name));
}

/** The faults of the wish, those of one page with what their programmes say. */
export async function faultRows(store: GuideStore, wish: FaultWish): Promise<{ total: number; rows: FaultRow[] }> {
  const { guide, channel, type, code, offset, limit } = wish;
  const page: OpenFault[] = [];
  let total = 0;
  for await (const faults of openFaults(store, { guide, channel, days: null }))
    for (const fault of faults) {
      if ((type !== null && fault.type !== type) || (code !== null && fault.code !== code)) continue;
      if (total >= offset && page.length < limit) page.push(fault);
      total++;
    }
  return { total, rows: await Promise.all(page.map((fault) => faultRow(store, fault))) };
}

async function faultRow(store: GuideStore, fault: OpenFault): Promise<FaultRow> {
  const { type, code } = fault;
  const row: FaultRow = {
    ...{ ...fault, words: faultWords(code === null ? { type } : { type, code }), mends: whatMends(fault) },
    text: null,
  };
  if (fault.channel === null) return row;
  if (fault.start === null) return { ...row, text: await nameOf(store, fault.guide, fault.channel) };
  const day = Math.floor(fault.start / DAY);
  const days = { from: day, to: day + 1 };
  for await (const { data } of store.programmes(fault.guide, { channels: [fault.channel], days }))
    for (const { start, element } of unpackProgrammes(data))
      if (start === fault.start && aboutOf(element) === fault.about) row.text = textOf(element);
  return row;
}

/** Null: it has none but its id. */
async function nameOf(store: GuideStore, guide: string, id: string): Promise<string | null> {
  const channel = (await store.channels(guide)).find((one) => one.id === id);
  const name = channel === undefined ? id : channelName(channel);
  return name === id ? null : name;
}

function textOf(element: GuideElement): string {
  const [title = ''] = textsOf(element, 'title');
  const [sub] = textsOf(element, 'sub-title');
  return sub === undefined ? title : `${title}: ${sub}`;
}

export const gridOf = async (store: GuideStore, wish: GridWish): Promise<Grid> => ({
  ...(await gridPage(store, { guide: null, ...wish })),
  span: wish.offset === 0 ? await spanOf(store) : null,
});

/** Of the first channels: whole guides need not be read for it. */
async function spanOf(store: GuideStore): Promise<Grid['span']> {
  let [from, to] = [Infinity, -Infinity];
  for (const { id } of await store.guides()) {
    const channels = (await store.channels(id)).filter(({ programmes }) => programmes > 0).slice(0, 3);
    for await (const { day } of store.programmes(id, { channels: channels.map((channel) => channel.id), days: null })) {
      if (day === null) continue;
      from = Math.min(from, day * DAY);
      to = Math.max(to, day * DAY + DAY - 1);
    }
  }
  return from > to ? null : { from, to };
}

const FIELDS = ['title', 'sub-title', 'desc', 'episode-num', 'date', 'category'];

export async function cardOf(
  store: GuideStore,
  { guide, channel, start, about }: Pick<Cell, 'guide' | 'channel' | 'start' | 'about'>,
): Promise<Card> {
  const day = Math.floor(start / DAY);
  const standing = new Standing(await store.mends({ guides: [guide], channels: [channel] }));
  const name = (await nameOf(store, guide, channel)) ?? channel;
  for await (const { data } of store.programmes(guide, { channels: [channel], days: { from: day, to: day + 1 } }))
    for (const { start: own, element } of unpackProgrammes(data)) {
      if (own !== start || aboutOf(element) !== about) continue;
      const rows = standing.at({ channel, start, where: '' }, about);
      const mended = overlaid(element, rows);
      const said = (of: GuideElement, field: string): string =>
        field === 'start' || field === 'stop' ? (of.attributes[field] ?? '') : textsOf(of, field).join(' · ');
      const fields = ['start', 'stop', ...FIELDS].map((field) => ({
        ...{ field, source: said(element, field), now: said(mended, field) },
        mend: rows.find((row) => row.field === field || (field === 'start' && row.field === 'times')) ?? null,
      }));
      return { name, fields: fields.filter(({ source, now, mend }) => source !== '' || now !== '' || mend !== null) };
    }
  return { name, fields: [] };
}
