/**
 * `gis_read`: files of maps as features in WGS 84 and as a table: GeoJSON, TopoJSON, Esri JSON, KML, KMZ, GPX, zipped Shapefiles,
 * GeoPackages, CSV with coordinates; of a GeoTIFF where it lies and what its values are like.
 */
import * as v from 'valibot';
import { isRecord } from '../agent/tools/tool.ts';
import { failed } from '../errors.ts';
import { delimitedRecords, delimiterOf } from '../text/delimited.ts';
import { decodeUtf8 } from '../utf8.ts';
import { typeOf } from './frame/column-type.ts';
import { bytesOf, fileInput, isZip, zipEntries, type ZipEntry } from './geo/bytes.ts';
import type { ToWgs84 } from './geo/crs.ts';
import { boundsOf, feature, mapPositions, type Feature } from './geo/features.ts';
import { BY_WKT, openCrs } from './geo/grids.ts';
import { readGeoPackage } from './geo/geopackage.ts';
import { isTiff, readGeoTiff } from './geo/geotiff.ts';
import { readJsonForm, wrong, type Read } from './geo/json-forms.ts';
import { readShapes } from './geo/shapefile.ts';
import { isSqlite } from './geo/sqlite-file.ts';
import { named, readXml, readXmlForm, type Node } from './geo/xml-forms.ts';
import { toolboxTool, type Output } from './tool.ts';

const InputSchema = v.strictObject({
  file: fileInput,
  /** Of those that it has. */
  layer: v.exactOptional(v.pipe(v.string(), v.maxLength(200, 'is too long'))),
  /** EPSG, where the file does not say it. */
  crs: v.exactOptional(v.pipe(v.number('must be a number'), v.integer('must be whole'))),
});
type Input = v.InferOutput<typeof InputSchema>;
interface Layer {
  name: string;
  code: number | null;
  /** What a file beside it says of its coordinates. */
  wkt?: string | null;
  features: Feature[];
}

export const gisRead = toolboxTool<Input>({
  name: 'gis_read',
  description:
    'Reads a file of a map (file: text, or { base64 }): GeoJSON, TopoJSON, Esri JSON, KML, KMZ, GPX, Shapefile in a ZIP, GeoPackage, CSV with coordinates; of a GeoTIFF extent and statistics, of a project of QGIS its layers. layer, crs (EPSG). Answers WGS 84: rows, geojson, bounds.',
  runtime: 'none',
  input: InputSchema,
  output: v.looseObject({ kind: v.string(), bounds: v.nullable(v.array(v.number())) }),
  example: { file: 'name,lat,lon\nBern,46.948,7.447\nBasel,47.559,7.588\n' },
  unread: ['geojson'],
  compute: (input) => read(bytesOf(input.file), input),
});

async function read(bytes: Uint8Array, input: Input): Promise<Output> {
  if (isTiff(bytes)) return raster(bytes, input);
  const project = projectOf(bytes);
  if (project !== null) return project;
  const { kind, layers } = layersOf(bytes);
  const chosen = input.layer === undefined ? layers[0] : layers.find(({ name }) => name === input.layer);
  if (chosen === undefined)
    throw failed('tool_input', `layer: there is none of that name; there are ${layers.map(({ name }) => name).join(', ')}`, { subject: 'layer' }); // prettier-ignore
  const code = input.crs ?? chosen.code ?? 4326;
  const change = await openCrs(code, chosen.wkt);
  const features = chosen.features.map((one) => changed(one, change));
  const bounds = boundsOf(features);
  const [west = 0, south = 0, east = 0, north = 0] = bounds ?? [];
  if (west < -360 || east > 360 || south < -90.001 || north > 90.001)
    throw failed('tool_input', 'crs: the coordinates are no longitude and latitude; name what they are by EPSG', { subject: 'crs' }); // prettier-ignore
  return {
    ...{ kind, layer: chosen.name, crs: code === BY_WKT ? 'of its .prj' : `EPSG:${code}` },
    layers: layers.map(({ name, features: all }) => ({ name, features: all.length })),
    ...featuresAsTable(features),
  };
}

