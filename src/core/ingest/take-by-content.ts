/** Files whose name says something else than their content. */
import { failure } from '../errors.ts';
import { describeFile, kindLabel } from './file-kinds.ts';
import type { IngestInput, IngestOutcome } from './ingester.ts';
import { baseName } from './paths.ts';

/**
 * Under a wrong name (or none), but somebody reads what it is: taken in, with a sentence for the trace. `claimed`: what
 * the name says. null where nobody reads it.
 */
export function takeByContent({ path, kind, reader }: IngestInput, claimed: string | null): IngestOutcome | null {
  if (reader?.lane === undefined) return null;
  const name = baseName(path);
  const is = kindLabel(kind);
  const note =
    claimed === null
      ? `"${name}" is ${is} by its content.`
      : `"${name}" is named ${claimed}, but its content is ${is}; it is read as that.`;
  return { as: 'job', lane: reader.lane, kind, note };
}

/** `"x.flac" is not FLAC: it is an HTML page.` */
export function mislabelled({ path, kind }: IngestInput, claimed: string): IngestOutcome {
  const name = baseName(path);
  const is = kind === 'unknown' ? 'its content is of no known kind' : `it is ${kindLabel(kind)}`;
  const message = `${describeFile(name, null)} is not ${claimed}: ${is}.`;
  return { as: 'failed', failure: failure('file_mislabelled', message, { subject: name }) };
}
