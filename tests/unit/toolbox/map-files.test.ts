/** Files of maps: each form made here, read back, and broken. */
import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, deflateSync } from 'node:zlib';
import JSZip from 'jszip';
import { describe, expect, test } from 'vitest';
import { bytesOf, zipEntries } from '#core/toolbox/geo/bytes.ts';
import { fromUtm, toWgs84 } from '#core/toolbox/geo/crs.ts';
import { inflate } from '#core/toolbox/geo/inflate.ts';
import { BY_WKT, openCrs } from '#core/toolbox/geo/grids.ts';
import { gisRead } from '#core/toolbox/gis-read.ts';
import { maltegoRead } from '#core/toolbox/maltego-read.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { stixRead } from '#core/toolbox/stix-read.ts';
import { mulberry32 } from '#core/mulberry32.ts';

const cage = { run: () => Promise.reject(new Error('a cage was reached')), close: () => undefined };
const b64 = (bytes: Uint8Array): { base64: string } => ({ base64: Buffer.from(bytes).toString('base64') });

async function call(
  tool: Parameters<ToolboxRun['call']>[0] | typeof gisRead,
  input: unknown,
): Promise<Record<string, unknown>> {
  const answered = await new ToolboxRun({ cage }).call(tool as never, input);
  return answered.ok ? answered.answer.whole : { ...answered.failure };
}
const read = (file: string | { base64: string }, more: object = {}) => call(gisRead, { file, ...more });

const zipped = async (
  files: Record<string, string | Uint8Array>,
  compression: 'STORE' | 'DEFLATE' = 'DEFLATE',
): Promise<{ base64: string }> => {
  const zip = new JSZip();
  for (const [name, content] of Object.entries(files)) zip.file(name, content);
  return b64(await zip.generateAsync({ type: 'uint8array', compression }));
};

const SQUARE = [[7, 46], [8, 46], [8, 47], [7, 47], [7, 46]]; // prettier-ignore

describe('unpacking by hand', () => {
  test('TOOLBOX-59 what zlib packs, at each level, comes out as it was', () => {
    const random = mulberry32(5);
    for (let round = 0; round < 60; round++) {
      const length = Math.floor(random() * 5000);
      const kinds = 1 + Math.floor(random() * 255);
      const bytes = Uint8Array.from({ length }, () => Math.floor(random() ** 3 * kinds));
      const packed = deflateRawSync(bytes, { level: round % 10, strategy: round % 5 });
      expect(Buffer.from(inflate(packed, 10_000)).equals(bytes), `round ${round}`).toBe(true);
    }
  });

  test('TOOLBOX-59 a bomb ends at its bound; what is cut or broken is an input fault', () => {
    expect(() => inflate(deflateRawSync(Buffer.alloc(10_000_000)), 1_000_000)).toThrow(/larger than 1 MiB/);
    const packed = deflateRawSync(Buffer.from('a'.repeat(50) + 'bcdefgh'.repeat(30)));
    for (let cut = 0; cut < packed.length - 1; cut++) expect(() => inflate(packed.subarray(0, cut), 1000)).toThrow();
    const random = mulberry32(9);
    for (let round = 0; round < 500; round++) {
      const broken = Uint8Array.from(packed, (byte) => (random() < 0.1 ? Math.floor(random() * 256) : byte));
      try {
        expect(inflate(broken, 5000).length).toBeLessThanOrEqual(5000);
      } catch (thrown) {
        expect(String(thrown)).toMatch(/broken|larger/);
      }
    }
    expect(bytesOf({ base64: Buffer.from([0, 1, 254, 255]).toString('base64') })).toEqual(
      Uint8Array.from([0, 1, 254, 255]),
    );
  });

  test('TOOLBOX-59 names of an archive lead nowhere, and what is no archive is said', async () => {
    const zip = await zipped({ '../../etc/doc.kml': '<kml/>', 'a.txt': 'x' }, 'STORE');
    expect(zipEntries(bytesOf(zip)).map(({ name }) => name)).toContain('a.txt');
    expect(await read(b64(Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0])))).toMatchObject({
      code: 'tool_input',
      subject: 'file',
    });
    expect(await read(await zipped({ 'a.txt': 'x' }))).toMatchObject({
      code: 'tool_input',
      message: expect.stringMatching(/without a map/),
    });
  });
});