/** Of a project of QGIS (`.qgz`, `.qgs`): its layers and where each has its data, which nobody opens. Null: it is none. */
function projectOf(bytes: Uint8Array): Output | null {
  const entry = isZip(bytes) ? zipEntries(bytes).find(({ name }) => /\.qgs$/i.test(name)) : undefined;
  if (entry === undefined && (isZip(bytes) || isSqlite(bytes))) return null;
  const text = decodeUtf8(entry?.read() ?? bytes);
  if (!/^\s*(?:<!DOCTYPE qgis\b[^>]*>\s*|<\?xml[^>]*\?>\s*)*<qgis\b/.test(text)) return null;
  const said = (node: Node, name: string): string | null =>
    node.children.find((child) => child.name === name)?.text.trim() ?? null;
  const rows = [...named(readXml(text), 'maplayer')].map((layer) => {
    const [authority] = named(layer, 'authid');
    const { type = null, geometry = null } = layer.attributes;
    return [said(layer, 'layername'), type, geometry, authority?.text.trim() ?? null, said(layer, 'datasource')];
  });
  const columns = ['layer', 'type', 'geometry', 'crs', 'source'];
  const types = columns.map((_, at) => typeOf(rows.map((row) => row[at])));
  return { kind: 'QGIS project', bounds: null, columns, types, rows, total: rows.length, truncated: false };
}

function layersOf(bytes: Uint8Array): { kind: string; layers: Layer[] } {
  if (isSqlite(bytes)) return { kind: 'GeoPackage', layers: readGeoPackage(bytes) };
  if (isZip(bytes)) return ofZip(zipEntries(bytes));
  const found = readText(decodeUtf8(bytes));
  return { kind: found.kind, layers: found.layers.map((layer) => ({ ...layer, code: found.code })) };
}

function readText(whole: string): Read {
  const text = whole.replace(/^\uFEFF/, '');
  if (/^\s*[{[]/.test(text)) {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw wrong('is no JSON');
    }
    const form = readJsonForm(json);
    if (form === null) throw wrong('is JSON, but no map');
    return form;
  }
  const xml = readXmlForm(text);
  if (xml !== null) return xml;
  if (text.trimStart().startsWith('<')) throw wrong('is XML, but neither KML nor GPX');
  return readCsv(text);
}

function ofZip(entries: readonly ZipEntry[]): { kind: string; layers: Layer[] } {
  const kml = entries.find(({ name }) => /(?:^|\/)doc\.kml$/i.test(name)) ?? entries.find(({ name }) => /\.kml$/i.test(name)); // prettier-ignore
  if (kml !== undefined) {
    const { layers, code } = readText(decodeUtf8(kml.read()));
    return { kind: 'KMZ', layers: layers.map((layer) => ({ ...layer, code })) };
  }
  const shapes = entries.filter(({ name }) => /\.shp$/i.test(name) && !name.includes('__MACOSX'));
  if (shapes.length > 0)
    return {
      kind: 'Shapefile',
      layers: shapes.map((shape) => {
        const stem = shape.name.slice(0, -4).toLowerCase();
        const beside = (ending: string): Uint8Array | null =>
          entries.find(({ name }) => name.toLowerCase() === `${stem}.${ending}`)?.read() ?? null;
        const said = (ending: string): string | null => {
          const found = beside(ending);
          return found === null ? null : decodeUtf8(found);
        };
        const name = shape.name.slice(shape.name.lastIndexOf('/') + 1, -4);
        return readShapes({ name, shp: shape.read(), dbf: beside('dbf'), prj: said('prj'), cpg: said('cpg') });
      }),
    };
  const inner = entries.find(({ name }) => /\.(?:gpkg|geojson|json|gpx|csv)$/i.test(name));
  if (inner === undefined) throw wrong('is a ZIP without a map in it');
  return layersOf(inner.read());
}

/** Of a service: its answer, and the features in it in WGS 84. Throws AccessionError `tool_input`. */
export async function readGisText(text: string): Promise<{ found: Feature[]; json: Record<string, unknown> }> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw failed('tool_unavailable', 'gis_service: the service answered what is no JSON.');
  }
  if (isRecord(json) && isRecord(json['error'])) return { found: [], json };
  const form = readJsonForm(json);
  if (form === null || !isRecord(json)) throw failed('tool_unavailable', 'gis_service: the service answered no features.'); // prettier-ignore
  const change = await openCrs(form.code ?? 4326);
  const found = form.layers.flatMap(({ features }) => features).map((one) => changed(one, change));
  return { found, json };
}

