/** What the library knows of a file that it has read. Stored in segments: `schemaVersion` is INDEX_VERSION (segment.ts). */
import * as v from 'valibot';

export const FileRecordSchema = v.object({
  /** Below its folder, `/` separated. */
  path: v.string(),
  /** Bytes. */
  size: v.number(),
  /** When it was last changed, milliseconds since the epoch; with the size a first sign that it is still the same. */
  modified: v.number(),
  /** Lower-case hex, of its bytes. */
  sha256: v.string(),
  /** Who read it; '' where nobody had to (an empty file). */
  agentId: v.string(),
  /** What the chunks depend on beside the content: agent, its version or file hash, model. */
  agentKey: v.string(),
  /** What its agents are asked for: `ingest:py`; with the key it says whether they are the same today. */
  capability: v.string(),
  language: v.string(),
  /** How its bytes became text: `utf-8`, `utf-16le`, `windows-1252`, ... */
  encoding: v.string(),
  /** No text: it is only remembered. */
  binary: v.optional(v.boolean(), false),
  /** Sentences for a person. */
  warnings: v.array(v.string()),
});
export type FileRecord = v.InferOutput<typeof FileRecordSchema>;

/** A chunk as an agent gives it, with its place in the file's text. */
export interface PlacedChunk {
  chunkType: string;
  symbolName: string | null;
  parentSymbol: string | null;
  fullyQualifiedName: string | null;
  /** From 1. */
  startLine: number;
  endLine: number;
  metadata: Readonly<Record<string, string>>;
  /** UTF-16 code units from the file's beginning; the end is behind the last one. */
  start: number;
  end: number;
}

/** A file on its way into a segment. */
export interface ReadFile extends FileRecord {
  text: string;
  /** By where they begin, and an enclosing one before what it encloses. */
  chunks: readonly PlacedChunk[];
}
