/** `plot`: a figure of Vega-Lite, its data within it. */
import * as v from 'valibot';
import { isRecord } from '../agent/tools/tool.ts';
import { figureOutput, tableOf } from './draw/figure.ts';
import { describePlot } from './draw/describe-plot.ts';
import { sizeFault } from './draw/size-check.ts';
import { exportsOf } from './draw/plot-exports.ts';
import { addressFault, fieldFault } from './draw/spec-check.ts';
import { THEMES } from './draw/theme.ts';
import { fault, firstFault } from './fields.ts';
import { toolboxTool } from './tool.ts';

const InputSchema = v.strictObject({
  spec: v.pipe(
    v.record(v.string(), v.unknown(), 'must be a specification of Vega-Lite'),
    v.check((spec) => Object.keys(spec).length > 0, 'is empty'),
  ),
  theme: v.exactOptional(v.picklist(THEMES, 'must be light or dark')),
});

export const plot = toolboxTool<v.InferOutput<typeof InputSchema>>({
  name: 'plot',
  description:
    'Draws a figure: spec is Vega-Lite with its data inline (data.values), no addresses; theme light or dark. Answers svg, a description, the data as a table, exports.',
  runtime: 'draw',
  input: InputSchema,
  output: v.looseObject({ ...figureOutput, exports: v.looseObject({}) }),
  example: {
    spec: {
      data: { values: [{ a: 'A', b: 28 }, { a: 'B', b: 55 }] }, // prettier-ignore
      mark: 'bar',
      encoding: { x: { field: 'a', type: 'nominal' }, y: { field: 'b', type: 'quantitative' } },
    },
  },
  unread: ['svg', 'exports'],
  check: ({ spec }) =>
    firstFault(
      addressFault(spec),
      sizeFault(spec),
      !['mark', 'layer', 'concat', 'hconcat', 'vconcat', 'repeat', 'facet', 'spec'].some((key) => key in spec) &&
        fault('spec', 'has no mark: it is no figure of Vega-Lite'),
      fieldFault(spec),
    ),
  job: ({ spec, theme = 'light' }) => ({
    program: 'plot',
    data: { spec: { ...spec, description: describePlot(spec) }, theme },
  }),
  finish: (value, { spec }) => ({
    ...value,
    description: describePlot(spec),
    table: tableOf(rowsOf(spec)),
    exports: { vega_lite: spec, ...exportsOf(spec, rowsOf(spec)) },
  }),
});

function rowsOf(spec: Record<string, unknown>): Record<string, unknown>[] {
  const { data } = spec;
  const values = isRecord(data) ? data['values'] : undefined;
  return Array.isArray(values) ? values.filter(isRecord) : [];
}
