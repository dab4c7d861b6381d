/** The lineup that is written out with a guide: the one it was given, else its channels; with addresses of streams. */
import { overlaidLineup } from '#lanes/guide/core/app/overlaid-lineup.ts';
import { byGuide, Standing } from '#lanes/guide/core/app/standing.ts';
import type { LineupEntry } from '#lanes/guide/core/lineup/read-lineup.ts';
import type { ChannelRecord } from '#lanes/guide/core/store/guide-records.ts';
import type { GuideStore } from '#lanes/guide/core/store/guide-store.ts';

const NUMBER = /^\d{1,5}(?:\.\d{1,3})?$/;

/** @param streamUrl `[guide] stream_url`: `{number}` and `{id}` stand for the channel's */
export async function lineupOut(store: GuideStore, guide: string, streamUrl: string | null): Promise<LineupEntry[]> {
  const kept = await store.lineup(guide);
  const standing = byGuide(await store.mends({ guides: [guide], channels: null })).get(guide) ?? new Standing([]);
  const given = kept === null ? [] : overlaidLineup(kept.read, standing).entries;
  const entries = given.length > 0 ? given : (await store.channels(guide)).flatMap(entryOf);
  return entries.map((entry) => ({ ...entry, url: entry.url ?? filled(streamUrl, entry) }));
}

function entryOf({ id, declared, displayNames }: ChannelRecord): LineupEntry[] {
  if (!declared) return [];
  const guideNumber = displayNames.find((name) => NUMBER.test(name)) ?? null;
  return [{ guideNumber, guideName: displayNames.find((name) => !NUMBER.test(name)) ?? id, epgId: id, url: null }];
}

/** null: an address needs something that the entry has not. */
function filled(streamUrl: string | null, { guideNumber, epgId }: LineupEntry): string | null {
  if (streamUrl === null) return null;
  const values = { number: guideNumber, id: epgId };
  let missing = false;
  const url = streamUrl.replace(/\{(number|id)\}/g, (_whole, name: 'number' | 'id') => {
    missing ||= values[name] === null;
    return encodeURIComponent(values[name] ?? '');
  });
  return missing ? null : url;
}
