/** The copy of a media server's items, which look-ups read: brought up to date, and held against the guides. */
import * as v from 'valibot';
import type { GuideStore } from '#lanes/guide/core/store/guide-store.ts';
import { EVERYTHING } from '#lanes/guide/core/store/guide-store.ts';
import { unpackProgrammes } from '#lanes/guide/core/store/packed.ts';
import { foldWords } from '#lanes/guide/core/faults/words/fold.ts';
import { textsOf } from '#lanes/guide/core/read/element.ts';
import type { ShowCatalog } from '#lanes/guide/core/repair/show-catalog.ts';
import type { Mend, SkippedMend, ToolReport } from '#lanes/guide/core/run/run.types.ts';
import { chunks, upsert } from '#server/store/rows.ts';
import type { Reader } from '#server/store/schema.ts';
import type { Store } from '#server/store/store.ts';
import { readSetting, writeSetting } from '../settings.ts';
import type { MediaItem } from './media-items.ts';

const COPY = 'media_copy';
/** Rows of a diff that are told one by one. */
const MOST_TOLD = 500;
const State = v.object({ at: v.number(), mismatch: v.boolean() });

/** When the copy was made, and whether it differs from the guides; null: it never was. */
export async function readCopy(db: Reader): Promise<v.InferOutput<typeof State> | null> {
  const kept = v.safeParse(State, await readSetting(db, COPY));
  return kept.success ? kept.output : null;
}

export async function copiedItems(db: Reader): Promise<MediaItem[]> {
  const rows = await db.selectFrom('guide_items').select('item').orderBy('id').execute();
  // Written by `putCopy` alone.
  return rows.map(({ item }) => JSON.parse(item) as MediaItem);
}

/** The copy is what came, in one transaction. Its diff says what is new, changed and gone. */
export async function putCopy(
  store: Pick<Store, 'db' | 'write'>,
  guides: GuideStore,
  items: readonly MediaItem[],
  { at, source }: { at: number; source: string },
): Promise<ToolReport> {
  const mismatch = await differs(guides, items);
  const diff = await store.write(async (tx) => {
    const before = new Map((await copiedItems(tx)).map((item) => [item.id, item]));
    const after = new Map(items.map((item) => [item.id, item]));
    const all: Mend[] = [];
    const say = (id: string, was: MediaItem | null, is: MediaItem | null, reason: string): void =>
      void all.push({
        ...{ where: id, field: 'item', before: was && told(was), after: is === null ? '' : told(is) },
        ...{ source, reasons: [reason] },
      });
    const put: { id: string; item: string }[] = [];
    for (const [id, item] of after) {
      const was = before.get(id) ?? null;
      const text = JSON.stringify(item);
      if (was !== null && JSON.stringify(was) === text) continue;
      put.push({ id, item: text });
      say(id, was, item, was === null ? 'it is new' : 'it changed');
    }
    const gone = [...before.keys()].filter((id) => !after.has(id));
    for (const id of gone) say(id, before.get(id) ?? null, null, 'it is gone');
    await upsert(tx, 'guide_items', put);
    for (const part of chunks(gone)) await tx.deleteFrom('guide_items').where('id', 'in', part).execute();
    await writeSetting(tx, COPY, { at, mismatch });
    return all;
  });
  const more = diff.length - MOST_TOLD;
  const skipped: SkippedMend[] = more > 0 ? [{ where: '', field: 'item', why: `${more} more are not listed.` }] : [];
  return { changed: diff.length, diff: diff.slice(0, MOST_TOLD), skipped };
}

const told = ({ show, title, season, episode, year }: MediaItem): string =>
  show === null ? `${title} (${year ?? '?'})` : `${show} S${season ?? '?'}E${episode ?? '?'} ${title}`;

/** As a catalog of shows; those that another catalog has by this title are its own. */
export function showsOf(items: readonly MediaItem[], known: ReadonlySet<string>): ShowCatalog['shows'] {
  const shows = new Map<string, ShowCatalog['shows'][number]>();
  for (const { show, title, season, episode, aired } of items) {
    if (show === null || season === null || episode === null || known.has(foldWords(show))) continue;
    const of = shows.get(foldWords(show)) ?? { title: show, titles: [], year: null, seasons: [] };
    shows.set(foldWords(show), of);
    let in_ = of.seasons.find(({ number }) => number === season);
    if (in_ === undefined) of.seasons.push((in_ = { number: season, episodes: [] }));
    in_.episodes.push({ number: episode, title, air_date: aired });
  }
  return [...shows.values()];
}

/** Season or episode of an episode, or the year of a film, are others in a guide. */
async function differs(guides: GuideStore, items: readonly MediaItem[]): Promise<boolean> {
  const episodes = new Map<string, Set<string>>();
  const films = new Map<string, Set<string>>();
  const add = (map: Map<string, Set<string>>, key: string, value: string): void =>
    void map.set(key, (map.get(key) ?? new Set()).add(value));
  for (const { show, title, season, episode, year } of items)
    if (show === null) add(films, foldWords(title), String(year));
    else if (season !== null && episode !== null)
      add(episodes, `${foldWords(show)}\n${foldWords(title)}`, `${season - 1}.${episode - 1}.`);
  if (items.length === 0) return false;
  for (const { id } of await guides.guides())
    for await (const { data } of guides.programmes(id, EVERYTHING))
      for (const { element } of unpackProgrammes(data)) {
        const [title = ''] = textsOf(element, 'title');
        const [subTitle] = textsOf(element, 'sub-title');
        const number = element.children.find(
          ({ name, attributes }) => name === 'episode-num' && attributes['system'] === 'xmltv_ns',
        );
        const numbers = episodes.get(`${foldWords(title)}\n${foldWords(subTitle ?? '')}`);
        const said = number?.text.replace(/\s|\/\d+/g, '').replace(/\d*$/, '');
        if (said !== undefined && numbers?.has(said) === false) return true;
        const [date] = textsOf(element, 'date');
        const years = subTitle === undefined ? films.get(foldWords(title)) : undefined;
        if (date !== undefined && years?.has(date.slice(0, 4)) === false) return true;
      }
  return false;
}
