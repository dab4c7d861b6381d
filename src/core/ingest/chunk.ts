/** A piece of a file with its address, as an ingester gives it: ten fields, thirteen types, nothing else. */
import * as v from 'valibot';

export const CHUNK_TYPES = [
  'namespace',
  'class',
  'interface',
  'struct',
  'record',
  'enum',
  'method',
  'property',
  'field',
  'function',
  'type',
  'section',
  'text',
] as const;

export type ChunkType = (typeof CHUNK_TYPES)[number];

const LineSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const NameSchema = v.nullable(v.pipe(v.string(), v.minLength(1)));

export const ChunkSchema = v.strictObject({
  /** What stands in the file from the first to the last line, documentation and decorators included. */
  text: v.pipe(v.string(), v.minLength(1)),
  filePath: v.string(),
  chunkType: v.picklist(CHUNK_TYPES),
  symbolName: NameSchema,
  /** The symbol that it stands in; a namespace is none. */
  parentSymbol: NameSchema,
  fullyQualifiedName: NameSchema,
  /** Lines are counted from 1; LF, CR and CRLF each end one. */
  startLine: LineSchema,
  endLine: LineSchema,
  /** `csharp`, `python`; the file's ending where no language is known. */
  language: v.string(),
  /**
   * Text to text: `accessibility`; `hasXmlDoc` (C#) or `hasDoc`, `true` or `false`; `nameLine`, the line of the
   * declaration's name; `page` of a PDF, from 1; `startOffset` and `endOffset` of `text` in the content, UTF-16 units.
   */
  metadata: v.record(v.string(), v.string()),
});

export type Chunk = v.InferOutput<typeof ChunkSchema>;

export const ChunksSchema = v.array(ChunkSchema);
