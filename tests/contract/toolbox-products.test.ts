/** The products that the specification names: each row of the table, claim by claim. */
import { readFile } from 'node:fs/promises';
import JSZip from 'jszip';
import { afterAll, describe, expect, test } from 'vitest';
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import { ALL_TOOLS } from '#core/toolbox/all-tools.ts';
import { PRESETS } from '#core/toolbox/commands/commands.ts';
import { productsAsMarkdown, PRODUCTS, type Form } from '#core/toolbox/products.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { toolNamed } from '#core/toolbox/tools.ts';

const cage = openNodeCage();
afterAll(() => cage.close());
const run = new ToolboxRun({ cage });

async function call(tool: string, input: object): Promise<Record<string, unknown>> {
  const answered = await run.call(toolNamed(tool), input);
  if (!answered.ok) throw new Error(answered.failure.message);
  return answered.answer.whole;
}
const example = (tool: string) => call(tool, toolNamed(tool).example as object);
const zipped = async (name: string, text: string) => {
  const zip = new JSZip();
  zip.file(name, text);
  return { base64: await zip.generateAsync({ type: 'base64' }) };
};

const rowsOf = async (t: string | object) =>
  (await call('frame_query', { tables: { t }, sql: 'select * from t' }))['rows'];
const mapOf = async (file: string | object) => (await call('gis_read', { file }))['kind'];
const written = async (out: string) =>
  (await call('frame_query', { tables: { t: 'k,v\na,1\nb,2\n' }, sql: 'select * from t', out }))['file'] as {
    text?: string;
    base64?: string;
  };
const BARS = {
  data: {
    values: [
      { a: 'x', b: 1 },
      { a: 'y', b: 2 },
    ],
  },
  mark: 'bar',
  encoding: { x: { field: 'a', type: 'nominal' }, y: { field: 'b', type: 'quantitative' } },
};
const exportsOf = async (tool: string, input?: object) =>
  (input === undefined ? await example(tool) : await call(tool, input))['exports'] as Record<string, unknown>;

const KML = '<kml><Placemark><name>Bern</name><Point><coordinates>7.4,46.9</coordinates></Point></Placemark></kml>';
const MTGX = String((toolNamed('maltego_read').example as { file: string }).file);
const POINT = '{"type":"Point","coordinates":[7.4,46.9]}';
const PROJECT = `<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n<qgis version="3.40"><projectlayers><maplayer type="vector" geometry="Point"><datasource>./wells.gpkg</datasource><layername>Wells</layername><srs><spatialrefsys><authid>EPSG:2056</authid></spatialrefsys></srs></maplayer></projectlayers></qgis>`;
const HTML = '<title>A</title><p>Text of it.</p><table><tr><th>k</th></tr><tr><td>1</td></tr></table>';
const HAR = JSON.stringify({
  log: {
    entries: [
      { request: { url: 'https://example.org/a' }, response: { content: { mimeType: 'text/html', text: HTML } } },
      { request: { url: 'https://example.org/b.png' }, response: { content: { mimeType: 'image/png', text: 'AA' } } },
      {
        request: { url: 'https://example.org/c' },
        response: {
          content: { mimeType: 'text/html', encoding: 'base64', text: Buffer.from(HTML).toString('base64') },
        },
      },
    ],
  },
});

