import { failure } from '../errors.ts';
import { describeFile } from './describe.ts';
import { familyOf, kindLabel, type FileKind } from './file-kinds.ts';
import type { IngestInput, IngestOutcome, Ingester } from './ingester.ts';
import { baseName } from './paths.ts';

interface AudioIngesterFacts {
  /** `flac`: becomes `flac-ingester`. */
  id: string;
  /** The format as a person calls it. */
  format: string;
  /** Endings without the dot; each becomes a capability. */
  extensions: readonly string[];
  /** What such a file is by its bytes when its name tells the truth. */
  kinds: readonly FileKind[];
}

/**
 * An ingester of one audio format. A name that lies does no harm while the content is audio of another
 * kind: it is taken in as what it is, and said so. What is no audio is refused by name.
 */
export function audioIngester(facts: AudioIngesterFacts): Ingester {
  return {
    agentId: `${facts.id}-ingester`,
    name: `${facts.format} ingester`,
    description: `Takes in ${facts.format} files.`,
    priority: 10,
    capabilities: facts.extensions.map((ending) => `ingest:${ending}` as const),
    tags: ['ingester', 'audio'],
    ingest(input) {
      if (facts.kinds.includes(input.kind) || input.kind === 'id3')
        return { as: 'audio', kind: input.kind, note: null };
      if (familyOf(input.kind) === 'audio') return takeAsItIs(input, facts.format);
      return mislabelled(input, facts.format);
    },
  };
}

/** Audio under a wrong name (or none): taken in, with a sentence for the trace. */
export function takeAsItIs(input: IngestInput, claimed: string | null): IngestOutcome {
  const name = baseName(input.path);
  const is = kindLabel(input.kind);
  const note =
    claimed === null
      ? `"${name}" is ${is} by its content.`
      : `"${name}" is named ${claimed}, but its content is ${is}; it is read as that.`;
  return { as: 'audio', kind: input.kind, note };
}

/** `"x.flac" is not FLAC: it is an HTML page.` */
export function mislabelled(input: IngestInput, claimed: string): IngestOutcome {
  const name = baseName(input.path);
  const is = input.kind === 'unknown' ? 'its content is of no known kind' : `it is ${kindLabel(input.kind)}`;
  return {
    as: 'failed',
    failure: failure('file_mislabelled', `${describeFile(name, null)} is not ${claimed}: ${is}.`, { subject: name }),
  };
}
