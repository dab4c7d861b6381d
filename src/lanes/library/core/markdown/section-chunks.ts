import type { Chunk } from '#core/ingest/chunk.ts';
import type { SourceText } from '#core/ingest/source-text.ts';
import { headings, type Heading } from './sections.ts';

interface Section extends Heading {
  fullName: string;
  parent: Section | null;
}

/** Sections in sections: each from its heading to the line before the next one of its level or above. */
export function sectionChunks(source: SourceText): Chunk[] {
  const found = headings(source);
  const last = source.trimmed(0, source.content.length)?.[1] ?? 0;
  const open: Section[] = [];
  return found.map((heading, i) => {
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    const parent = open.at(-1) ?? null;
    const fullName = parent === null ? heading.title : `${parent.fullName}.${heading.title}`;
    open.push({ ...heading, fullName, parent });
    const next = found.slice(i + 1).find(({ level }) => level <= heading.level);
    const start = source.trimmed(source.startOf(heading.line), source.content.length)?.[0] ?? 0;
    const metadata = { nameLine: String(heading.line), level: String(heading.level) };
    const is = { type: 'section', name: heading.title, parent: parent?.title ?? null, fullName, metadata } as const;
    return source.chunk(start, next ? source.startOf(next.line) : last, is);
  });
}
