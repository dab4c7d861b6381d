/** Kinds that models give, as the thirteen of a chunk. */
import { CHUNK_TYPES, type ChunkType } from '#core/ingest/chunk.ts';

const SAID: Partial<Record<ChunkType, string>> = {
  namespace: 'module package ns defpackage mod unit program library',
  class: 'defclass object actor abstractclass dataclass component widget',
  interface: 'trait protocol defprotocol mixin role concept',
  struct: 'table defstruct structure union view schema message',
  record: 'defrecord recordtype',
  enum: 'enumeration enumclass flags',
  method: 'constructor destructor ctor dtor defmethod memberfunction operator accessor initializer',
  property: 'getter setter prop event indexer',
  field:
    'variable var constant const defvar defparameter defconst defconstant let val attribute member column parameter enummember enumerator enumvalue global static',
  function:
    'defun defn func fn def fun macro defmacro procedure proc subroutine sub routine lambda rule target task trigger storedprocedure test query handler generic defgeneric',
  type: 'typedef typealias alias deftype typedefinition newtype',
  section: 'heading header chapter headline title part',
};

const KINDS = new Map<string, ChunkType>([
  ...Object.entries(SAID).flatMap(([type, said]) => said.split(' ').map((one) => [one, type as ChunkType] as const)),
  ...CHUNK_TYPES.map((type) => [type, type] as const),
]);

/** The type of a kind; `text` for one that nobody knows. */
export function chunkTypeOf(kind: unknown): ChunkType {
  const said = typeof kind === 'string' ? kind.toLowerCase().replaceAll(/[\s_-]+/g, '') : '';
  return KINDS.get(said) ?? KINDS.get(said.replace(/(definition|declaration|def|decl)$/, '')) ?? 'text';
}
