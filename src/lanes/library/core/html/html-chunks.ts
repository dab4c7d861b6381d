/** A page as chunks: a section for each heading up to the next one, and the text before the first. */
import type { Chunk } from '#core/ingest/chunk.ts';
import type { SourceText } from '#core/ingest/source-text.ts';
import { MAX_TEXT } from '#core/ingest/text-chunks.ts';
import { visibleText, type Block } from '#core/text/visible-text.ts';

interface Part {
  heading: Block | null;
  blocks: Block[];
}

/** The text of a chunk is what is seen between its lines, a block a line; a section holds no other section. */
export function htmlChunks(source: SourceText): Chunk[] {
  const { title, blocks } = visibleText(source.content);
  const parts: Part[] = [{ heading: null, blocks: [] }];
  for (const block of blocks) {
    if (block.level > 0) parts.push({ heading: block, blocks: [block] });
    else parts.at(-1)?.blocks.push(block);
  }
  const open: { level: number; name: string; fullName: string }[] = [];
  return parts.flatMap(({ heading, blocks: own }) => {
    const metadata = title === '' ? {} : { title };
    if (heading === null) return pieces(own).map((some) => chunkOf(source, some, { metadata }));
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    const parent = open.at(-1);
    const fullName = parent ? `${parent.fullName}.${heading.text}` : heading.text;
    open.push({ level: heading.level, name: heading.text, fullName });
    return [chunkOf(source, own, { name: heading.text, parent: parent?.name ?? null, fullName, metadata })];
  });
}

function chunkOf(
  source: SourceText,
  blocks: readonly Block[],
  is: { name?: string; parent?: string | null; fullName?: string; metadata: Record<string, string> },
): Chunk {
  const startLine = source.lineAt(blocks[0]?.start ?? 0);
  const metadata = is.name === undefined ? is.metadata : { ...is.metadata, nameLine: String(startLine) };
  return {
    text: blocks.map(({ text }) => text).join('\n'),
    filePath: source.filePath,
    chunkType: is.name === undefined ? 'text' : 'section',
    symbolName: is.name ?? null,
    parentSymbol: is.parent ?? null,
    fullyQualifiedName: is.fullName ?? null,
    startLine,
    endLine: source.lineAt(Math.max(0, (blocks.at(-1)?.end ?? 1) - 1)),
    language: source.language,
    metadata,
  };
}

/** Blocks together up to the length of a chunk of text; one that is longer stands alone. */
function pieces(blocks: readonly Block[]): Block[][] {
  const found: Block[][] = [];
  let length = 0;
  for (const block of blocks) {
    const current = found.at(-1);
    if (current && length + block.text.length < MAX_TEXT) current.push(block);
    else found.push([block]);
    length = (current && length + block.text.length < MAX_TEXT ? length : 0) + block.text.length + 1;
  }
  return found;
}
