/**
 * Writes a stored guide as XMLTV: valid, times in UTC, with the mends that hold. By channel and time, a day in memory and some
 * programmes a piece.
 */
import { inTurns, sorting } from '#core/steps.ts';
import { newElement, type GuideElement } from '../read/element.ts';
import type { GuideRecord, StoredProgramme } from '../store/guide-records.ts';
import { EVERYTHING, type GuideStore } from '../store/guide-store.ts';
import { unpackProgrammes } from '../store/packed.ts';
import { Zone } from '../times/local-time.ts';
import { channelToWrite, headOf, programmeText, TAIL } from '../write/write-guide.ts';
import { overlaid } from './overlaid.ts';
import { aboutOf } from './place.ts';
import { Standing } from './standing.ts';

/** Programmes of a piece: writing them takes a few milliseconds. */
const PIECE = 50;

/** `mended` false: as the source has it. Throws AccessionError `conflict` where the guide is replaced meanwhile. */
export async function* exportStored(store: GuideStore, guide: GuideRecord, mended = true): AsyncGenerator<string> {
  const zone = guide.zone === null ? null : new Zone(guide.zone);
  const rows = mended ? await store.mends({ guides: [guide.id], channels: null }) : [];
  const standing = new Standing(rows);
  const channels = (await store.channels(guide.id)).flatMap(({ id, element, declared }): GuideElement[] => {
    const written = id === '' && !declared ? null : channelToWrite(element ?? newElement('channel', { id }));
    return written === null ? [] : [written];
  });
  yield headOf(guide.attributes, channels);
  let day: { key: string; programmes: StoredProgramme[] } = { key: '', programmes: [] };
  async function* pieces(): AsyncGenerator<string> {
    const inOrder = await inTurns(sorting(day.programmes, byStart), () => store.rest());
    for (let at = 0; at < inOrder.length; at += PIECE) {
      const some = inOrder.slice(at, at + PIECE).map((programme) => written(programme, standing, zone));
      const text = some.join('');
      if (text !== '') yield text;
    }
  }
  for await (const { channel, day: of, data } of store.programmes(guide.id, EVERYTHING)) {
    const key = `${of} ${channel}`;
    if (key !== day.key) {
      yield* pieces();
      day = { key, programmes: [] };
    }
    for (const programme of unpackProgrammes(data)) day.programmes.push(programme);
  }
  yield* pieces();
  yield TAIL;
}

const byStart = (a: StoredProgramme, b: StoredProgramme): number => (a.start ?? 0) - (b.start ?? 0) || a.n - b.n;

function written({ start, element }: StoredProgramme, standing: Standing, zone: Zone | null): string {
  const { channel = '', start: from = '' } = element.attributes;
  const rows = standing.at({ channel, start, where: `${channel}@${from}` }, aboutOf(element));
  return programmeText(rows.length === 0 ? element : overlaid(element, rows), [], zone) ?? '';
}
