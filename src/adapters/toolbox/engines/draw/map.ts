/** A map as a specification of Vega: water, graticule, land, then the layers in their order, and a scale. */
import { feature } from 'topojson-client';
import type { Spec } from 'vega';
import { failed } from '#core/errors.ts';
import type { MapInput } from '#core/toolbox/map.ts';
import { turned } from './winding.ts';
import { countryNumber } from '#core/toolbox/draw/country-codes.ts';
import { PALETTES, type Palette } from '#core/toolbox/draw/theme.ts';

const WIDTH = 720;
const HEIGHT = 400;
/** Degrees between lines of the graticule; the outlines of 50 m are taken where less than this is shown. */
const STEP = 15;
const NEAR = 60;

interface Country {
  type: 'Feature';
  id?: string | number;
  properties: { name: string };
  geometry: object;
}

async function countries(fine: boolean): Promise<Country[]> {
  const file = fine
    ? await import('world-atlas/countries-50m.json', { with: { type: 'json' } })
    : await import('world-atlas/countries-110m.json', { with: { type: 'json' } });
  const topology = file.default as unknown as Parameters<typeof feature>[0];
  const collection = feature(topology, topology.objects['countries']) as unknown as { features: Country[] };
  return collection.features;
}

export async function mapSpec(input: MapInput & { description: string }): Promise<Spec> {
  const palette = PALETTES[input.theme ?? 'light'];
  const { bounds, layers, projection = 'equalEarth' } = input;
  const fine = bounds !== undefined && bounds[2] - bounds[0] < NEAR;
  const land = await countries(fine);
  const drawn = layers.map((layer, at) => layerOf(layer, `layer${at}`, land, palette));
  const fit = bounds === undefined ? { type: 'Sphere' } : frameOf(bounds);
  return {
    $schema: 'https://vega.github.io/schema/vega/v6.json',
    description: input.description,
    ...{ width: WIDTH, height: HEIGHT, padding: 8, background: palette.background },
    ...(input.title === undefined
      ? {}
      : { title: { text: input.title, color: palette.text, font: 'sans-serif', anchor: 'start' as const } }),
    projections: [{ name: 'p', type: projection, fit, size: [WIDTH, HEIGHT] } as never],
    data: [
      { name: 'sphere', values: [{ type: 'Sphere' }] },
      { name: 'graticule', transform: [{ type: 'graticule', step: [STEP, STEP] }] },
      { name: 'land', values: land.map(({ type, geometry, properties }) => ({ type, geometry, properties })) },
      ...drawn.flatMap(({ data }) => data),
    ] as never,
    scales: drawn.flatMap(({ scales }) => scales) as never,
    legends: drawn.flatMap(({ legends }) => legends) as never,
    marks: [
      {
        type: 'group',
        clip: true,
        encode: { enter: { width: { value: WIDTH }, height: { value: HEIGHT } } },
        marks: [
          shape('sphere', { fill: { value: palette.water } }),
          shape('graticule', {
            stroke: { value: palette.quiet },
            strokeWidth: { value: 0.5 },
            fill: { value: 'transparent' },
          }),
          shape('land', {
            fill: { value: palette.land },
            stroke: { value: palette.quiet },
            strokeWidth: { value: 0.5 },
          }),
          ...drawn.flatMap(({ marks }) => marks),
        ],
      },
    ] as never,
  };
}

const shape = (data: string, enter: object): object => ({
  ...{ type: 'shape', from: { data }, encode: { enter } },
  transform: [{ type: 'geoshape', projection: 'p' }],
});

interface Layer {
  data: object[];
  scales: object[];
  legends: object[];
  marks: object[];
}

function layerOf(layer: MapInput['layers'][number], name: string, land: readonly Country[], palette: Palette): Layer {
  if ('points' in layer) return pointsOf(layer.points, name, palette);
  if ('choropleth' in layer) return choroplethOf(layer.choropleth, name, land, palette);
  const { geojson } = layer;
  const given = geojson['type'] === 'FeatureCollection' ? (geojson['features'] as object[]) : [geojson];
  const values = given.map(turned);
  const stroke = { stroke: { value: palette.kinds[0] }, strokeWidth: { value: 1.5 } };
  const marks = [shape(name, { ...stroke, fill: { value: palette.kinds[0] }, fillOpacity: { value: 0.25 } })];
  return { data: [{ name, values }], scales: [], legends: [], marks };
}

