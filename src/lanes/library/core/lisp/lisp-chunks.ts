/** Lisps by their brackets: what is defined at the top, or within what only groups it. */
import type { Chunk, ChunkType } from '#core/ingest/chunk.ts';
import type { SourceText } from '#core/ingest/source-text.ts';
import { readLists, type Datum, type Dialect } from './reader.ts';

/** Chunk type by the forms that define it. */
const FORMS: Readonly<Record<Dialect, Partial<Record<ChunkType, string>>>> = {
  lisp: {
    namespace: 'defpackage define-package defsystem',
    class: 'defclass define-condition define-class',
    struct: 'defstruct',
    type: 'deftype',
    method: 'defmethod',
    function:
      'defun defmacro defgeneric define-compiler-macro define-setf-expander defsetf define-modify-macro define-method-combination',
    field: 'defvar defparameter defconstant defglobal define-symbol-macro define-constant',
  },
  scheme: {
    namespace: 'define-module define-library library module',
    struct: 'struct define-struct',
    record: 'define-record-type',
    class: 'define-class',
    method: 'define-method',
    function:
      'define define* define-syntax define-macro define-public define-generic define/contract define-syntax-rule',
  },
  'emacs-lisp': {
    class: 'defclass',
    struct: 'cl-defstruct defstruct',
    type: 'cl-deftype',
    method: 'cl-defmethod defmethod',
    function:
      'defun defmacro defsubst defalias define-inline cl-defun cl-defmacro cl-defgeneric define-minor-mode define-derived-mode define-globalized-minor-mode defadvice',
    field: 'defvar defcustom defconst defface defgroup defvar-local defvar-keymap',
  },
  clojure: {
    namespace: 'ns in-ns',
    interface: 'defprotocol definterface',
    record: 'defrecord',
    class: 'deftype',
    method: 'defmethod',
    function: 'defn defn- defmacro defmulti deftest',
    field: 'def defonce',
  },
};

const TYPES: Readonly<Record<Dialect, ReadonlyMap<string, ChunkType>>> = {
  lisp: typesOf('lisp'),
  scheme: typesOf('scheme'),
  'emacs-lisp': typesOf('emacs-lisp'),
  clojure: typesOf('clojure'),
};

function typesOf(dialect: Dialect): ReadonlyMap<string, ChunkType> {
  const forms = Object.entries(FORMS[dialect]) as [ChunkType, string][];
  return new Map(forms.flatMap(([type, heads]) => heads.split(' ').map((head) => [head, type] as const)));
}

/** What holds definitions and is none: they are as good as at the top. */
const GROUPS =
  /^(progn|eval-when(-compile)?|eval-and-compile|begin|do|let\*?|letrec\*?|flet|labels|macrolet|locally|when|unless|if|cond-expand|with-[\w-]+|define-library|library|module|define-module|:\w+)$/;

/** The chunks of a Lisp's definitions. */
export function lispChunks(source: SourceText, dialect: Dialect): Chunk[] {
  const { content } = source;
  const found: { list: Datum; type: ChunkType; name: Datum }[] = [];
  readLists(content, dialect, (list, around) => {
    const type = list.quoted ? undefined : definitionType(content, list, dialect);
    if (type === undefined || !around.every((one) => isGroup(content, one, dialect))) return;
    const name = nameIn(content, list, dialect);
    if (name) found.push({ list, type, name });
  });
  found.sort((a, b) => a.list.start - b.list.start);
  let space = '';
  return found.map(({ list, type, name }) => {
    const said = content.slice(name.start, name.end).replaceAll('|', '');
    if (dialect === 'clojure' && type === 'namespace') space = said;
    const start = withComments(source, list.start);
    const isDocumented = start < list.start || list.items.slice(2).some(({ kind }) => kind === 'string');
    return source.chunk(start, list.end, {
      type: type === 'function' && dialect === 'scheme' ? schemeType(content, list) : type,
      name: said,
      fullName: space === '' || type === 'namespace' ? said : `${space}/${said}`,
      metadata: { nameLine: String(source.lineAt(name.start)), hasDoc: String(isDocumented) },
    });
  });
}

function headOf(content: string, list: Datum, dialect: Dialect): string {
  const [head] = list.items;
  if (head?.kind !== 'atom') return '';
  const said = content.slice(head.start, head.end).toLowerCase();
  return dialect === 'clojure'
    ? said.replace(/^clojure\.core\//, '')
    : said.replace(/^.*:(?=.)/, said.startsWith(':') ? ':' : '');
}

function definitionType(content: string, list: Datum, dialect: Dialect): ChunkType | undefined {
  return TYPES[dialect].get(headOf(content, list, dialect));
}

function isGroup(content: string, list: Datum, dialect: Dialect): boolean {
  if (list.quoted) return false;
  // Bindings of a `let`, clauses, a reader's conditional.
  const [head] = list.items;
  return head === undefined || head.kind !== 'atom' || GROUPS.test(headOf(content, list, dialect));
}

/** `name`, `(name options)`, `((curried) arguments)`, `(setf name)`, `'name`; marks of Clojure before it are passed over. */
function nameIn(content: string, list: Datum, dialect: Dialect): Datum | undefined {
  let at = 1;
  if (dialect === 'clojure') {
    while (content[list.items[at]?.start ?? -1] === '^') {
      // `^{...}` is the mark alone and then the map.
      const mark = list.items[at];
      at += mark && mark.end - mark.start === 1 ? 2 : 1;
    }
  }
  let name = list.items[at];
  for (let depth = 0; name?.kind === 'list' && depth < 8; depth++) {
    const [first, second] = name.items;
    const isSetf = first?.kind === 'atom' && content.slice(first.start, first.end).toLowerCase() === 'setf';
    name = isSetf ? second : first;
  }
  return name?.kind === 'list' ? undefined : name;
}

/** `(define x 1)` is a value. */
function schemeType(content: string, list: Datum): ChunkType {
  const [head, name, value] = list.items;
  if (!head || !name || content.slice(head.start, head.end) !== 'define' || name.kind === 'list') return 'function';
  const first = value?.kind === 'list' ? value.items[0] : undefined;
  return first && /^(case-)?(lambda|λ)\*?$/.test(content.slice(first.start, first.end)) ? 'function' : 'field';
}

/** From the first of the comment lines that stand right before. */
function withComments(source: SourceText, offset: number): number {
  let line = source.lineAt(offset);
  if (source.trimmed(source.startOf(line), offset)) return offset;
  let start = offset;
  while (line > 1) {
    line--;
    const range = source.trimmed(source.startOf(line), source.endOf(line));
    if (!range || source.content[range[0]] !== ';') break;
    start = range[0];
  }
  return start;
}
