/** The server's library on the wire: what its routes take and answer, and pages read. */
import * as v from 'valibot';
import { Count, Finite, IdSchema, listOf } from '#core/sync/fields.ts';
import { PROFILES } from './vectors/profiles.ts';

/** UTF-16 code units of a question. */
export const LONGEST_QUESTION = 4_000;

export const ServerFolderSchema = v.object({
  id: IdSchema,
  name: v.string(),
  /** `waiting`: not read yet. `reading`: it is looked through now. `failed`: the last run came to nothing (`error`). */
  state: v.picklist(['waiting', 'reading', 'ready', 'failed']),
  error: v.nullable(v.string()),
  /** Files with text, and their chunks. */
  files: Count,
  chunks: Count,
  /** Files that could not be read. */
  failures: Count,
  /** Of the run under way: files that belong to the library, those that are read or known, and the last one read. */
  found: Count,
  done: Count,
  reading: v.string(),
  /** How many were left out, by reason. */
  left_out: v.record(v.string(), Count),
  completed_at: v.nullable(Count),
});
export type ServerFolder = v.InferOutput<typeof ServerFolderSchema>;
export const ServerFoldersSchema = v.object({ items: v.array(ServerFolderSchema) });

const fileFields = {
  path: v.string(),
  agentId: v.string(),
  language: v.string(),
  /** Bytes. */
  size: Count,
  chunks: Count,
  warnings: v.array(v.string()),
  /** Why it could not be read; null: it was. */
  failed: v.nullable(v.string()),
};
export const ServerFileRowSchema = v.object(fileFields);
export type ServerFileRow = v.InferOutput<typeof ServerFileRowSchema>;
export const ServerFilesSchema = listOf(ServerFileRowSchema);

const Name = v.nullable(v.string());
const Metadata = v.record(v.string(), v.string());

/** A chunk, and where it stands: UTF-16 places in the file's text. */
const ServerChunkSchema = v.object({
  ...{ chunkType: v.string(), symbolName: Name, parentSymbol: Name, fullyQualifiedName: Name },
  ...{ startLine: Count, endLine: Count, start: Count, end: Count, metadata: Metadata },
});
export const ServerFileSchema = v.object({ ...fileFields, text: v.string(), outline: v.array(ServerChunkSchema) });
export type ServerFile = v.InferOutput<typeof ServerFileSchema>;

export const LibrarySearchSchema = v.object({
  query: v.pipe(v.string(), v.maxLength(LONGEST_QUESTION, `a question has at most ${LONGEST_QUESTION} characters`)),
  /** Without a model for embeddings all are answered as `bm25`. */
  profile: v.optional(v.picklist(PROFILES), 'bm25'),
  /** Passages, at most. */
  k: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 10),
  /** Ids; all that the caller sees where it is not given. */
  folders: v.optional(v.pipe(v.array(IdSchema), v.maxLength(64))),
});
export type LibrarySearch = v.InferOutput<typeof LibrarySearchSchema>;

export const ServerPassageSchema = v.object({
  folder: IdSchema,
  folderName: v.string(),
  ...{ path: v.string(), agentId: v.string(), language: v.string(), text: v.string() },
  /** UTF-16 places in the file's text; lines from 1. */
  ...{ start: Count, end: Count, startLine: Count, endLine: Count },
  /** Of a document with pages. */
  page: v.nullable(v.string()),
  /** Higher is better; comparable within one answer only. */
  score: Finite,
  ...{ chunkType: v.string(), symbolName: Name, fullyQualifiedName: Name, metadata: Metadata },
});
export type ServerPassage = v.InferOutput<typeof ServerPassageSchema>;

export const LibraryAnswerSchema = v.object({
  items: v.array(ServerPassageSchema),
  /** How it was ranked, and why not as it was asked for. */
  profile: v.picklist(PROFILES),
  note: v.nullable(v.string()),
});
export type LibraryAnswer = v.InferOutput<typeof LibraryAnswerSchema>;

export const ServerSymbolsSchema = v.object({
  items: v.array(
    v.object({
      folder: IdSchema,
      ...{ path: v.string(), name: v.string(), qualified: v.string(), chunkType: v.string(), line: Count },
    }),
  ),
});
export type ServerSymbol = v.InferOutput<typeof ServerSymbolsSchema>['items'][number];
