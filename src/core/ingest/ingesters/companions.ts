import { companionIngester } from './companion-ingester.ts';

/** Known companions that carry nothing for the catalog. */
export const companionIngesters = [
  companionIngester({
    id: 'log-ingester',
    name: 'Rip log ingester',
    description: 'Leaves rip logs out.',
    capabilities: ['ingest:log', 'ingest:accurip'],
    kind: 'log',
    outcome: 'ignored',
    keep: 'nothing',
  }),
  companionIngester({
    id: 'checksum-ingester',
    name: 'Checksum ingester',
    description: 'Leaves checksum lists out.',
    capabilities: ['ingest:sfv', 'ingest:md5', 'ingest:ffp', 'ingest:sha1', 'ingest:sha256', 'ingest:st5'],
    kind: 'checksum',
    outcome: 'ignored',
    keep: 'nothing',
  }),
  companionIngester({
    id: 'notes-ingester',
    name: 'Notes ingester',
    description: 'Leaves notes and links out.',
    capabilities: [
      'ingest:nfo',
      'ingest:txt',
      'ingest:url',
      'ingest:html',
      'ingest:htm',
      'ingest:diz',
      'ingest:webloc',
    ],
    kind: 'text',
    outcome: 'ignored',
    keep: 'nothing',
  }),
  companionIngester({
    id: 'os-metadata-ingester',
    name: 'System file ingester',
    description: 'Leaves out what Windows and macOS put into folders and archives.',
    capabilities: ['ingest:os-metadata'],
    kind: 'system',
    outcome: 'ignored',
    keep: 'nothing',
  }),
];
