/** An import on its way into the database: rows that nobody reads until the guide names them. */
import type { GuideDraft, GuideRecord, PackedDay } from '#lanes/guide/core/store/guide-records.ts';
import type { GuideStage, StagedRows } from '#lanes/guide/core/store/guide-store.ts';
import { chunks, upsert } from '#server/store/rows.ts';
import type { Tx } from '#server/store/schema.ts';
import type { Store } from '#server/store/store.ts';
import { guideIn } from './guide-rows.ts';
import { noLookups } from './sql-guide-notes.ts';
import { keptOrFull, replaced } from './store-failure.ts';
import { sweep } from './sweep.ts';

/** What is written together with the guide. */
export type AtFinish = (tx: Tx, guide: GuideRecord) => Promise<void>;

/** Rows of one transaction, and characters: a day of a channel is some ten kilobytes. */
const [PART, PART_CHARACTERS] = [100, 500_000];

export class SqlGuideStage implements GuideStage {
  readonly #store: Pick<Store, 'db' | 'write'>;
  readonly #guide: string;
  readonly #import: string;
  #n = 0;

  readonly #atFinish: AtFinish;

  constructor(store: Pick<Store, 'db' | 'write'>, stage: { guide: string; import: string }, atFinish: AtFinish) {
    this.#store = store;
    this.#atFinish = atFinish;
    this.#guide = stage.guide;
    this.#import = stage.import;
  }

  async add({ channels = [], programmes = [], faults = [] }: StagedRows): Promise<void> {
    const of = this.#import;
    for (const part of chunks(channels, 4, PART)) {
      const rows = part.map((row) => ({ import: of, n: this.#n++, id: row.id, channel: JSON.stringify(row) }));
      await this.#write(async (tx) => void (await tx.insertInto('guide_channels').values(rows).execute()));
    }
    for (const [kind, days] of [programmes, faults].entries())
      for (const part of parts(days)) {
        const rows = part.map((day) => this.#row(kind, day));
        await this.#write(async (tx) => void (await tx.insertInto('guide_days').values(rows).execute()));
      }
  }

  #row(faults: number, { channel, day, count, data }: PackedDay) {
    const place = { channel: channel === null ? '' : `c${channel}`, day: day ?? -1 };
    return { import: this.#import, faults, ...place, n: this.#n++, count, data };
  }

  async finish(draft: GuideDraft): Promise<GuideRecord> {
    const record = await this.#write(async (tx) => {
      const revision = ((await guideIn(tx, this.#guide))?.revision ?? 0) + 1;
      const row = { id: this.#guide, import: this.#import, revision };
      await upsert(tx, 'guides', [{ ...row, draft: JSON.stringify(draft) }]);
      await tx.deleteFrom('guide_stages').where('guide', '=', this.#guide).execute();
      await noLookups(tx);
      const finished = { ...draft, schema_version: 1 as const, ...row };
      await this.#atFinish(tx, finished);
      return finished;
    });
    // The guide is in: what it was is nobody's, and swept away by the next import or start where it cannot be now.
    await sweep(this.#store).catch(() => undefined);
    return record;
  }

  async drop(): Promise<void> {
    const own = (tx: Tx) =>
      tx.deleteFrom('guide_stages').where('guide', '=', this.#guide).where('import', '=', this.#import).execute();
    await this.#store.write(own);
    await sweep(this.#store);
  }

  /** Where this is still the import that was begun last. */
  #write<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> {
    return keptOrFull(() =>
      this.#store.write(async (tx) => {
        const row = tx.selectFrom('guide_stages').select('import').where('guide', '=', this.#guide);
        if ((await row.executeTakeFirst())?.import !== this.#import) throw replaced();
        return work(tx);
      }),
    );
  }
}

/** Days in their order, some at a time. */
function* parts(days: readonly PackedDay[]): Generator<PackedDay[]> {
  let [part, characters]: [PackedDay[], number] = [[], 0];
  for (const day of days) {
    if (part.length >= PART || (part.length > 0 && characters + day.data.length > PART_CHARACTERS)) {
      yield part;
      [part, characters] = [[], 0];
    }
    part.push(day);
    characters += day.data.length;
  }
  if (part.length > 0) yield part;
}