/** A file of each form that goes in; those that take a writer of their own are held by the rule that is named. */
const READS: Partial<Record<Form, (() => Promise<void>) | 'TOOLBOX-54' | 'TOOLBOX-55' | 'TOOLBOX-56'>> = {
  CSV: async () => expect(await rowsOf('k,v\na,1\n')).toEqual([['a', 1]]),
  ARFF: async () =>
    expect(await rowsOf('@relation t\n@attribute k {a,b}\n@attribute v numeric\n@data\na,1\n')).toEqual([['a', 1]]),
  '.tab': async () => expect(await rowsOf('k\tv\nd\tc\n\t\na\t1\n')).toEqual([['a', 1]]),
  Parquet: async () => {
    const { base64 } = await written('parquet');
    expect(await rowsOf({ parquet: base64 })).toEqual([['a', 1], ['b', 2]]); // prettier-ignore
  },
  GeoJSON: async () => expect(await mapOf(POINT)).toBe('GeoJSON'),
  TopoJSON: async () =>
    expect(await mapOf('{"type":"Topology","arcs":[],"objects":{"p":{"type":"Point","coordinates":[7.4,46.9]}}}')).toBe(
      'TopoJSON',
    ),
  KML: async () => expect(await mapOf(KML)).toBe('KML'),
  KMZ: async () => expect(await mapOf(await zipped('doc.kml', KML))).toBe('KMZ'),
  GPX: async () => expect(await mapOf('<gpx><wpt lat="46.9" lon="7.4"><name>Bern</name></wpt></gpx>')).toBe('GPX'),
  Shapefile: 'TOOLBOX-54',
  GeoPackage: 'TOOLBOX-55',
  GeoTIFF: 'TOOLBOX-56',
  'Esri JSON': async () =>
    expect(
      await mapOf(
        '{"geometryType":"esriGeometryPoint","features":[{"attributes":{"n":1},"geometry":{"x":7.4,"y":46.9}}]}',
      ),
    ).toBe('Esri JSON'),
  '.qgz': async () => {
    const of = await call('gis_read', { file: await zipped('project.qgs', PROJECT) });
    expect(of).toMatchObject({
      kind: 'QGIS project',
      rows: [['Wells', 'vector', 'Point', 'EPSG:2056', './wells.gpkg']],
    });
  },
  '.mtgx': async () =>
    expect(await call('maltego_read', { file: await zipped('Graphs/Graph1.graphml', MTGX) })).toMatchObject({
      entities: { total: 2 },
      links: { total: 1 },
    }),
  'Maltego CSV': async () => {
    const links =
      'Source,Source Type,Target,Target Type,Label\nexample.org,maltego.Domain,1.2.3.4,maltego.IPv4Address,A\n';
    expect(await call('maltego_read', { file: links })).toMatchObject({
      entities: { columns: ['id', 'type', 'value'], rows: [['example.org', 'maltego.Domain', 'example.org'], ['1.2.3.4', 'maltego.IPv4Address', '1.2.3.4']] }, // prettier-ignore
      links: { columns: ['source', 'target', 'Label'], rows: [['example.org', '1.2.3.4', 'A']] },
    });
    const entities = 'Entity Type,Entity Value,Weight\nmaltego.Domain,example.org,5\n';
    expect(await call('maltego_read', { file: entities })).toMatchObject({
      entities: { columns: ['id', 'type', 'value', 'Weight'], rows: [['n0', 'maltego.Domain', 'example.org', '5']] },
    });
    await expect(call('maltego_read', { file: 'a,b\n1,2\n' })).rejects.toThrow(/neither a graph of Maltego nor/);
  },
  HTML: async () =>
    expect(await call('page_read', { file: HTML })).toMatchObject({
      pages: [{ title: 'A', tables: [{ rows: [['1']] }] }],
    }),
  HAR: async () =>
    expect(await call('page_read', { file: HAR })).toMatchObject({
      pages: [{ address: 'https://example.org/a', title: 'A' }, { address: 'https://example.org/c', title: 'A' }], // prettier-ignore
    }),
  STIX: async () => expect(await example('stix_read')).toHaveProperty('objects'),
  SPICE: async () => expect(await example('spice')).toHaveProperty('measured'),
};

const WRITES: Partial<Record<Form, () => Promise<void>>> = {
  CSV: async () => expect((await written('csv')).text).toBe('k,v\na,1\nb,2\n'),
  ARFF: async () => expect((await written('arff')).text).toContain('@attribute'),
  Parquet: async () => expect(Buffer.from((await written('parquet')).base64 ?? '', 'base64').toString('latin1')).toMatch(/^PAR1[^]*PAR1$/), // prettier-ignore
  '.py': async () => expect((await exportsOf('plot', { spec: BARS }))['matplotlib']).toContain('matplotlib'),
  Plotly: async () => expect((await exportsOf('plot', { spec: BARS }))['plotly']).toHaveProperty('data'),
  ECharts: async () => expect((await exportsOf('plot', { spec: BARS }))['echarts']).toHaveProperty('series'),
  'Vega-Lite': async () =>
    expect((await exportsOf('plot', { spec: BARS }))['vega_lite']).toMatchObject({ mark: 'bar' }),
  SVG: async () => expect((await call('plot', { spec: BARS }))['svg']).toMatch(/^<svg/),
  'vis-network': async () => expect((await exportsOf('graph'))['vis_network']).toHaveProperty('edges'),
  GeoJSON: async () => expect((await exportsOf('map'))['geojson']).toMatchObject({ type: 'FeatureCollection' }),
  KML: async () => expect((await exportsOf('map'))['kml']).toContain('<kml'),
  '.tex': async () => expect((await exportsOf('tex'))['tex']).toContain('\\documentclass'),
  'R script': async () => expect((await example('stat_describe'))['r_script']).toContain('quantile'),
};

