/** Items of a Plex or Jellyfin server, as they answer: asked with GET alone, a page at a time. */
import * as v from 'valibot';
import { failed } from '#core/errors.ts';
import type { GuideConfig } from '#server/config-file.ts';
import { createKeySource } from '#server/llm/key-source.ts';

export type MediaServer = NonNullable<GuideConfig['mediaServer']>;

/** An episode or a film. */
export interface MediaItem {
  id: string;
  /** Title of its show; null: a film. */
  show: string | null;
  title: string;
  season: number | null;
  episode: number | null;
  year: number | null;
  /** `2019-05-02`; null: not known. */
  aired: string | null;
}

const PAGE = 500;
const MOST_ITEMS = 50_000;
const PATIENCE_MS = 10_000;
/** Bytes of an answer: a page of items with all that is said of them. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Pages of one list: a server that gives few items a page, or the same for ever, is not asked without end. */
const MOST_PAGES = 1000;
/** Plex wants to know by what name it is asked. */
const PLEX_CLIENT = { 'X-Plex-Client-Identifier': 'accession', 'X-Plex-Product': 'Accession' };

// A field of another type than the documented one says nothing; the rest of the item counts.
const Whole = v.fallback(v.nullable(v.pipe(v.number(), v.safeInteger())), null);
const Text = v.fallback(v.nullable(v.string()), null);
const Id = v.pipe(
  v.union([v.pipe(v.string(), v.nonEmpty()), v.pipe(v.number(), v.safeInteger())]),
  v.transform((id) => String(id)),
);
const Total = v.fallback(v.optional(v.number(), 0), 0);
const listOf = <Item>(item: v.GenericSchema<unknown, Item>) =>
  v.pipe(
    v.nullish(v.array(v.unknown()), []),
    v.transform((rows) => ({
      rows: rows.length,
      // What has no id or no title names nothing.
      items: rows.flatMap((row): Item[] => {
        const read = v.safeParse(item, row);
        return read.success ? [read.output] : [];
      }),
    })),
  );

const Sections = v.object({
  MediaContainer: v.object({ Directory: listOf(v.object({ key: Id, type: v.string() })) }),
});
const PlexItem = v.object({
  ...{ ratingKey: Id, title: v.string(), grandparentTitle: Text, parentIndex: Whole, index: Whole },
  ...{ year: Whole, originallyAvailableAt: Text },
});
const PlexPage = v.object({
  // What all items of a page share may stand here alone.
  MediaContainer: v.object({
    ...{ totalSize: Total, grandparentTitle: Text, parentIndex: Whole },
    Metadata: listOf(PlexItem),
  }),
});
const JellyfinItem = v.object({
  ...{ Id, Type: v.string(), Name: v.string(), SeriesName: Text, ParentIndexNumber: Whole },
  ...{ IndexNumber: Whole, ProductionYear: Whole, PremiereDate: Text },
});
const JellyfinPage = v.object({ TotalRecordCount: Total, Items: listOf(JellyfinItem) });

/** A page: its items, how many rows it had, how many there are in all (0: not said). */
interface Page {
  items: MediaItem[];
  rows: number;
  total: number;
}

