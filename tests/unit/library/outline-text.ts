/** Chunks as lines that a person can read: `method Wheel::get 9-9 public doc < Wheel`. */
import type { Chunk } from '#core/ingest/chunk.ts';

export function outlineText(chunks: readonly Chunk[]): string[] {
  return chunks.flatMap(({ symbolName, chunkType, fullyQualifiedName, parentSymbol, startLine, endLine, metadata }) => {
    if (symbolName === null) return [];
    const { nameLine = '', accessibility, hasDoc, hasXmlDoc } = metadata;
    const from = nameLine === String(startLine) ? [] : [`from ${startLine}`];
    const marks = [...from, ...(accessibility === undefined ? [] : [accessibility])];
    if (hasDoc === 'true' || hasXmlDoc === 'true') marks.push('doc');
    const words = [chunkType, fullyQualifiedName ?? '', `${nameLine}-${endLine}`, ...marks];
    return [`${words.join(' ')}${parentSymbol === null ? '' : ` < ${parentSymbol}`}`];
  });
}
