/** `gis_service`: features of a service of maps: an ArcGIS FeatureServer, a WFS, an OGC API. */
import * as v from 'valibot';
import { isRecord } from '../../agent/tools/tool.ts';
import { failed } from '../../errors.ts';
import { fault } from '../fields.ts';
import { featuresAsTable, readGisText } from '../gis-read.ts';
import { connectorTool } from './connector-tool.ts';
import { USUAL_CONNECTOR } from './net.ts';

const MOST_PAGES = 50;
const InputSchema = v.strictObject({
  kind: v.picklist(['arcgis', 'wfs', 'ogc'], 'must be arcgis, wfs or ogc'),
  url: v.pipe(v.string(), v.regex(/^https:\/\/[^?#]+$/, 'must be an https address without "?"'), v.maxLength(1000, 'is too long')), // prettier-ignore
  layer: v.exactOptional(v.pipe(v.string(), v.regex(/^[\w:. -]{1,200}$/, 'must be a name or number'))),
  where: v.exactOptional(v.pipe(v.string(), v.maxLength(1000, 'is too long'))),
  bounds: v.exactOptional(
    v.pipe(v.array(v.pipe(v.number(), v.finite())), v.length(4, 'must be west, south, east, north')),
  ),
  limit: v.exactOptional(v.pipe(v.number('must be a number'), v.integer('must be whole'), v.minValue(1, 'must be 1 or more'), v.maxValue(2000, 'must be 2000 at most'))), // prettier-ignore
  pages: v.exactOptional(v.pipe(v.number('must be a number'), v.integer('must be whole'), v.minValue(1, 'must be 1 or more'), v.maxValue(MOST_PAGES, `must be ${MOST_PAGES} at most`))), // prettier-ignore
});
type Input = v.InferOutput<typeof InputSchema>;

export const gisService = connectorTool<Input>({
  connector: {
    ...USUAL_CONNECTOR,
    ...{ name: 'gis_service', hosts: null, licence: 'as the service says', attribution: 'the service', everyMs: 300 },
    ...{ bytes: 16 * 1024 * 1024, timeMs: 30_000 },
  },
  description:
    'Features of a map service: kind arcgis (url .../FeatureServer, layer 0), wfs (url, layer), ogc (url, layer: the collection); where (arcgis), bounds, limit, pages. Answers WGS 84: rows, geojson, bounds.',
  input: InputSchema,
  output: { rows: v.array(v.array(v.unknown())), geojson: v.looseObject({}) },
  example: { kind: 'ogc', url: 'https://demo.ldproxy.net/daraa', layer: 'AeronauticSrf', limit: 10 },
  check: ({ kind, layer, where }) => {
    if (kind !== 'arcgis' && layer === undefined) return fault('layer', 'is missing');
    return where !== undefined && kind !== 'arcgis' ? fault('where', `is no field of ${kind}`) : null;
  },
  async read(input, ask) {
    const features: unknown[] = [];
    const most = input.pages ?? 1;
    let next: string | null = addressOf(input, 0);
    for (let page = 0; page < most && next !== null; page++) {
      const answer = await ask.text(next, 'application/geo+json, application/json');
      const { found, json } = await readGisText(answer);
      if (isRecord(json['error'])) throw failed('tool_unavailable', `gis_service: ${String(json['error']['message'])}`);
      features.push(...found);
      next = found.length === 0 ? null : following(input, json, features.length);
    }
    return { ...featuresAsTable(features as Parameters<typeof featuresAsTable>[0]), truncated: next !== null };
  },
});

const LIMIT = 1000;

function addressOf({ kind, url, layer = '0', where = '1=1', bounds, limit = LIMIT }: Input, from: number): string {
  const base = url.replace(/\/$/, '');
  const box = bounds?.join(',');
  const [path, query]: [string, Record<string, string | number | undefined>] =
    kind === 'arcgis'
      ? [
          `${base}/${encodeURIComponent(layer)}/query`,
          {
            ...{ where, outFields: '*', outSR: 4326, f: 'geojson', resultRecordCount: limit, resultOffset: from },
            ...(box === undefined ? {} : { geometry: box, geometryType: 'esriGeometryEnvelope', inSR: 4326 }),
          },
        ]
      : kind === 'wfs'
        ? [
            base,
            {
              ...{ service: 'WFS', version: '2.0.0', request: 'GetFeature', typeNames: layer, count: limit },
              ...{ startIndex: from, outputFormat: 'application/json', srsName: 'CRS:84' },
              bbox: box === undefined ? undefined : `${box},CRS:84`,
            },
          ]
        : [`${base}/collections/${encodeURIComponent(layer)}/items`, { f: 'json', limit, bbox: box }];
  const said = Object.entries(query).filter(([, value]) => value !== undefined);
  return `${path}?${said.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&')}`;
}

/** Where the rest is; null: there is no more, as far as the service says. */
function following(input: Input, json: Record<string, unknown>, read: number): string | null {
  const { links, numberMatched, exceededTransferLimit, properties } = json;
  if (input.kind === 'ogc') {
    const all = Array.isArray(links) ? links.filter(isRecord) : [];
    const next = all.find(({ rel }) => rel === 'next')?.['href'];
    return typeof next === 'string' ? next : null;
  }
  if (input.kind === 'wfs')
    return typeof numberMatched === 'number' && numberMatched > read ? addressOf(input, read) : null;
  const more = exceededTransferLimit ?? (isRecord(properties) ? properties['exceededTransferLimit'] : false);
  return more === true ? addressOf(input, read) : null;
}