describe('coordinates', () => {
  // Of EPSG's own examples and of widely published points.
  test.each([
    [3857, [-11_169_055.58, 2_800_000], [-100.333_333_3, 24.381_787]],
    [32_632, [691_607.86, 5_334_760.38], [11.580_8, 48.137_6]],
    [32_733, [261_878, 6_243_186], [12.42, -33.93]],
    [25_832, [500_000, 0], [9, 0]],
  ] as const)('TOOLBOX-51 EPSG:%s', (code, from, to) => {
    const [x = 0, y = 0] = toWgs84(code)([...from]);
    expect(x).toBeCloseTo(to[0], 1);
    expect(y).toBeCloseTo(to[1], 1);
  });

  // Where a projection puts its origin, and points that the surveys publish.
  test.each([
    [2056, [2_600_000, 1_200_000], [7.438_632, 46.951_083], 1e-5],
    [21781, [600_000, 200_000], [7.438_632, 46.951_083], 1e-5],
    [27700, [651_409.903, 313_177.27], [1.716_05, 52.657_98], 1e-4],
    [28992, [155_000, 463_000], [5.387_206, 52.155_174], 1e-5],
    [2154, [700_000, 6_600_000], [3, 46.5], 1e-8],
    [2157, [600_000, 750_000], [-8, 53.5], 1e-8],
    [3812, [649_328, 665_262], [4.359_215_8, 50.797_815], 1e-6],
    [3035, [4_321_000, 3_210_000], [10, 52], 1e-8],
    [3006, [500_000, 0], [15, 0], 1e-8],
    [3067, [500_000, 0], [27, 0], 1e-8],
    [2180, [500_000, -5_300_000], [19, 0], 1e-8],
    [2193, [1_600_000, 10_000_000], [173, 0], 1e-8],
    [5070, [0, 0], [-96, 23], 1e-8],
    [3347, [6_200_000, 3_000_000], [-91.866_666_7, 63.390_675], 1e-6],
    [3577, [0, 0], [132, 0], 1e-8],
    [31287, [400_000, 400_000], [13.332, 47.499], 2e-3],
    [31256, [0, 0], [16.332, 45.14], 1e-2],
    [31370, [150_000, 165_000], [4.36, 50.79], 1e-2],
    [31467, [3_500_000, 5_500_000], [9, 49.63], 1e-2],
    [3003, [1_500_000, 4_600_000], [9, 41.55], 1e-2],
    [26918, [500_000, 0], [-75, 0], 1e-8],
    [28355, [500_000, 10_000_000], [147, 0], 1e-8],
  ] as const)('TOOLBOX-77 EPSG:%s', async (code, from, to, near) => {
    const [lon = 0, lat = 0] = (await openCrs(code))([...from]);
    expect(Math.abs(lon - to[0]), String(lon)).toBeLessThan(near);
    expect(Math.abs(lat - to[1]), String(lat)).toBeLessThan(near);
  });

  test('TOOLBOX-77 a .prj that names no code is computed as it describes; one that is no description is said at crs', async () => {
    const wkt =
      'PROJCS["Somewhere",GEOGCS["GCS",DATUM["D",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",700000.0],PARAMETER["False_Northing",6600000.0],PARAMETER["Central_Meridian",3.0],PARAMETER["Standard_Parallel_1",49.0],PARAMETER["Standard_Parallel_2",44.0],PARAMETER["Latitude_Of_Origin",46.5],UNIT["Meter",1.0]]';
    const [lon = 0, lat = 0] = (await openCrs(BY_WKT, wkt))([700_000, 6_600_000]);
    expect([lon, lat].map((one) => Number(one.toFixed(6)))).toEqual([3, 46.5]);
    for (const bad of ['', 'PROJCS["x"', 'no', null, `PROJCS["${'x'.repeat(30_000)}"]`])
      await expect(openCrs(BY_WKT, bad), String(bad)).rejects.toMatchObject({
        failure: { code: 'tool_input', subject: 'crs' },
      });
    await expect(openCrs(5514)).rejects.toThrow(/EPSG:5514 are not known here/);
  });

  test('TOOLBOX-51 UTM comes back within a millimetre of where the projection puts a point', () => {
    const random = mulberry32(3);
    for (let round = 0; round < 200; round++) {
      const [lon, lat] = [9 + (random() - 0.5) * 6, (random() - 0.5) * 160];
      const { x, y } = intoUtm(lon, lat, 32);
      const [back, up] = fromUtm(x, y, { zone: 32, south: false });
      expect(Math.abs(back - lon) * Math.cos((lat * Math.PI) / 180)).toBeLessThan(2e-8);
      expect(Math.abs(up - lat)).toBeLessThan(2e-8);
    }
  });

  test('TOOLBOX-51 coordinates that are not known, and such as are none of longitude and latitude, are said at crs', async () => {
    const far = JSON.stringify({ type: 'Point', coordinates: [2_600_000, 1_200_000] });
    expect(await read(far)).toMatchObject({ code: 'tool_input', subject: 'crs' });
    expect(await read(far, { crs: 5514 })).toMatchObject({
      code: 'tool_input',
      subject: 'crs',
      message: expect.stringMatching(/5514/),
    });
    expect(await read(JSON.stringify({ type: 'Point', coordinates: [829_000, 5_932_000] }), { crs: 3857 })).toMatchObject({ crs: 'EPSG:3857', rows: [['Point', expect.closeTo(7.447, 2), expect.closeTo(46.95, 1)]] }); // prettier-ignore
  });
});

