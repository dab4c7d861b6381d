/** What the tools may ask, and what the world outside of the store gives them. */
import type { GuideToolContext, GuideToolWork } from '../run/guide-tools.ts';
import type { ShowIndex } from '../repair/show-catalog.ts';
import type { ToolReport } from '../run/run.types.ts';
import type {
  ChannelRecord,
  GuideRecord,
  LookupFailure,
  StoredLineup,
  StoredProgramme,
} from '../store/guide-records.ts';
import type { PlacedMend } from './fill.ts';
import type { OpenFault } from './open-faults.ts';
import type { Standing } from './standing.ts';

/** What guides need of the rest of the product, or of the machine. */
export interface GuideWorld {
  /** The catalog of shows, as it is here; null: there is none. A rejection is a look-up that failed. */
  shows(): Promise<ShowIndex | null>;
  /**
   * Brings the copies that look-ups read up to date. Its diff says what is new, changed and gone; where nothing is set up it
   * is empty and says so.
   */
  refresh(): Promise<ToolReport>;
  /** One small look-up, by which a circuit that rests is tried. */
  probe(): Promise<boolean>;
  /** Items of a media server differ from the guide. */
  mismatch(): Promise<boolean>;
  /** Derives the schedules anew; its diff says which channels changed. */
  derive(): Promise<ToolReport>;
}

/** A guide as the tools read it. */
export interface ToolSources {
  guides: readonly GuideRecord[];
  channels(guide: string): Promise<ChannelRecord[]>;
  lineup(guide: string): Promise<StoredLineup | null>;
  /** Of the run's channels alone where `own`; else of the whole guide. By channel and day. */
  programmes(guide: string, own: boolean): AsyncIterable<{ channel: string; programmes: StoredProgramme[] }>;
  standing(): Promise<ReadonlyMap<string, Standing>>;
  world: GuideWorld;
  /** Look-ups that ended; failures and successes. */
  note(ends: {
    failed: readonly LookupFailure[];
    answered: readonly Pick<LookupFailure, 'guide' | 'channel' | 'start'>[];
  }): Promise<void>;
  /** A look-up ended: three failures in a row open the circuit. */
  lookedUp(ok: boolean): Promise<void>;
  failures(): Promise<LookupFailure[]>;
  now(): number;
  /** Lets others have their turn: between two steps of long work. */
  rest(): Promise<void>;
}

export type AppContext = GuideToolContext<OpenFault, ToolSources, PlacedMend>;
export type AppWork = GuideToolWork<OpenFault, ToolSources, PlacedMend>;
