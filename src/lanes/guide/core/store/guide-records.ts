/** What is kept of guides: the words of the store port. Instants are milliseconds since the epoch, days UTC days since it. */
import type { FaultType } from '../faults/fault.ts';
import type { ReadLineup } from '../lineup/read-lineup.ts';
import type { GuideElement } from '../read/element.ts';
import type { GuideToolName, Mend } from '../run/run.types.ts';
import type { ScheduleChannel } from '../schedule/types.ts';

/** A guide as it came in last. History: `schema_version` 1 first form. */
export interface GuideRecord {
  schema_version: 1;
  /** Stays when the source comes again. */
  id: string;
  /** `schedule`: derived from channels of ours. */
  kind: 'file' | 'address' | 'schedule';
  /** Of the file, or the address without what signs in. */
  name: string;
  /** IANA: of times that name none; null: UTC. */
  zone: string | null;
  imported_at: number;
  /** Id of the import whose rows are read. */
  import: string;
  /** One more with each change of what is written out: an import, a mend, an undo. */
  revision: number;
  /** Of the document's own element. */
  attributes: Readonly<Record<string, string>>;
  channels: number;
  programmes: number;
  /** It was read to its end. */
  whole: boolean;
  /** Sentences on what was not read. */
  notes: readonly string[];
}

/** What an import says of its guide; the rest is the store's. */
export type GuideDraft = Omit<GuideRecord, 'schema_version' | 'id' | 'import' | 'revision'>;

/** A channel that the guide declares, or that programmes alone name. */
export interface ChannelRecord {
  id: string;
  declared: boolean;
  displayNames: readonly string[];
  programmes: number;
  /** As it was read, declared again put together; null: not declared. */
  element: GuideElement | null;
}

/** Programmes, or faults, of one channel and one day, as one text (`packed.ts`): a grid reads only what it shows. */
export interface PackedDay {
  /** Null: of no channel (faults of the document and of `tv`). */
  channel: string | null;
  /** The day on which they start; null: no start that can be read. */
  day: number | null;
  count: number;
  data: string;
}

/** A programme as its source has it. */
export interface StoredProgramme {
  /** Its place in the document, from 0. */
  n: number;
  start: number | null;
  stop: number | null;
  element: GuideElement;
}

/** A fault as the import found it. */
export interface StoredFault {
  type: FaultType;
  code: string | null;
  where: string;
  /** Of its programme; null: it is of none, or of one without a start that can be read. */
  channel: string | null;
  start: number | null;
  /** What its programme is known again by (`aboutOf`), and its title (`titleKey`); null: of none. */
  about: number | null;
  title: number | null;
}

export interface StoredLineup {
  name: string;
  read: ReadLineup;
}

/** A mend, or a person's edit, that lies over what a source says. History: `schema_version` 1 first form. */
export interface MendRow extends Mend {
  schema_version: 1;
  id: string;
  guide: string;
  /** Its channel's id; of an entry of a lineup what names it. */
  channel: string;
  /** Start of its programme; null: it is of none. */
  start: number | null;
  /** What its programme is known again by; null: of none. */
  about: number | null;
  /** Null: a person. */
  tool: GuideToolName | null;
  run: string | null;
  at: number;
  undone_at: number | null;
}

/** "As it should be": said of a fault, of a title, or of a type on a channel. */
export interface Dismissal {
  schema_version: 1;
  id: string;
  guide: string;
  at: number;
  of:
    | {
        kind: 'fault';
        type: FaultType;
        code: string | null;
        where: string;
        channel: string | null;
        start: number | null;
      }
    /** All faults in what programmes of this title say. */
    | { kind: 'title'; title: string }
    | { kind: 'type'; channel: string; type: FaultType };
}

/** A look-up that failed: not one that found nothing. */
export interface LookupFailure {
  guide: string;
  channel: string;
  start: number | null;
  where: string;
  about: number | null;
  title: number | null;
  /** One word: `timeout`. */
  code: string;
  /** Without a guide's text. */
  sentence: string;
  at: number;
}

export interface ScheduleRow {
  schema_version: 1;
  channel: ScheduleChannel;
  /** Of its window: 1 to 14. */
  days: number;
}

/** How good all guides together were at an instant. */
export interface HealthPoint {
  at: number;
  programmes: number;
  failing: number;
  open: number;
}