/** A connection to one media server. What it throws is AccessionError with a sentence; the token is in none of them. */
export function mediaServerOver({ kind, url, tokenCommand }: MediaServer, patienceMs = PATIENCE_MS) {
  const keys = createKeySource({ kind: 'command', command: tokenCommand }, { name: 'token_command' });
  const { host } = new URL(url);
  const base = url.replace(/\/+$/, '');

  async function token(refused: string | null): Promise<string> {
    const found = refused === null ? await keys.get() : await keys.after(refused);
    if (!found.ok) throw failed('offline', found.failure.message);
    return found.value ?? '';
  }

  async function get<Value>(path: string, schema: v.GenericSchema<unknown, Value>): Promise<Value> {
    const key = await token(null);
    let answer = await asked(path, key);
    if (answer.status === 401) answer = await asked(path, await token(key));
    if (answer.status >= 300 && answer.status < 400)
      throw failed('offline', `${host} sends to another address.`, { remedy: 'Name that one as "url".' });
    if (answer.status !== 200) throw failed('offline', `${host} answered ${answer.status}.`);
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), answer.text);
    if (!read.success) throw failed('offline', `${host} answered something that is no list of items.`);
    return read.output;
  }

  async function asked(path: string, key: string): Promise<{ status: number; text: string }> {
    const signIn =
      kind === 'plex' ? { ...PLEX_CLIENT, 'X-Plex-Token': key } : { Authorization: `MediaBrowser Token="${key}"` };
    const headers = { Accept: 'application/json', ...signIn };
    const signal = AbortSignal.timeout(patienceMs);
    let bytes = 0;
    try {
      // A redirect is not followed: the token goes to the address that a person named.
      const response = await fetch(`${base}${path}`, { headers, redirect: 'manual', signal });
      const pieces: Uint8Array[] = [];
      for await (const piece of response.body ?? []) {
        bytes += piece.length;
        if (bytes > MOST_BYTES) throw new Error('too large');
        pieces.push(piece);
      }
      return { status: response.status, text: Buffer.concat(pieces).toString('utf8') };
    } catch {
      // In words of our own: what is said of a connection may name what was sent.
      if (bytes > MOST_BYTES)
        throw failed('offline', `${host} answered more than ${MOST_BYTES / 1024 ** 2} MB at once.`);
      if (signal.aborted) throw failed('offline', `${host} gave no answer within ${patienceMs / 1000} s.`);
      throw failed('offline', `${host} cannot be reached.`);
    }
  }

  /** Until all are there, a page is empty, or one brings nothing new; a page may be shorter than was asked for. */
  async function* paged(page: (at: number) => Promise<Page>): AsyncGenerator<MediaItem> {
    const met = new Set<string>();
    for (let at = 0, pages = 0; pages < MOST_PAGES; pages++) {
      const { items, rows, total } = await page(at);
      const before = met.size;
      for (const item of items) {
        if (met.has(item.id)) continue;
        met.add(item.id);
        yield item;
      }
      at += rows;
      const isLast = total > 0 ? at >= total : rows < PAGE;
      if (rows === 0 || isLast || (items.length > 0 && met.size === before)) return;
    }
  }

  async function* plex(): AsyncGenerator<MediaItem> {
    const { Directory } = (await get('/library/sections', Sections)).MediaContainer;
    for (const { key, type } of Directory.items) {
      if (type !== 'show' && type !== 'movie') continue;
      const of = `/library/sections/${encodeURIComponent(key)}/all?type=${type === 'show' ? 4 : 1}`;
      yield* paged(async (at) => {
        const found = await get(`${of}&X-Plex-Container-Start=${at}&X-Plex-Container-Size=${PAGE}`, PlexPage);
        const { Metadata, totalSize, ...shared } = found.MediaContainer;
        const items = Metadata.items.map((one): MediaItem => ({
          ...{ id: one.ratingKey, title: one.title, year: one.year, aired: one.originallyAvailableAt },
          show: type === 'show' ? (one.grandparentTitle ?? shared.grandparentTitle ?? '') : null,
          ...{ season: one.parentIndex ?? shared.parentIndex, episode: one.index },
        }));
        return { items, rows: Metadata.rows, total: totalSize };
      });
    }
  }

  function jellyfin(): AsyncGenerator<MediaItem> {
    // Without an order the pages of a list have none.
    const of =
      '/Items?Recursive=true&IncludeItemTypes=Episode,Movie&EnableImages=false&CollapseBoxSetItems=false&SortBy=SortName';
    return paged(async (at) => {
      const { Items, TotalRecordCount } = await get(`${of}&StartIndex=${at}&Limit=${PAGE}`, JellyfinPage);
      const items = Items.items.map((one): MediaItem => ({
        ...{ id: one.Id, title: one.Name, show: one.Type === 'Episode' ? (one.SeriesName ?? '') : null },
        ...{ season: one.ParentIndexNumber, episode: one.IndexNumber, year: one.ProductionYear },
        aired: one.PremiereDate?.slice(0, 10) ?? null,
      }));
      return { items, rows: Items.rows, total: TotalRecordCount };
    });
  }

  return {
    kind,
    /** All of them, 50,000 at most. */
    async items(): Promise<MediaItem[]> {
      const found: MediaItem[] = [];
      for await (const item of kind === 'plex' ? plex() : jellyfin()) {
        if (found.length >= MOST_ITEMS) break;
        found.push(item);
      }
      return found;
    },
    /** One small question. */
    async probe(): Promise<boolean> {
      const { status } = await asked(kind === 'plex' ? '/identity' : '/System/Info/Public', await token(null));
      return status === 200;
    },
  };
}
