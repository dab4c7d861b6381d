/** What would mend a fault: a tool, and by what; or a person, whom it is put to as a question. */
import type { StoredFault } from '../store/guide-records.ts';

export interface WhatMends {
  /** Null: no tool, a person. */
  tool: 'rebuild_xmltv' | 'reparse_filename_metadata' | 're_enrich_metadata' | null;
  words: string;
}

const TEXTS = 're-reading its texts';
const BY_CODE: Readonly<Record<string, WhatMends>> = {
  'notvalid:order': { tool: 'rebuild_xmltv', words: 'writing it in the right order' },
  missingtimezone: { tool: 'rebuild_xmltv', words: "reading it in the guide's zone and writing it in UTC" },
  invalidtimezone: { tool: 'rebuild_xmltv', words: "reading it in the guide's zone and writing it in UTC" },
  badstart: { tool: 'rebuild_xmltv', words: 'writing its time as XMLTV has it, where it is one' },
  badstop: { tool: 'rebuild_xmltv', words: 'the next start, within six hours' },
  'stop-before-start': { tool: 'rebuild_xmltv', words: 'the next start, within six hours' },
  duplicateid: { tool: 'rebuild_xmltv', words: 'putting what is said of the channel together' },
  'lineup channel without guide data': { tool: 'rebuild_xmltv', words: 'the one channel that fits by name or number' },
  overlap: { tool: null, words: 'you: end it when the next one begins, or leave it' },
  duplicate: { tool: null, words: 'you: which of the two is right' },
  unknownid: { tool: null, words: 'you: whether the channel belongs to the guide' },
  'duplicate GuideNumber': { tool: null, words: 'you: which of them has the number' },
  'channel has guide data, not in lineup': { tool: null, words: 'you: whether it belongs into the lineup' },
};
const BY_TYPE: Partial<Record<StoredFault['type'], WhatMends>> = {
  METADATA_LOOKUP_FAILURE: { tool: 're_enrich_metadata', words: 'looking it up again' },
  EPISODE_NUM_MISSING: {
    tool: 'reparse_filename_metadata',
    words: `${TEXTS}, the catalog of shows, or the same programme elsewhere`,
  },
  MOVIE_YEAR_MISSING: { tool: 'reparse_filename_metadata', words: `${TEXTS}, or the same film elsewhere` },
  PLACEHOLDER_TITLE: {
    tool: 'reparse_filename_metadata',
    words: 're-reading the name of its file, or the same programme elsewhere',
  },
};

export const whatMends = ({ type, code }: Pick<StoredFault, 'type' | 'code'>): WhatMends =>
  BY_CODE[code ?? ''] ?? BY_TYPE[type] ?? { tool: null, words: 'whoever makes the guide, or you' };
