import { failure } from '../errors.ts';
import { takeByContent } from './take-by-content.ts';
import { familyOf, isOpenable, kindLabel } from './file-kinds.ts';
import type { IngestInput, Ingester } from './ingester.ts';
import { baseName, extensionOf } from './paths.ts';
import { unsupportedArchive } from './archive-ingesters.ts';

/** Documents that are ZIPs inside: their ending says more than their bytes. */
const DOCUMENTS: readonly (readonly [label: string, endings: readonly string[]])[] = [
  ['a spreadsheet', ['xlsx', 'xlsm', 'xls', 'ods', 'numbers', 'csv', 'tsv']],
  ['a text document', ['docx', 'doc', 'odt', 'pages', 'rtf']],
  ['a presentation', ['pptx', 'ppt', 'odp', 'key']],
  ['an e-book', ['epub', 'mobi', 'azw3']],
];

/** Last resort: what some lane reads is taken by its content alone; of all else it says what it could not read. */
export const fallbackIngester: Ingester = {
  agentId: 'fallback-ingester',
  name: 'Fallback ingester',
  description: 'Says which files could not be read, and what they are.',
  priority: 99,
  capabilities: [],
  tags: ['ingester', 'fallback'],
  ingest(input) {
    const name = baseName(input.path);
    const ending = extensionOf(input.path);
    const taken = takeByContent(input, ending === '' ? null : `.${ending}`);
    if (taken) return taken;
    if (isOpenable(input.kind) && (ending === '' || input.kind !== 'zip')) return { as: 'archive', kind: input.kind };
    if (familyOf(input.kind) === 'archive' && input.kind !== 'zip') return unsupportedArchive(input);
    return {
      as: 'failed',
      failure: failure('file_unsupported', `"${name}" cannot be taken in: ${whatItIs(input)}.`, { subject: name }),
    };
  },
};

function whatItIs(input: IngestInput): string {
  const ending = extensionOf(input.path);
  const family = familyOf(input.kind);
  const document = DOCUMENTS.find(([, endings]) => endings.includes(ending))?.[0];
  if (document !== undefined && (input.kind === 'zip' || family === 'document' || family === 'text'))
    return `it is ${document}`;
  if (input.kind === 'unknown')
    return ending === '' ? 'its content is of no known kind' : `.${ending} files are not known here`;
  return `it is ${kindLabel(input.kind)}`;
}
