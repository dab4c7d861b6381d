/** `graph`: nodes and the links between them. */
import * as v from 'valibot';
import { figureOutput, tableOf } from './draw/figure.ts';
import { THEMES } from './draw/theme.ts';
import { fault, firstFault, number } from './fields.ts';
import { toolboxTool } from './tool.ts';

const id = v.pipe(v.string(), v.nonEmpty('is empty'), v.maxLength(200));
export const GraphInputSchema = v.strictObject({
  nodes: v.pipe(
    v.array(
      v.strictObject({ id, label: v.exactOptional(v.pipe(v.string(), v.maxLength(200))), group: v.exactOptional(id) }),
    ),
    v.minLength(1, 'is empty'),
    v.maxLength(1000, 'are more than 1000'),
  ),
  links: v.pipe(
    v.array(
      v.strictObject({ source: id, target: id, value: v.exactOptional(number), label: v.exactOptional(v.string()) }),
    ),
    v.maxLength(5000, 'are more than 5000'),
  ),
  title: v.exactOptional(v.pipe(v.string(), v.maxLength(200))),
  theme: v.exactOptional(v.picklist(THEMES, 'must be light or dark')),
});
export type GraphInput = v.InferOutput<typeof GraphInputSchema>;

export const graph = toolboxTool<GraphInput>({
  name: 'graph',
  description:
    'Draws nodes [{ id, label, group }] and links [{ source, target, value, label }]; title, theme. Answers svg, a description, the links as a table, exports.',
  runtime: 'draw',
  input: GraphInputSchema,
  output: v.looseObject({ ...figureOutput, exports: v.looseObject({}) }),
  example: { nodes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], links: [{ source: 'a', target: 'b' }, { source: 'b', target: 'c' }] }, // prettier-ignore
  unread: ['svg', 'exports'],
  check({ nodes, links }) {
    const ids = new Set(nodes.map((node) => node.id));
    const lost = links.flatMap(({ source, target }) => [source, target]).find((end) => !ids.has(end));
    return firstFault(
      ids.size < nodes.length && fault('nodes', 'an id is there twice'),
      lost !== undefined && fault('links', `"${lost}" is no node`),
    );
  },
  job: (input) => ({ program: 'graph', data: { ...input, description: describe(input) } }),
  finish: (value, input) => ({
    ...value,
    description: describe(input),
    table: tableOf(input.links),
    exports: {
      vis_network: {
        nodes: input.nodes.map(({ id: own, label = own, group }) => ({
          id: own,
          label,
          ...(group === undefined ? {} : { group }),
        })),
        edges: input.links.map(({ source, target, label }) => ({
          from: source,
          to: target,
          ...(label === undefined ? {} : { label }),
        })),
      },
    },
  }),
});

/** The nodes with most links are told. */
const MOST_TOLD = 3;

function describe({ nodes, links, title }: GraphInput): string {
  const degrees = new Map<string, number>();
  for (const end of links.flatMap(({ source, target }) => [source, target]))
    degrees.set(end, (degrees.get(end) ?? 0) + 1);
  const most = [...degrees].sort((a, b) => b[1] - a[1]).slice(0, MOST_TOLD);
  const told = most.length === 0 ? '' : ` Most links: ${most.map(([node, count]) => `${node} (${count})`).join(', ')}.`;
  return `${title === undefined ? '' : `${title}. `}Graph of ${nodes.length} nodes and ${links.length} links.${told}`;
}