/** The other way, by the classical series of the meridian arc. */
function intoUtm(lon: number, lat: number, zone: number): { x: number; y: number } {
  const [a, f] = [6_378_137, 1 / 298.257223563];
  const n = f / (2 - f);
  const [phi, lambda] = [(lat * Math.PI) / 180, ((lon - (zone * 6 - 183)) * Math.PI) / 180];
  const alpha = [
    n / 2 - (2 / 3) * n ** 2 + (5 / 16) * n ** 3,
    (13 / 48) * n ** 2 - (3 / 5) * n ** 3,
    (61 / 240) * n ** 3,
  ];
  const e = (2 * Math.sqrt(n)) / (1 + n);
  const t = Math.sinh(Math.atanh(Math.sin(phi)) - e * Math.atanh(e * Math.sin(phi)));
  let [xi, eta] = [Math.atan2(t, Math.cos(lambda)), Math.atanh(Math.sin(lambda) / Math.hypot(1, t))];
  const [xi1, eta1] = [xi, eta];
  alpha.forEach((term, at) => {
    const j = 2 * (at + 1);
    xi += term * Math.sin(j * xi1) * Math.cosh(j * eta1);
    eta += term * Math.cos(j * xi1) * Math.sinh(j * eta1);
  });
  const rectifying = (a / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64);
  return { x: 500_000 + 0.9996 * rectifying * eta, y: 0.9996 * rectifying * xi };
}