/** As the specification names them. */
const NAMED =
  'R,Julia,Spark,KNIME,NumPy,Pandas,Polars,Tidytable,dtplyr,SageMath,Maxima,Octave,Scilab,Spyder,SymPy,OpenAxiom,XCos,QUCS,PSpice,SPICE,ELKI,WEKA,AdvancedMiner,RapidMiner,Orange,Scraped data,Maltego,OSINT,API,Wikipedia,matplotlib,Plotly,ECharts,d3.js,Bokeh,Google Charts,Vis.js,SciChart,ArcGIS,QGIS,GRASS GIS,Placemark,Plonk,TeX,LaTeX';

describe('TOOLBOX-75, TOOLBOX-76 the products that are named', () => {
  test('each has its row, and a row claims only tools, presets and forms that there are', () => {
    const all = PRODUCTS.map(({ named }) => named).join(', ');
    expect(NAMED.split(',').filter((name) => !all.includes(name))).toEqual([]);
    const tools = new Set(ALL_TOOLS.map(({ name }) => name));
    for (const { named, ways, tools: stand = [], reads = [], writes = [], commands = [], says } of PRODUCTS) {
      expect(says, named).toMatch(/\.$/);
      expect(stand.filter((name) => !tools.has(name)), named).toEqual([]); // prettier-ignore
      expect(commands.filter((name) => PRESETS[name] === undefined), named).toEqual([]); // prettier-ignore
      expect([...reads.filter((form) => READS[form] === undefined), ...writes.filter((form) => WRITES[form] === undefined)], named).toEqual([]); // prettier-ignore
      if (ways.includes('here')) expect(stand.length, named).toBeGreaterThan(0);
      if (ways.includes('exchange')) expect(reads.length + writes.length, named).toBeGreaterThan(0);
      expect(ways.includes('command'), named).toBe(commands.length > 0);
    }
  });

  test('docs/TOOLBOX.md shows the same table', async () => {
    const plain = (text: string): string => text.replaceAll(/-+/g, '-').replaceAll(/\s+/g, ' ');
    expect(plain(await readFile('docs/TOOLBOX.md', 'utf8'))).toContain(plain(productsAsMarkdown()));
  });

  test.each(Object.entries(READS))('%s goes in', async (_form, holds) => {
    if (typeof holds === 'function') return holds();
    // prettier-ignore
    expect(await readFile('tests/unit/toolbox/map-files.test.ts', 'utf8')).toContain(holds);
  });

  test.each(Object.entries(WRITES))('%s comes out', async (_form, holds) => holds());
});

test('TOOLBOX-74 a result of SQL goes out as Parquet with its types, large numbers, missing and empty texts, and comes back the same', async () => {
  const sql = `select k, v, 9007199254740993::bigint as big, v::decimal(8,2) as m, nullif(k, 'a') as "w ""q", '' as e,
    date '2020-01-02' as d, timestamp '2020-01-02 03:04:05' as ts, v > 1 as b, E'line\\nbreak, "quoted"' as l from t`;
  const tables = { t: 'k,v\na,1\n"b,x",2.5\n' };
  const { file, ...said } = (await call('frame_query', { tables, sql, out: 'parquet' })) as {
    file: { base64: string };
  };
  expect(await call('frame_query', { tables: { t: { parquet: file.base64 } }, sql: 'select * from t' })).toEqual(said);
  const none = await call('frame_query', { tables, sql: 'select k, v from t where v > 9', out: 'parquet' });
  expect(await rowsOf({ parquet: (none['file'] as { base64: string }).base64 })).toEqual([]);
});
