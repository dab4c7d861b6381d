/** Lineups as files: HDHomeRun's JSON, and M3U. */
import type { LineupEntry } from '../lineup/read-lineup.ts';

export interface WrittenLineup {
  text: string;
  /** What is missing, in a sentence; null: nothing. */
  missing: string | null;
}

export function writeLineup(entries: readonly LineupEntry[], form: 'json' | 'm3u'): WrittenLineup {
  const without = entries.filter(({ url }) => url === null).length;
  const missing =
    without === 0 ? null : `${without} of ${entries.length} channels have no address of a stream: players skip them.`;
  return { text: form === 'json' ? json(entries) : playlist(entries), missing };
}

const json = (entries: readonly LineupEntry[]): string =>
  `${JSON.stringify(
    entries.map(({ guideNumber, guideName, epgId, url }) => ({
      ...{ GuideNumber: guideNumber ?? '', GuideName: guideName },
      ...(epgId === null ? {} : { EpgId: epgId }),
      ...(url === null ? {} : { URL: url }),
    })),
    null,
    2,
  )}\n`;

/** An entry without an address is left out of M3U, in which each has one. */
function playlist(entries: readonly LineupEntry[]): string {
  const lines = entries.flatMap(({ guideNumber, guideName, epgId, url }) => {
    if (url === null) return [];
    const said = [
      ...(epgId === null ? [] : [`tvg-id="${quoted(epgId)}"`]),
      ...(guideNumber === null ? [] : [`tvg-chno="${quoted(guideNumber)}"`]),
    ];
    return [`#EXTINF:-1 ${said.join(' ')},${line(guideName)}`, line(url)];
  });
  return `${['#EXTM3U', ...lines].join('\n')}\n`;
}

const line = (text: string): string => text.replace(/[\r\n]+/g, ' ');
const quoted = (text: string): string => line(text).replaceAll('"', "'");
