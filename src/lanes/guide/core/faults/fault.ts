/** What may be wrong in a guide. */
import { ownText } from './strings.ts';
import type { WritingCode } from '../read/guide-reader.ts';

export const FAULT_TYPES = [
  'METADATA_LOOKUP_FAILURE',
  'EPISODE_NUM_MISSING',
  'MOVIE_YEAR_MISSING',
  'PLACEHOLDER_TITLE',
  'XMLTV_VALIDATION_ERROR',
  'LINEUP_MISMATCH',
] as const;
export type FaultType = (typeof FAULT_TYPES)[number];

export type ValidationCode =
  | WritingCode
  | 'notwell'
  | 'duplicateid'
  | 'unknownid'
  | 'channelnoprogramme'
  | 'noprogrammes'
  | 'badstart'
  | 'badstop'
  | 'missingtimezone'
  | 'invalidtimezone'
  | 'stop-before-start'
  | 'overlap'
  | 'duplicate'
  | 'badepisode'
  | 'emptytitle'
  | 'emptydescription';

export const LINEUP_CODES = [
  'channel has guide data, not in lineup',
  'lineup channel without guide data',
  'duplicate GuideNumber',
  'duplicate EpgId',
  'bad GuideNumber',
  'empty GuideName',
  'unreadable lineup',
] as const;
export type LineupCode = (typeof LINEUP_CODES)[number];

export interface Fault {
  type: FaultType;
  /** `channel@start` as both are written, a channel's id, `tv`, `document`, or what names an entry of a lineup. */
  where: string;
  code?: string;
}

/** Faults, one for each pair of a place and a code. */
export class FaultList {
  readonly #faults = new Map<string, Fault>();
  readonly #most: number;

  /** There were more. */
  isCut = false;

  /** @param most so many are kept, those that are added first */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  add(type: FaultType, where: string, code?: ValidationCode | LineupCode): void {
    const key = ownText(`${code ?? type}\n${where}`);
    if (this.#faults.has(key)) return;
    if (this.#faults.size >= this.#most) {
      this.isCut = true;
      return;
    }
    const place = ownText(where);
    this.#faults.set(key, code === undefined ? { type, where: place } : { type, where: place, code });
  }

  get all(): Fault[] {
    return [...this.#faults.values()];
  }
}
