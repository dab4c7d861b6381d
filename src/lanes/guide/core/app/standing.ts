/** Mends that hold now: of each field of each place a person's edit, else the tool's mend that was made last. */
import type { MendRow } from '../store/guide-records.ts';
import { DECLARED, isAbout, slotOf, takesAway } from './place.ts';
import type { StoredFault } from '../store/guide-records.ts';

export class Standing {
  readonly #slots = new Map<string, MendRow[]>();

  /** Rows of one guide, in the order in which they were made. */
  constructor(rows: readonly MendRow[]) {
    for (const row of rows) {
      const key = slotOf(row);
      const known = this.#slots.get(key);
      if (known === undefined) this.#slots.set(key, [row]);
      else known.push(row);
    }
  }

  get isNothing(): boolean {
    return this.#slots.size === 0;
  }

  /** What holds of the programme, or the place, one a field. */
  at(place: { channel: string | null; start: number | null; where: string }, about: number | null): MendRow[] {
    const rows = this.#slots.get(slotOf(place));
    if (rows === undefined) return [];
    const holds = new Map<string, MendRow>();
    for (const row of rows) {
      if (row.undone_at !== null || !isAbout(row, about)) continue;
      const other = holds.get(row.field);
      if (other === undefined || row.tool === null || other.tool !== null) holds.set(row.field, row);
    }
    return [...holds.values()];
  }

  /** What a person took back there; a tool does not fill the same again. */
  takenBack(place: Parameters<Standing['at']>[0], about: number | null): MendRow[] {
    const rows = this.#slots.get(slotOf(place)) ?? [];
    return rows.filter((row) => row.undone_at !== null && isAbout(row, about));
  }

  /** What holds of a field, wherever it is, in the order in which it was made. */
  of(field: string): MendRow[] {
    return [...this.#slots.values()]
      .flatMap(([first]) =>
        first === undefined ? [] : this.at(first, first.about).filter((row) => row.field === field),
      )
      .sort((a, b) => a.at - b.at);
  }

  mends(fault: StoredFault): boolean {
    if (this.at(fault, fault.about).some(({ field }) => takesAway(field, fault))) return true;
    const { code, channel } = fault;
    // Said of the channel: it is true of each of its programmes.
    if (code !== 'unknownid' || channel === null) return false;
    return this.at({ channel, start: null, where: channel }, null).some(({ field }) => field === DECLARED);
  }
}

/** Rows by guide, in their order. */
export function byGuide(rows: readonly MendRow[]): Map<string, Standing> {
  const of = new Map<string, MendRow[]>();
  for (const row of rows) {
    const own = of.get(row.guide);
    if (own === undefined) of.set(row.guide, [row]);
    else own.push(row);
  }
  return new Map([...of].map(([guide, own]) => [guide, new Standing(own)]));
}
