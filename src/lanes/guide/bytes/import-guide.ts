/** Brings a guide from its bytes into a store, where it takes its place at once. */
import { failed } from '#core/errors.ts';
import type { Cancel } from '#core/ports.ts';
import { GuideImport } from '#lanes/guide/core/app/import-rows.ts';
import type { GuideDraft, GuideRecord } from '#lanes/guide/core/store/guide-records.ts';
import type { GuideStore } from '#lanes/guide/core/store/guide-store.ts';
import { Zone } from '#lanes/guide/core/times/local-time.ts';
import { readGuide, type GuideBytes } from './read-guide.ts';

export interface ImportWish {
  /** Id of the guide: the same as before where it comes again. */
  guide: string;
  kind: GuideDraft['kind'];
  name: string;
  zone: string | null;
}

export interface ImportOptions {
  now: number;
  cancel?: Cancel;
  /** Called now and then. */
  onProgress?(progress: { bytes: number; programmes: number }): void;
}

/** Channels of one guide. */
const MOST_CHANNELS = 50_000;

const NOTHING = 'It has neither a channel nor a programme, and was not taken in.';

/**
 * What could be read counts, with a sentence in `notes` on what could not. Throws AccessionError `invalid` where nothing
 * could, `cancelled`, and what the store throws; the guide is what it was then.
 */
export async function importGuide(
  store: GuideStore,
  source: GuideBytes,
  { guide, kind, name, zone }: ImportWish,
  { now, cancel, onProgress }: ImportOptions,
): Promise<GuideRecord> {
  const stage = await store.stage(guide);
  try {
    const rows = new GuideImport(stage, zone === null ? null : new Zone(zone), () => store.rest());
    let bytes = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const piece of source) {
        bytes += piece.length;
        yield piece;
      }
    };
    const read = await readGuide(counted(), rows, {
      ...(cancel === undefined ? {} : { cancel }),
      async afterPiece() {
        if (rows.channels > MOST_CHANNELS)
          throw failed('too_large', `"${name}": A guide may have ${MOST_CHANNELS} channels.`, {
            remedy: 'Take it in as several guides, with some of its channels each.',
          });
        await rows.flush(bytes);
        onProgress?.({ bytes, programmes: rows.programmes });
      },
    });
    if (cancel?.aborted === true) throw failed('cancelled', `"${name}" was not taken in: it was cancelled.`);
    if (rows.isEmpty)
      throw failed('invalid', `"${name}": ${read.stopped ?? NOTHING}`, { remedy: 'Give another file.' });
    const { record } = await rows.end(read, { kind, name, zone, imported_at: now });
    return record;
  } catch (error) {
    await stage.drop().catch(() => undefined);
    throw error;
  }
}
