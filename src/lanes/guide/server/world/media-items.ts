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

const Whole = v.optional(v.nullable(v.number()), null);
const Text = v.optional(v.nullable(v.string()), null);
const Sections = v.object({
  MediaContainer: v.object({ Directory: v.optional(v.array(v.object({ key: v.string(), type: v.string() })), []) }),
});
const PlexPage = v.object({
  MediaContainer: v.object({
    totalSize: v.optional(v.number()),
    Metadata: v.optional(
      v.array(
        v.object({
          ...{ ratingKey: v.string(), title: v.string(), grandparentTitle: Text, parentIndex: Whole, index: Whole },
          ...{ year: Whole, originallyAvailableAt: Text },
        }),
      ),
      [],
    ),
  }),
});
const JellyfinPage = v.object({
  TotalRecordCount: v.number(),
  Items: v.array(
    v.object({
      ...{ Id: v.string(), Type: v.string(), Name: v.string(), SeriesName: Text, ParentIndexNumber: Whole },
      ...{ IndexNumber: Whole, ProductionYear: Whole, PremiereDate: Text },
    }),
  ),
});

/** A connection to one media server. What it throws is AccessionError with a sentence; the token is in none of them. */
export function mediaServerOver({ kind, url, tokenCommand }: MediaServer, patienceMs = PATIENCE_MS) {
  const keys = createKeySource({ kind: 'command', command: tokenCommand }, { name: 'token_command' });
  const host = new URL(url).host;

  async function token(refused: string | null): Promise<string> {
    const found = refused === null ? await keys.get() : await keys.after(refused);
    if (!found.ok) throw failed('offline', found.failure.message);
    return found.value ?? '';
  }

  async function get<Value>(path: string, schema: v.GenericSchema<unknown, Value>): Promise<Value> {
    const key = await token(null);
    let answer = await asked(path, key);
    if (answer.status === 401) answer = await asked(path, await token(key));
    if (answer.status !== 200) throw failed('offline', `${host} answered ${answer.status}.`);
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), answer.text);
    if (!read.success) throw failed('offline', `${host} answered something that is no list of items.`);
    return read.output;
  }

  async function asked(path: string, key: string): Promise<{ status: number; text: string }> {
    const signIn = kind === 'plex' ? { 'X-Plex-Token': key } : { Authorization: `MediaBrowser Token="${key}"` };
    const headers = { Accept: 'application/json', ...signIn };
    try {
      const signal = AbortSignal.timeout(patienceMs);
      const response = await fetch(`${url}${path}`, { headers, redirect: 'error', signal });
      const pieces: Uint8Array[] = [];
      let bytes = 0;
      for await (const piece of response.body ?? []) {
        bytes += piece.length;
        if (bytes > MOST_BYTES) throw new Error('too large');
        pieces.push(piece);
      }
      return { status: response.status, text: Buffer.concat(pieces).toString('utf8') };
    } catch {
      // What is said of a connection may name what was sent.
      throw failed('offline', `${host} gave no answer within ${patienceMs / 1000} s.`);
    }
  }

  async function* plex(): AsyncGenerator<MediaItem> {
    const { Directory } = (await get('/library/sections', Sections)).MediaContainer;
    for (const { key, type } of Directory) {
      if (type !== 'show' && type !== 'movie') continue;
      const of = `/library/sections/${encodeURIComponent(key)}/all?type=${type === 'show' ? 4 : 1}`;
      for (let at = 0; ; at += PAGE) {
        const page = `${of}&X-Plex-Container-Start=${at}&X-Plex-Container-Size=${PAGE}`;
        const { Metadata } = (await get(page, PlexPage)).MediaContainer;
        for (const {
          ratingKey: id,
          title,
          grandparentTitle,
          parentIndex,
          index,
          year,
          originallyAvailableAt,
        } of Metadata)
          yield {
            ...{ id, title, show: type === 'show' ? grandparentTitle : null, season: parentIndex, episode: index },
            ...{ year, aired: originallyAvailableAt },
          };
        if (Metadata.length < PAGE) break;
      }
    }
  }

  async function* jellyfin(): AsyncGenerator<MediaItem> {
    const of = '/Items?Recursive=true&IncludeItemTypes=Episode,Movie&EnableImages=false';
    for (let at = 0; ; at += PAGE) {
      const { Items } = await get(`${of}&StartIndex=${at}&Limit=${PAGE}`, JellyfinPage);
      for (const { Id, Type, Name, SeriesName, ParentIndexNumber, IndexNumber, ProductionYear, PremiereDate } of Items)
        yield {
          ...{ id: Id, title: Name, show: Type === 'Episode' ? SeriesName : null, season: ParentIndexNumber },
          ...{ episode: IndexNumber, year: ProductionYear, aired: PremiereDate?.slice(0, 10) ?? null },
        };
      if (Items.length < PAGE) break;
    }
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
