/** `load_table`: rows of a table of the library, each with its line. */
import * as v from 'valibot';
import { readTool } from '#core/agent/tools/make-tool.ts';
import { failed, toFailure } from '#core/errors.ts';
import type { KeptFile, Segment } from '../../../index/segment.ts';
import { countLines } from '../../../search/passages.ts';
import { dateOf } from '../../evidence/date-of.ts';
import type { RagDoc, Section } from '../../evidence/evidence.types.ts';
import type { AskTool } from '../ask-tool.ts';
import type { AskToolContext } from '../context.ts';
import { DocsSchema } from '../docs.ts';
import { withoutSecrets } from '../rag-retrieve.ts';
import { tableOf, type Table, type TableRow } from './rows.ts';
import { meets, WhereSchema } from './where.ts';

const text = (length: number) => v.pipe(v.string(), v.nonEmpty(), v.maxLength(length));
const cell = v.union([v.string(), v.number(), v.boolean(), v.null()]);
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const InputSchema = v.strictObject({
  path: text(1000),
  where: v.exactOptional(WhereSchema),
  columns: v.exactOptional(v.pipe(v.array(text(200)), v.maxLength(64))),
  limit: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200))),
});
const OutputSchema = v.object({
  path: v.string(),
  columns: v.array(v.string()),
  /** Rows that meet `where`, of which `limit` are given. */
  total: count,
  rows: v.array(v.object({ line: count, values: v.record(v.string(), cell) })),
  docs: DocsSchema,
});

const USUAL_LIMIT = 50;

const tool = readTool({
  name: 'load_table',
  description:
    'Rows of a table of the library (CSV, TSV, JSON, NDJSON) by its path: those for which all of "where" holds ({ column, is, value }; is: =, !=, <, <=, >, >=, contains), with the named columns, each with its line.',
  input: InputSchema,
  output: OutputSchema,
  limits: { calls: 40 },
  async execute(input: v.InferOutput<typeof InputSchema>, { context }: { context: AskToolContext }) {
    try {
      const output = await loaded(input, context);
      return {
        ok: true,
        output,
        provenance: output.docs.map(({ source_id }) => ({ source: source_id, ref: input.path })),
      };
    } catch (thrown) {
      return { ok: false, failure: toFailure(thrown, input.path) };
    }
  },
});

export const loadTable: AskTool = { tool };

async function loaded(
  { path, where = [], columns, limit = USUAL_LIMIT }: v.InferOutput<typeof InputSchema>,
  { index, allows }: AskToolContext,
): Promise<v.InferOutput<typeof OutputSchema>> {
  const found = [...index.files()].find(
    ({ kept, segment, file }) => kept.path === path && allows?.({ segment, file }) !== false,
  );
  if (found === undefined) throw failed('not_found', `The library has no file "${path}".`);
  const { kept, of } = found;
  const whole = of.text(kept);
  const table = await tableOf(path, whole);
  for (const name of [...where.map(({ column }) => column), ...(columns ?? [])])
    if (!table.columns.includes(name))
      throw failed('invalid', `${path} has no column "${name}". It has: ${table.columns.slice(0, 40).join(', ')}.`);
  const rows = table.rows.filter((row) => meets(row, where));
  const shown = columns ?? table.columns;
  const lines = new LineCounter(whole);
  const placed = rows.slice(0, limit).map((row) => ({ row, line: lines.at(row.start), endLine: lines.at(row.end) }));
  return {
    path,
    columns: shown,
    total: rows.length,
    rows: placed.map(({ row, line }) => ({
      line,
      values: Object.fromEntries(shown.map((column) => [column, row.values[column] ?? null])),
    })),
    docs: placed.map((one) => withoutSecrets(docOf(of, kept, table, whole, one))),
  };
}

/** A row is quoted as it stands in the file, under the names of its columns. */
function docOf(
  of: Segment,
  kept: KeptFile,
  { columns }: Table,
  whole: string,
  { row: { start, end }, line, endLine }: { row: TableRow; line: number; endLine: number },
): RagDoc {
  const section: Section = {
    ...{ start, end, heading: columns.join(', '), startLine: line, endLine },
    ...{ rendered: false, page: null, prose: false },
  };
  return {
    source_id: kept.sha256,
    title: kept.path.slice(kept.path.lastIndexOf('/') + 1),
    text: whole.slice(start, end),
    score: 0,
    metadata: {
      ...{ path: kept.path, copies: [], start, end, startLine: line, endLine, sections: [section] },
      ...{ date: dateOf(of.text(kept, 0, 400), kept.path), language: kept.language },
    },
  };
}

/** Lines of places that only grow. */
class LineCounter {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  at(place: number): number {
    if (place < this.#at) [this.#at, this.#line] = [0, 1];
    this.#line += countLines(this.#text.slice(this.#at, place));
    this.#at = place;
    return this.#line;
  }
}
