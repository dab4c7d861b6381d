/** Several segments as one, without what is dead in them. Postings are renumbered, texts are not read again. */
import type { SegmentPart } from '../search/library-index.ts';
import { SegmentBuilder } from './build-segment.ts';

/** Segments of up to so many pieces are merged when there are more of them than MOST_SMALL. */
const SMALL = 20_000;
const MOST_SMALL = 8;

/** Which segments are to become one; none: they are few, or large. Dead files alone are cleared away when they are half. */
export function toMerge(parts: readonly SegmentPart[], atEnd: boolean): number[] {
  const small = [...parts.keys()].filter((number) => (parts[number]?.segment.pieces ?? 0) < SMALL);
  if (small.length > (atEnd ? 1 : MOST_SMALL)) return small;
  const worn = parts.findIndex(({ segment, dead }) => dead.size * 2 > segment.files.length);
  return worn < 0 ? [] : [worn];
}

/** The pieces of the new segment's file, in order. */
export function mergeSegments(parts: readonly SegmentPart[]): Uint8Array[] {
  const builder = new SegmentBuilder();
  for (const { segment, dead } of parts) builder.addAll(segment, dead);
  return builder.pack();
}
