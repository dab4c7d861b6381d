/** `spice`: a circuit, by ngspice; one analysis, read by us first. */
import * as v from 'valibot';
import { failed } from '../errors.ts';
import { fault, firstFault, number } from './fields.ts';
import { measured, type Vectors } from './spice/measure.ts';
import { isFault, readNetlist } from './spice/netlist.ts';
import { toolboxTool } from './tool.ts';

const vector = v.pipe(v.string(), v.nonEmpty('is empty'), v.maxLength(100));
const measure = v.strictObject({
  vector,
  at: v.exactOptional(number),
  as: v.exactOptional(v.picklist(['value', 'magnitude', 'phase_deg'], 'must be value, magnitude or phase_deg')),
});
/** Two places of `measure`, or two vectors. */
const pair = v.union([
  v.tuple([v.pipe(number, v.integer(), v.minValue(0)), v.pipe(number, v.integer(), v.minValue(0))]),
  v.tuple([vector, vector]),
]);
const InputSchema = v.strictObject({
  netlist: v.pipe(v.string(), v.nonEmpty('is empty'), v.maxLength(200_000, 'is too long')),
  measure: v.exactOptional(v.pipe(v.array(measure), v.maxLength(200))),
  difference: v.exactOptional(v.pipe(v.array(pair), v.maxLength(200))),
});
type Input = v.InferOutput<typeof InputSchema>;

export const spice = toolboxTool<Input>({
  name: 'spice',
  description:
    'Simulates a circuit by ngspice: netlist (first line the title; one of .op, .dc, .ac, .tran), measure [{ vector: "v(out)", at, as: value, magnitude or phase_deg }], difference [[a, b]] of two vectors or two measures by number.',
  runtime: 'spice',
  input: InputSchema,
  output: v.looseObject({
    ...{ analysis: v.string(), points: v.number(), warnings: v.array(v.string()) },
    measured: v.array(v.nullable(v.number())),
  }),
  example: { netlist: 'divider\nV1 in 0 10\nR1 in out 1k\nR2 out 0 3k\n.op\n.end', measure: [{ vector: 'v(out)' }] },
  check({ netlist, measure: asked = [], difference = [] }) {
    const read = readNetlist(netlist);
    return firstFault(
      isFault(read) && read,
      difference.some((one) => one.some((at) => typeof at === 'number' && at >= asked.length)) &&
        fault('difference', 'names a measure that there is not'),
    );
  },
  job: ({ netlist }) => ({ program: 'simulate', data: { netlist } }),
  finish(value, { netlist, measure: asked = [], difference = [] }) {
    const read = readNetlist(netlist);
    const vectors = value as unknown as Vectors & { warnings: string[] };
    const missing = [...asked.map((one) => one.vector), ...difference.flat()].find(
      (one) => typeof one === 'string' && vectors.real[one.toLowerCase()] === undefined,
    );
    if (missing !== undefined)
      throw failed(
        'tool_input',
        `spice: measure: there is no vector "${missing}"; there are: ${Object.keys(vectors.real).join(', ')}.`,
        {
          subject: 'measure',
        },
      );
    const results = asked.map((one) => measured(vectors, one));
    return {
      analysis: isFault(read) ? '' : read.analysis.kind,
      points: Object.values(vectors.real)[0]?.length ?? 0,
      scale: vectors.scale,
      measured: results,
      differences: difference.map((two) => differenceOf(two, results, vectors)),
      warnings: vectors.warnings,
      vectors: vectors.real,
      ...(vectors.imaginary === null ? {} : { imaginary: vectors.imaginary }),
    };
  },
});

function differenceOf(
  [a, b]: readonly [number, number] | readonly [string, string],
  results: readonly (number | null)[],
  { real }: Vectors,
): number | number[] | null {
  if (typeof a === 'string' && typeof b === 'string') {
    const [one = [], other = []] = [real[a.toLowerCase()], real[b.toLowerCase()]];
    const differences = one.map((value, at) => value - (other[at] ?? Number.NaN));
    return differences.length === 1 ? (differences[0] ?? null) : differences;
  }
  const [one, other] = [results[Number(a)], results[Number(b)]];
  return typeof one === 'number' && typeof other === 'number' ? one - other : null;
}
