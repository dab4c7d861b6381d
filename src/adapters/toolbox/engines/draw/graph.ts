/** A graph as a specification of Vega: forces push nodes apart and links pull, from fixed places and for a fixed time. */
import type { Spec } from 'vega';
import type { GraphInput } from '#core/toolbox/graph.ts';
import { PALETTES } from '#core/toolbox/draw/theme.ts';

const WIDTH = 640;
const HEIGHT = 480;
const ITERATIONS = 300;

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
  const radius = Math.min(WIDTH, HEIGHT) / 3;
  const placed = nodes.map(({ id, label = id, group = '' }, at) => ({
    ...{ id, label, group },
    x: WIDTH / 2 + radius * Math.cos((2 * Math.PI * at) / nodes.length),
    y: HEIGHT / 2 + radius * Math.sin((2 * Math.PI * at) / nodes.length),
  }));
  const tied = links.map(({ source, target, value = 1 }) => ({
    ...{ source: places.get(source) ?? 0, target: places.get(target) ?? 0, value },
  }));
  return {
    $schema: 'https://vega.github.io/schema/vega/v6.json',
    ...{ description, width: WIDTH, height: HEIGHT, padding: 8, background: palette.background },
    ...(title === undefined
      ? {}
      : { title: { text: title, color: palette.text, font: 'sans-serif', anchor: 'start' as const } }),
    data: [
      { name: 'nodes', values: placed },
      { name: 'links', values: tied },
    ],
    scales: [{ name: 'color', type: 'ordinal', domain: groups, range: [...palette.kinds] }],
    marks: [
      {
        name: 'dots',
        ...{ type: 'symbol', from: { data: 'nodes' }, zindex: 1 },
        encode: {
          enter: {
            ...{
              fill: { scale: 'color', field: 'group' },
              stroke: { value: palette.background },
              size: { value: 160 },
            },
          },
        },
        transform: [
          {
            ...{ type: 'force', signal: 'force', iterations: ITERATIONS, static: true, velocityDecay: 0.4 },
            forces: [
              { force: 'center', x: WIDTH / 2, y: HEIGHT / 2 },
              { force: 'collide', radius: 14 },
              { force: 'nbody', strength: -120 },
              { force: 'link', links: 'links', distance: 60 },
            ],
          },
        ],
      },
      {
        ...{ type: 'path', from: { data: 'links' } },
        encode: { enter: { stroke: { value: palette.quiet }, strokeWidth: { value: 1.5 } } },
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
      {
        ...{ type: 'text', from: { data: 'dots' }, zindex: 2 },
        encode: {
          enter: { fill: { value: palette.text }, font: { value: 'sans-serif' }, fontSize: { value: 11 } },
          update: {
            ...{ x: { field: 'x' }, y: { field: 'y' }, dx: { value: 10 }, baseline: { value: 'middle' } },
            text: { field: 'datum.label' },
          },
        },
      },
    ],
  } as unknown as Spec;
}