describe('forms', () => {
  test('TOOLBOX-52 GeoJSON, TopoJSON, Esri JSON and CSV are features, a table and bounds', async () => {
    const geojson = { type: 'FeatureCollection', features: [{ type: 'Feature', id: 7, geometry: { type: 'Polygon', coordinates: [SQUARE] }, properties: { name: 'A', n: 2 } }, { type: 'Feature', geometry: null, properties: null }] }; // prettier-ignore
    expect(await read(JSON.stringify(geojson))).toMatchObject({
      ...{ kind: 'GeoJSON', bounds: [7, 46, 8, 47], columns: ['geometry', 'lon', 'lat', 'id', 'name', 'n'] },
      rows: [['Polygon', null, null, 7, 'A', 2], [null, null, null, null, null, null]], // prettier-ignore
    });
    const topology = {
      ...{ type: 'Topology', transform: { scale: [0.5, 0.5], translate: [7, 46] } },
      arcs: [[[0, 0], [2, 0]], [[2, 0], [0, 2], [-2, 0], [0, -2]]], // prettier-ignore
      objects: { land: { type: 'GeometryCollection', geometries: [{ type: 'Polygon', arcs: [[0, 1]], properties: { name: 'A' } }, { type: 'Point', coordinates: [1, 1] }, { type: 'LineString', arcs: [~0] }] } }, // prettier-ignore
    };
    const topo = await read(JSON.stringify(topology));
    expect(topo).toMatchObject({ kind: 'TopoJSON', layer: 'land', rows: [['Polygon', null, null, 'A'], ['Point', 7.5, 46.5, null], ['LineString', null, null, null]] }); // prettier-ignore
    expect(topo['geojson']).toMatchObject({ features: [{ geometry: { coordinates: [SQUARE] } }, {}, { geometry: { coordinates: [[8, 46], [7, 46]] } }] }); // prettier-ignore
    const esri = { geometryType: 'esriGeometryPolygon', spatialReference: { wkid: 102100, latestWkid: 3857 }, features: [{ attributes: { a: 1 }, geometry: { rings: [[[0, 0], [0, 100], [100, 100], [100, 0], [0, 0]], [[10, 10], [20, 10], [20, 20], [10, 20], [10, 10]]] } }] }; // prettier-ignore
    const read_ = await read(JSON.stringify(esri));
    expect(read_).toMatchObject({ kind: 'Esri JSON', crs: 'EPSG:3857', rows: [['Polygon', null, null, 1]] });
    expect((read_['geojson'] as { features: { geometry: { coordinates: unknown[] } }[] }).features[0]?.geometry.coordinates).toHaveLength(2); // prettier-ignore
    expect(await read('name;Latitude;Longitude\nBern;46.9;7.4\nnowhere;;\n')).toMatchObject({ kind: 'CSV', rows: [['Point', 7.4, 46.9, 'Bern'], [null, null, null, 'nowhere']] }); // prettier-ignore
  });

  const KML = `<?xml version="1.0"?><!-- made --><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>P</name><ExtendedData><Data name="h"><value>3</value></Data></ExtendedData><Point><coordinates>7.4,46.9,540</coordinates></Point></Placemark><Placemark><MultiGeometry><LineString><coordinates>7,46 8,47</coordinates></LineString><Polygon><outerBoundaryIs><LinearRing><coordinates>7,46 8,46 8,47 7,46</coordinates></LinearRing></outerBoundaryIs></Polygon></MultiGeometry></Placemark></Document></kml>`;

  test('TOOLBOX-52 KML, KMZ and GPX', async () => {
    const expected = { rows: [['Point', 7.4, 46.9, 'P', '3'], ['GeometryCollection', null, null, null, null]], bounds: [7, 46, 8, 47] }; // prettier-ignore
    expect(await read(KML)).toMatchObject({ kind: 'KML', ...expected });
    expect(await read(await zipped({ 'doc.kml': KML, 'images/a.png': 'x' }))).toMatchObject({
      kind: 'KMZ',
      ...expected,
    });
    const gpx = `<gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1"><wpt lat="46.9" lon="7.4"><name>W</name><ele>540</ele></wpt><trk><name>T</name><trkseg><trkpt lat="46" lon="7"><ele>1</ele><time>2026-01-01T00:00:00Z</time></trkpt><trkpt lat="47" lon="8"><time>2026-01-01T01:00:00Z</time></trkpt></trkseg></trk></gpx>`;
    expect(await read(gpx)).toMatchObject({ kind: 'GPX', layer: 'waypoints', rows: [['Point', 7.4, 46.9, 'W', 540]] });
    expect(await read(gpx, { layer: 'tracks' })).toMatchObject({ rows: [['MultiLineString', null, null, 'T', 2, '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z']] }); // prettier-ignore
    expect(await read(gpx, { layer: 'none' })).toMatchObject({
      subject: 'layer',
      message: expect.stringMatching(/waypoints, tracks/),
    });
  });

  test('TOOLBOX-53 entities that a document declares are not expanded, and no file is opened', async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE kml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]><kml><Placemark><name>&x;&b;</name></Placemark></kml>`;
    expect(await read(bomb)).toMatchObject({ code: 'tool_input' });
    const deep = `<kml>${'<a>'.repeat(5000)}</kml>`;
    expect(await read(deep)).toMatchObject({ code: 'tool_input' });
    expect(await read('<html><body>x</body></html>')).toMatchObject({ code: 'tool_input' });
    expect(await read('{"a": 1}')).toMatchObject({ code: 'tool_input' });
    expect(await read('{"type":')).toMatchObject({ code: 'tool_input' });
    expect(await read('a,b\n1,2\n')).toMatchObject({ code: 'tool_input' });
  });

  /** A `.shp` of polygons (outer rings clockwise) or points. */
  function shp(kind: 1 | 5, shapes: number[][][][] | number[][]): Buffer {
    const records = shapes.map((shape, at) => {
      const body =
        kind === 1
          ? Buffer.concat([int(1), ...(shape as number[]).map(double)])
          : (() => {
              const rings = shape as number[][][];
              const points = rings.flat();
              const starts = rings.map((_, i) => rings.slice(0, i).flat().length);
              return Buffer.concat([int(5), ...[0, 0, 0, 0].map(double), int(rings.length), int(points.length), ...starts.map(int), ...points.flat().map(double)]); // prettier-ignore
            })();
      const head = Buffer.alloc(8);
      head.writeInt32BE(at + 1, 0);
      head.writeInt32BE(body.length / 2, 4);
      return Buffer.concat([head, body]);
    });
    const head = Buffer.alloc(100);
    head.writeInt32BE(9994, 0);
    head.writeInt32LE(kind, 32);
    return Buffer.concat([head, ...records]);
  }
  const int = (value: number): Buffer => Buffer.from(Int32Array.of(value).buffer);
  const double = (value: number): Buffer => Buffer.from(Float64Array.of(value).buffer);

  function dbf(fields: [name: string, type: string, length: number][], rows: string[][]): Buffer {
    const head = Buffer.alloc(32 + fields.length * 32 + 1);
    head.writeUInt32LE(rows.length, 4);
    head.writeUInt16LE(head.length, 8);
    head.writeUInt16LE(1 + fields.reduce((sum, [, , length]) => sum + length, 0), 10);
    fields.forEach(([name, type, length], at) => {
      head.write(name, 32 + at * 32, 'latin1');
      head.write(type, 32 + at * 32 + 11, 'latin1');
      head[32 + at * 32 + 16] = length;
    });
    head[head.length - 1] = 13;
    const lines = rows.map((row) => ` ${row.map((cell, at) => { const bytes = Buffer.alloc(fields[at]?.[2] ?? 0, 32); bytes.write(cell); return bytes.toString('latin1'); }).join('')}`); // prettier-ignore
    return Buffer.concat([head, ...lines.map((line) => Buffer.from(line, 'latin1'))]);
  }

  test('TOOLBOX-54 a zipped Shapefile with holes, its table, and coordinates of UTM', async () => {
    const outer = [[0, 0], [0, 10], [10, 10], [10, 0], [0, 0]]; // prettier-ignore
    const hole = [[2, 2], [4, 2], [4, 4], [2, 4], [2, 2]]; // prettier-ignore
    const table = dbf([['NAME', 'C', 10], ['POP', 'N', 8], ['DAY', 'D', 8], ['OK', 'L', 1]], [['Zürich', '12', '20260102', 'T'], ['', '', '', '?']]); // prettier-ignore
    const file = await zipped({ 'data/areas.shp': shp(5, [[outer, hole], [outer]]), 'data/areas.dbf': table, 'data/areas.cpg': 'UTF-8', 'data/areas.prj': 'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984"]]' }); // prettier-ignore
    const read_ = await read(file);
    expect(read_).toMatchObject({
      ...{ kind: 'Shapefile', layer: 'areas', columns: ['geometry', 'lon', 'lat', 'NAME', 'POP', 'DAY', 'OK'] },
      rows: [['Polygon', null, null, 'Zürich', 12, '2026-01-02', true], ['Polygon', null, null, null, null, null, null]], // prettier-ignore
    });
    expect((read_['geojson'] as { features: { geometry: { coordinates: unknown[] } }[] }).features.map(({ geometry }) => geometry.coordinates.length)).toEqual([2, 1]); // prettier-ignore
    const prj = 'PROJCS["WGS_1984_UTM_Zone_32N",GEOGCS["GCS_WGS_1984"],PROJECTION["Transverse_Mercator"]]';
    const utm = await zipped({ 'p.shp': shp(1, [[500_000, 5_200_000]]), 'p.prj': prj });
    expect(await read(utm)).toMatchObject({ crs: 'EPSG:32632', rows: [['Point', expect.closeTo(9, 6), expect.closeTo(46.95, 1)]] }); // prettier-ignore
    const swiss = await zipped({ 'p.shp': shp(1, [[2_600_000, 1_200_000]]), 'p.prj': 'PROJCS["CH1903+_LV95"]' });
    expect(await read(swiss)).toMatchObject({ code: 'tool_input', subject: 'crs' });
    for (const cut of [20, 99, 104, 150])
      expect(await read(await zipped({ 'a.shp': shp(5, [[outer]]).subarray(0, cut) }))).toMatchObject({ code: 'tool_input' }); // prettier-ignore
  });

  test('TOOLBOX-55 a GeoPackage that SQLite wrote, with long rows over several pages', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'accession-gpkg-'));
    try {
      const path = join(folder, 'a.gpkg');
      const db = new DatabaseSync(path);
      db.exec(`create table gpkg_spatial_ref_sys (srs_name text not null, srs_id integer not null primary key, organization text, organization_coordsys_id integer);
        insert into gpkg_spatial_ref_sys values ('w', 3857, 'EPSG', 3857);
        create table gpkg_geometry_columns (table_name text not null, column_name text, geometry_type_name text, srs_id integer, z integer, m integer, constraint pk primary key (table_name, column_name));
        insert into gpkg_geometry_columns values ('towns', 'geom', 'POINT', 3857, 0, 0);
        create table "towns" ("fid" integer primary key autoincrement, geom blob, "name" text, size real, note text default 'x, (y)');`);
      db.exec('begin');
      const add = db.prepare('insert into towns (geom, name, size, note) values (?, ?, ?, ?)');
      const point = (x: number, y: number): Buffer => Buffer.concat([Buffer.from([0x47, 0x50, 0, 1]), int(3857), Buffer.from([1]), int(1), double(x), double(y)]); // prettier-ignore
      for (let at = 0; at < 500; at++)
        add.run(point(at * 1000, at * 1000), `town ${at}`, at / 3, at === 7 ? 'long '.repeat(5000) : null);
      const square = Buffer.concat([Buffer.from([0x47, 0x50, 0, 1]), int(3857), Buffer.from([1]), int(6), int(1), Buffer.from([1]), int(3), int(1), int(5), ...[0, 0, 0, 9, 9, 9, 9, 0, 0, 0].map(double)]); // prettier-ignore
      add.run(square, 'area', null, null);
      db.exec('commit');
      db.close();
      const read_ = await read(b64(readFileSync(path)));
      expect(read_).toMatchObject({ kind: 'GeoPackage', layer: 'towns', crs: 'EPSG:3857', total: 501, columns: ['geometry', 'lon', 'lat', 'fid', 'name', 'size', 'note'] }); // prettier-ignore
      const rows = read_['rows'] as unknown[][];
      expect(rows[0]).toEqual(['Point', 0, expect.closeTo(0, 9), 1, 'town 0', 0, null]);
      expect(rows[7]).toEqual(['Point', expect.closeTo(0.0629, 3), expect.closeTo(0.0629, 3), 8, 'town 7', 7 / 3, 'long '.repeat(5000)]); // prettier-ignore
      expect(rows[500]?.slice(0, 5)).toEqual(['MultiPolygon', null, null, 501, 'area']);
      const whole = readFileSync(path);
      for (const cut of [20, 600, 5000, whole.length - 4096])
        expect(await read(b64(whole.subarray(0, cut)))).toMatchObject({ code: 'tool_input' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  /** Strips of bytes, with tags for a place. */
  function tiff(width: number, height: number, values: number[], { packed = false, geo = true } = {}): Buffer {
    const body = packed ? deflateSync(Buffer.from(values)) : Buffer.from(values);
    const doubles = [[33_550, [0.5, 0.5, 0]], [33_922, [0, 0, 0, 7, 48, 0]]] as const; // prettier-ignore
    const keys = [1, 1, 0, 2, 1024, 0, 1, 2, 2048, 0, 1, 4326];
    const extra: Buffer[] = [];
    const entries: Buffer[] = [];
    const count = 9 + (geo ? 3 : 0) + 1;
    let at = 8 + 2 + count * 12 + 4;
    const entry = (tag: number, type: number, length: number, value: number): void => {
      const one = Buffer.alloc(12);
      one.writeUInt16LE(tag, 0);
      one.writeUInt16LE(type, 2);
      one.writeUInt32LE(length, 4);
      one.writeUInt32LE(value, 8);
      entries.push(one);
    };
    const put = (bytes: Buffer): number => {
      extra.push(bytes);
      at += bytes.length;
      return at - bytes.length;
    };
    const place = put(body);
    for (const [tag, value] of [[256, width], [257, height], [258, 8], [259, packed ? 8 : 1], [262, 1], [273, place], [277, 1], [278, height], [279, body.length]] as const) entry(tag, 4, 1, value); // prettier-ignore
    if (geo) {
      for (const [tag, list] of doubles) entry(tag, 12, list.length, put(Buffer.concat(list.map(double))));
      entry(34_735, 3, keys.length, put(Buffer.from(Uint16Array.from(keys).buffer)));
    }
    const nothing = Buffer.from('255\0');
    entry(42_113, 2, 4, nothing.readUInt32LE(0));
    const head = Buffer.alloc(10);
    head.write('II', 0, 'latin1');
    head.writeUInt16LE(42, 2);
    head.writeUInt32LE(8, 4);
    head.writeUInt16LE(count, 8);
    return Buffer.concat([head, ...entries, Buffer.alloc(4), ...extra]);
  }

  test.each([false, true])(
    'TOOLBOX-56 of a GeoTIFF (packed: %s) extent and statistics, without what is missing',
    async (packed) => {
      const file = b64(tiff(4, 2, [1, 2, 3, 4, 255, 6, 7, 8], { packed }));
      expect(await read(file)).toMatchObject({
        ...{ kind: 'GeoTIFF', crs: 'EPSG:4326', bounds: [7, 47, 9, 48], width: 4, height: 2 },
        bands: [
          { min: 1, max: 8, count: 7, missing: 1, mean: expect.closeTo(31 / 7, 9), sd: expect.closeTo(2.636_737, 5) },
        ],
      });
      expect(await read(b64(tiff(2, 1, [1, 2], { packed, geo: false })))).toMatchObject({ bounds: null, crs: null });
      expect(await read(b64(tiff(4, 2, [1, 2, 3], { packed })))).toMatchObject({ code: 'tool_input' });
    },
  );
});

describe('graphs and bundles', () => {
  test('TOOLBOX-57 a graph of Maltego as entities and links, out of its archive', async () => {
    const { file } = maltegoRead.example as { file: string };
    const expected = {
      entities: { columns: ['id', 'type', 'value', 'fqdn', 'ipv4-address'], rows: [['n0', 'maltego.Domain', 'example.org', 'example.org', null], ['n1', 'maltego.IPv4Address', '93.184.215.14', null, '93.184.215.14']] }, // prettier-ignore
      links: { rows: [['n0', 'n1']] },
    };
    expect(await call(maltegoRead, { file })).toMatchObject(expected);
    expect(await call(maltegoRead, { file: await zipped({ 'Graphs/Graph1.graphml': file, 'version.properties': 'x' }) })).toMatchObject(expected); // prettier-ignore
    expect(await call(maltegoRead, { file: '<graphml/>' })).toMatchObject({ code: 'tool_input' });
    const bomb = '<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]><graphml><node id="&x;"/></graphml>';
    expect(await call(maltegoRead, { file: bomb })).toMatchObject({ code: 'tool_input' });
  });

  test('TOOLBOX-57 a bundle of STIX as objects and relationships with their names', async () => {
    const stix = await call(stixRead, stixRead.example);
    expect(stix).toMatchObject({
      objects: { columns: expect.arrayContaining(['id', 'type', 'name', 'pattern']), total: 2 },
      relationships: { rows: [['indicates', expect.stringMatching(/^indicator--/), expect.stringMatching(/^malware--/), 'A file', 'X', null, '2026-01-01T00:00:00.000Z', expect.any(String)]] }, // prettier-ignore
    });
    for (const file of ['{', '[]', '{"type":"bundle","objects":[{"type":"x"}]}'])
      expect(await call(stixRead, { file })).toMatchObject({ code: 'tool_input', subject: 'file' });
  });
});
