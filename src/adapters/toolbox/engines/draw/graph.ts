/** A graph as a specification of Vega: forces push nodes apart and links pull, from fixed places and for a fixed time. */
import type { Spec } from 'vega';
import type { GraphInput } from '#core/toolbox/graph.ts';
import { PALETTES } from '#core/toolbox/draw/theme.ts';

const ITERATIONS = 300;
/** Points between linked nodes, and of a node; many nodes stand closer. */
const FAR = 110;
const NEAR = 45;
const DOT = 200;
/** Of the drawing: as much as its nodes need. */
const LEAST = { width: 480, height: 300 };
const MOST = { width: 1200, height: 900 };
/** Characters of a label beside its node. */
const LABEL = 28;

export function graphSpec({
  nodes,
  links,
  title,
  theme = 'light',
  description,
}: GraphInput & { description: string }): Spec {
  const palette = PALETTES[theme];
  const places = new Map(nodes.map((node, at) => [node.id, at]));
  const groups = [...new Set(nodes.map(({ group }) => group ?? ''))];
  const distance = Math.max(NEAR, FAR - nodes.length);
  const side = distance * Math.sqrt(nodes.length) * 1.25;
  const width = Math.min(MOST.width, Math.max(LEAST.width, side * 1.3));
  const height = Math.min(MOST.height, Math.max(LEAST.height, side));
  const radius = Math.min(width, height) / 3;
  const placed = nodes.map(({ id, label = id, group = '' }, at) => ({
    ...{ id, group, label: label.length > LABEL ? `${label.slice(0, LABEL - 1)}…` : label },
    x: width / 2 + radius * Math.cos((2 * Math.PI * at) / nodes.length),
    y: height / 2 + radius * Math.sin((2 * Math.PI * at) / nodes.length),
  }));
  const heaviest = links.reduce((most, { value = 1 }) => Math.max(most, Math.abs(value)), 1);
  const tied = links.map(({ source, target, value = 1 }) => ({
    ...{ source: places.get(source) ?? 0, target: places.get(target) ?? 0, value },
  }));
  const words = { labelColor: palette.text, titleColor: palette.text, labelFont: 'sans-serif', symbolSize: 120 };
  const label = (looks: object): object => ({
    ...{ type: 'text', from: { data: 'dots' }, zindex: 2 },
    encode: {
      enter: { font: { value: 'sans-serif' }, fontSize: { value: 11 }, ...looks },
      update: {
        ...{ x: { field: 'x' }, y: { field: 'y' }, dx: { value: 10 }, baseline: { value: 'middle' } },
        text: { field: 'datum.label' },
      },
    },
  });
  return {
    $schema: 'https://vega.github.io/schema/vega/v6.json',
    ...{ description, width, height, padding: 12, autosize: { type: 'pad' }, background: palette.background },
    ...(title === undefined
      ? {}
      : { title: { text: title, color: palette.text, font: 'sans-serif', anchor: 'start' as const } }),
    data: [
      { name: 'nodes', values: placed },
      { name: 'links', values: tied },
    ],
    scales: [{ name: 'color', type: 'ordinal', domain: groups, range: [...palette.kinds] }],
    legends: groups.length > 1 ? [{ fill: 'color', orient: 'top', direction: 'horizontal', ...words }] : [],
    marks: [
      {
        name: 'dots',
        ...{ type: 'symbol', from: { data: 'nodes' }, zindex: 1 },
        encode: {
          enter: {
            ...{
              fill: { scale: 'color', field: 'group' },
              stroke: { value: palette.background },
              size: { value: DOT },
            },
          },
        },
        transform: [
          {
            ...{ type: 'force', signal: 'force', iterations: ITERATIONS, static: true, velocityDecay: 0.4 },
            forces: [
              { force: 'center', x: width / 2, y: height / 2 },
              // What is linked to nothing does not drift away.
              { force: 'x', x: { expr: String(width / 2) }, strength: 0.06 },
              { force: 'y', y: { expr: String(height / 2) }, strength: 0.09 },
              { force: 'collide', radius: 18 },
              { force: 'nbody', strength: -2.5 * distance, distanceMax: 6 * distance },
              { force: 'link', links: 'links', distance },
            ],
          },
        ],
      },
      {
        ...{ type: 'path', from: { data: 'links' } },
        encode: {
          enter: { stroke: { value: palette.link }, strokeWidth: { signal: `1 + 2 * abs(datum.value) / ${heaviest}` } },
        },
        transform: [
          {
            ...{ type: 'linkpath', shape: 'line', require: { signal: 'force' } },
            ...{
              sourceX: 'datum.source.x',
              sourceY: 'datum.source.y',
              targetX: 'datum.target.x',
              targetY: 'datum.target.y',
            },
          },
        ],
      },
      // The halo first: a label is read on a link, too.
      label({ stroke: { value: palette.background }, strokeWidth: { value: 3 }, strokeOpacity: { value: 0.85 } }),
      label({ fill: { value: palette.text } }),
    ],
  } as unknown as Spec;
}