const changed = (one: Feature, change: ToWgs84): Feature => ({
  ...one,
  geometry: one.geometry === null ? null : mapPositions(one.geometry, change),
});

/** Features in WGS 84 as the tools of maps answer them. */
export const featuresAsTable = (features: readonly Feature[]): Output => ({
  ...{ bounds: boundsOf(features), ...tableOf(features) },
  geojson: { type: 'FeatureCollection', features },
});

const LATITUDE = /^(?:lat|latitude|y|breite|ycoord|decimallatitude)$/i;
const LONGITUDE = /^(?:lon|lng|long|longitude|x|l[aä]nge|xcoord|decimallongitude)$/i;

function readCsv(text: string): Read {
  const [head, ...rows] = Array.from(delimitedRecords(text, delimiterOf(text)), ({ cells }) => cells);
  const names = (head ?? []).map((name) => name.trim());
  const [y, x] = [names.findIndex((name) => LATITUDE.test(name)), names.findIndex((name) => LONGITUDE.test(name))];
  if (x < 0 || y < 0) throw wrong('is no map that is known, and no table with columns of latitude and longitude');
  const features = rows.map((cells) => {
    const position = [Number(cells[x]), Number(cells[y])];
    const known = cells[x] !== '' && cells[y] !== '' && position.every(Number.isFinite);
    const properties = Object.fromEntries(names.flatMap((name, at) => (at === x || at === y ? [] : [[name, cellOf(cells[at])]]))); // prettier-ignore
    return feature(known ? { type: 'Point', coordinates: position } : null, properties);
  });
  return { kind: 'CSV', code: null, layers: [{ name: 'rows', features }] };
}

const cellOf = (text: string | undefined): string | number | null =>
  text === undefined || text === '' ? null : Number.isFinite(Number(text)) && text.trim() !== '' ? Number(text) : text;

/** A row a feature: its properties, its kind, its place where it is a point. */
function tableOf(features: readonly Feature[]): Output {
  const names = [...new Set(features.flatMap(({ properties }) => Object.keys(properties)))].slice(0, 200);
  const columns = ['geometry', 'lon', 'lat', ...names.map((name) => (['geometry', 'lon', 'lat'].includes(name) ? `${name}_` : name))]; // prettier-ignore
  const rows = features.map(({ geometry, properties }) => {
    const point = geometry?.type === 'Point' ? geometry.coordinates : [];
    const own = names.map((name) => {
      const value = properties[name] ?? null;
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    });
    return [geometry?.type ?? null, point[0] ?? null, point[1] ?? null, ...own];
  });
  const types = columns.map((_, at) => typeOf(rows.map((row) => row[at])));
  return { columns, types, rows, total: rows.length, truncated: false };
}

async function raster(bytes: Uint8Array, { crs }: Input): Promise<Output> {
  const { code, corners, width, height, bands, unread } = readGeoTiff(bytes);
  const own = crs ?? code;
  const change = own === null ? null : await openCrs(own);
  const places = corners === null || change === null ? null : corners.map((corner) => change([...corner]));
  const bounds = places === null ? null : boundsOf([feature({ type: 'MultiPoint', coordinates: places }, {})]);
  return {
    ...{ kind: 'GeoTIFF', crs: own === null ? null : `EPSG:${own}`, bounds, width, height },
    ...(unread === null ? {} : { warnings: [`Nothing is said of its values: ${unread}.`] }),
    bands: bands ?? [],
  };
}