function pointsOf(
  points: readonly { lat: number; lon: number; label?: string; value?: number }[],
  name: string,
  palette: Palette,
): Layer {
  const transform = [
    { type: 'geopoint', projection: 'p', fields: ['lon', 'lat'], as: ['px', 'py'] },
    { type: 'filter', expr: 'isValid(datum.px) && isValid(datum.py)' },
  ];
  const sized = points.some(({ value }) => value !== undefined);
  const largest = points.reduce((most, { value = 0 }) => Math.max(most, Math.abs(value)), 0);
  const scale = { name: `${name}size`, type: 'sqrt', domain: [0, largest === 0 ? 1 : largest], range: [0, 600] };
  const place = { x: { field: 'px' }, y: { field: 'py' } };
  const size = sized ? { scale: `${name}size`, signal: 'abs(datum.value)' } : { value: 50 };
  const beside = sized ? `5 + sqrt(scale('${name}size', abs(datum.value || 0))) / 2` : '7';
  const label = (looks: object): object => ({
    ...{ type: 'text', from: { data: name } },
    encode: {
      enter: {
        ...{ ...place, text: { field: 'label' }, dx: { signal: beside }, baseline: { value: 'middle' } },
        ...{ font: { value: 'sans-serif' }, fontSize: { value: 11 }, ...looks },
      },
    },
  });
  const marks = [
    {
      ...{ type: 'symbol', from: { data: name } },
      encode: { enter: { ...place, size, fill: { value: palette.kinds[5] }, fillOpacity: { value: 0.8 } } },
    },
    // The halo first: a label is read on land of any colour.
    label({ stroke: { value: palette.background }, strokeWidth: { value: 3 }, strokeOpacity: { value: 0.85 } }),
    label({ fill: { value: palette.text } }),
  ];
  return { data: [{ name, values: points, transform }], scales: sized ? [scale] : [], legends: [], marks };
}

function choroplethOf(
  { by, rows }: { by: 'iso' | 'name'; rows: readonly { key: string; value: number }[] },
  name: string,
  land: readonly Country[],
  palette: Palette,
): Layer {
  const byKey = new Map(
    land.map((one) => [by === 'iso' ? String(one.id ?? '').padStart(3, '0') : one.properties.name.toLowerCase(), one]),
  );
  const values = rows.map(({ key, value }) => {
    const found = byKey.get(by === 'iso' ? (countryNumber(key) ?? '') : key.trim().toLowerCase());
    if (found === undefined)
      throw failed('tool_input', `layers: no country is "${key}" by ${by}`, { subject: 'layers' });
    return { type: 'Feature', geometry: found.geometry, name: found.properties.name, value };
  });
  const scale = {
    name: `${name}color`,
    type: 'linear',
    domain: { data: name, field: 'value' },
    range: palette.ramp,
    nice: true,
  };
  const words = { labelColor: palette.text, titleColor: palette.text, labelFont: 'sans-serif' };
  return {
    data: [{ name, values }],
    scales: [scale],
    legends: [
      {
        fill: `${name}color`,
        type: 'gradient',
        orient: 'bottom',
        direction: 'horizontal',
        gradientLength: 240,
        ...words,
      },
    ],
    marks: [shape(name, { fill: { scale: `${name}color`, field: 'value' }, stroke: { value: palette.quiet } })],
  };
}

/** The edge of what is shown, as points: a polygon would be the other way round on a sphere. */
function frameOf([west, south, east, north]: readonly [number, number, number, number]): object {
  const along = Array.from({ length: 11 }, (_, at) => at / 10);
  const points = along.flatMap((t) => {
    const x = west + (east - west) * t;
    const y = south + (north - south) * t;
    return [[x, south], [x, north], [west, y], [east, y]]; // prettier-ignore
  });
  return { type: 'MultiPoint', coordinates: points };
}
