/** One check of a guide with its lineup, as it is answered everywhere. */
import {
  analyzeMetadataIssues,
  countFaults,
  envelopeOf,
  type GuideEnvelope,
  type MetadataIssue,
} from './faults/analyze.ts';
import type { CheckedGuide } from './faults/check-guide.ts';
import type { Fault } from './faults/fault.ts';
import { checkLineup } from './lineup/check-lineup.ts';
import type { ReadLineup } from './lineup/read-lineup.ts';

export interface GuideCheck {
  programmes: number;
  channels: number;
  faults: Fault[];
  envelope: GuideEnvelope;
  issues: MetadataIssue[];
  /** Sentences about what was not read: the guide's end, its lineup, texts that were cut. */
  notes: string[];
}

/** `lineup`: null where there is none. */
export function checkOf(checked: CheckedGuide, lineup: ReadLineup | null): GuideCheck {
  const { programmes, channels, stopped, cutTexts } = checked;
  const faults = [
    ...checked.faults,
    ...(lineup === null ? [] : checkLineup(lineup, checked.channelList, stopped === null || programmes > 0)),
  ];
  const notes = [stopped, lineup?.unreadable ?? null].filter((note) => note !== null);
  if (cutTexts > 0) notes.push(`${cutTexts} texts of more than 64 KB were cut.`);
  return {
    ...{ programmes, channels, faults, notes },
    envelope: envelopeOf(checked, faults),
    issues: analyzeMetadataIssues(countFaults(faults), null, programmes),
  };
}
