/** Every product that the specification names: what of it is here. The Tools page and docs/TOOLBOX.md show these rows, a test holds each claim. */

/** `here`: in the browser, offline, and in the terminal; `exchange`: files in its own form; `command`: a preset that an operator lists. */
export type Way = 'here' | 'exchange' | 'command' | 'declined';

export interface Product {
  named: string;
  ways: readonly Way[];
  /** A sentence. */
  says: string;
  /** Tools that stand for it. */
  tools?: readonly string[];
  /** Forms of files that go in, and that come out. */
  reads?: readonly Form[];
  writes?: readonly Form[];
  /** Presets. */
  commands?: readonly string[];
}

export type Form =
  | 'CSV' | 'ARFF' | 'Parquet' | '.tab' | 'GeoJSON' | 'TopoJSON' | 'KML' | 'KMZ' | 'GPX' | 'Shapefile' | 'GeoPackage' | 'GeoTIFF' // prettier-ignore
  | 'Esri JSON' | '.qgz' | '.mtgx' | 'Maltego CSV' | 'HTML' | 'HAR' | 'STIX' | 'SPICE' | '.py' | 'Plotly' | 'ECharts' | 'vis-network' // prettier-ignore
  | 'Vega-Lite' | 'SVG' | '.tex' | 'R script'; // prettier-ignore

export const PRODUCTS: readonly Product[] = [
  { named: 'R', ways: ['here'], says: 'webR in the cage: the recipes of statistics and mining, each with its script; free code to which a person agreed.', tools: ['stat_describe', 'stat_anova', 'mine_cluster', 'r_run'], writes: ['R script'] },
  { named: 'Julia', ways: ['command'], says: 'No build for browsers.', commands: ['julia'] },
  { named: 'Spark', ways: ['exchange', 'command'], says: 'It needs a cluster; tables go by CSV and Parquet.', reads: ['CSV', 'Parquet'], writes: ['CSV', 'Parquet'], commands: ['spark-submit'] },
  { named: 'KNIME', ways: ['exchange', 'command'], says: 'Tables by CSV and ARFF; its workflows run in its own batch mode alone.', reads: ['CSV', 'ARFF'], writes: ['CSV', 'ARFF'], commands: ['knime'] },
  { named: 'NumPy', ways: ['command'], says: 'Not in the Python that is here. Wheels that were compiled for it are loaded; its own (pyemscripten_2026_0) could not be had for a trial. Recipes need none.', commands: ['python3'] },
  { named: 'Pandas, Polars', ways: ['here', 'exchange', 'command'], says: 'What they do to tables is done by SQL and by steps on a table.', tools: ['frame_query', 'frame_verbs'], reads: ['CSV', 'Parquet'], writes: ['CSV', 'Parquet'], commands: ['python3'] },
  { named: 'Tidytable, dtplyr', ways: ['here'], says: 'The same verbs, with the SQL that they become.', tools: ['frame_verbs'] },
  { named: 'SageMath', ways: ['command'], says: 'Algebra is here by compute-engine.', tools: ['cas'], commands: ['sage'] },
  { named: 'Maxima', ways: ['command'], says: 'Algebra is here by compute-engine.', tools: ['cas'], commands: ['maxima'] },
  { named: 'Octave', ways: ['command'], says: 'Algebra is here by compute-engine.', tools: ['cas'], commands: ['octave-cli'] },
  { named: 'Scilab', ways: ['command'], says: 'Algebra is here by compute-engine.', tools: ['cas'], commands: ['scilab-cli'] },
  { named: 'Spyder', ways: ['declined'], says: 'An editor, no engine; figures are exported as a script that it opens.', writes: ['.py'] },
  { named: 'SymPy', ways: ['here', 'command'], says: 'From wheels that you have (sympy, mpmath); algebra is here by compute-engine, too.', tools: ['python_run', 'cas'], commands: ['python3'] },
  { named: 'OpenAxiom', ways: ['declined'], says: 'No package of it is kept up; its scripts can be a command of your own.' },
  { named: 'XCos', ways: ['declined', 'command'], says: "Its diagrams need Scilab's own editor; its scripts run by Scilab.", commands: ['scilab-cli'] },
  { named: 'QUCS, Qucs-S', ways: ['command'], says: 'The command writes the netlist, which runs here; schematics are not drawn.', tools: ['spice'], commands: ['qucs-s'] },
  { named: 'PSpice', ways: ['here'], says: 'As far as ngspice reads its netlists; encrypted models and schematics are declined.', tools: ['spice'], reads: ['SPICE'] },
  { named: 'SPICE', ways: ['here', 'command'], says: 'ngspice in the cage.', tools: ['spice'], reads: ['SPICE'], commands: ['ngspice'] },
  { named: 'ELKI, WEKA', ways: ['exchange', 'command'], says: 'Clusters, trees and rules are here; tables by CSV and ARFF.', tools: ['mine_cluster', 'mine_classify', 'mine_rules'], reads: ['CSV', 'ARFF'], writes: ['CSV', 'ARFF'], commands: ['elki', 'weka'] },
  { named: 'AdvancedMiner', ways: ['declined'], says: 'Closed, with no published interface.' },
  { named: 'Altair RapidMiner', ways: ['exchange', 'declined'], says: 'Tables by CSV and ARFF; more needs a licence and a server of its own.', reads: ['CSV', 'ARFF'], writes: ['CSV', 'ARFF'] },
  { named: 'Orange', ways: ['exchange', 'command'], says: 'Its tables are read; tables go back as CSV.', reads: ['.tab', 'CSV'], writes: ['CSV'], commands: ['python3'] },
  { named: 'Files of maps', ways: ['here'], says: 'As features and tables in longitude and latitude; of a GeoTIFF its extent and statistics.', tools: ['gis_read'], reads: ['GeoJSON', 'TopoJSON', 'KML', 'KMZ', 'GPX', 'Shapefile', 'GeoPackage', 'CSV', 'GeoTIFF'] },
  { named: 'Scraped data', ways: ['here'], says: 'A page to text, tables and links, as its robots.txt lets it; saved pages and archives of HTTP too.', tools: ['scrape', 'page_read'], reads: ['HTML', 'HAR'] },
  { named: 'Maltego', ways: ['here'], says: 'Graphs and CSV exports as tables of entities and links; running transforms is declined.', tools: ['maltego_read'], reads: ['.mtgx', 'Maltego CSV'] },
  { named: 'Open sources (OSINT)', ways: ['here'], says: 'RDAP, DNS over HTTPS, crt.sh, the Wayback Machine; bundles of STIX 2.1.', tools: ['osint', 'stix_read'], reads: ['STIX'] },
  { named: 'Any API', ways: ['here'], says: 'Declared in YAML.', tools: ['http_api'] },
  { named: 'Wikipedia', ways: ['here'], says: 'Search, summary, text and tables, with the revision that was read.', tools: ['wikipedia'] },
  { named: 'Wikidata, OpenAlex, World Bank', ways: ['here'], says: 'As connectors of YAML.', tools: ['wikidata', 'openalex', 'world_bank'] },
  { named: 'matplotlib', ways: ['exchange'], says: 'A script that draws the same simple figure.', tools: ['plot'], writes: ['.py'] },
  { named: 'Plotly, Apache ECharts', ways: ['exchange'], says: 'Simple figures as their JSON; drawn here by Vega.', tools: ['plot'], writes: ['Plotly', 'ECharts'] },
  { named: 'd3.js', ways: ['here'], says: 'Vega and the maps stand on its modules.', tools: ['plot', 'map'], writes: ['SVG'] },
  { named: 'Bokeh', ways: ['declined'], says: 'Its documents belong to one version of it; SVG and Vega-Lite instead.', writes: ['SVG', 'Vega-Lite'] },
  { named: 'Google Charts', ways: ['declined'], says: 'It must be loaded from Google and may not be kept offline; CSV instead.', writes: ['CSV'] },
  { named: 'Vis.js', ways: ['exchange'], says: 'Nodes and edges of graphs; drawn here as SVG.', tools: ['graph'], writes: ['vis-network', 'SVG'] },
  { named: 'SciChart', ways: ['declined'], says: 'It has a commercial licence.' },
  { named: 'ArcGIS', ways: ['here'], says: 'Esri JSON is read and a FeatureServer asked; projects are declined.', tools: ['gis_read', 'gis_service'], reads: ['Esri JSON'] },
  { named: 'QGIS', ways: ['exchange', 'command'], says: 'GeoPackage and GeoJSON; of a project the list of its layers.', tools: ['gis_read'], reads: ['GeoPackage', 'GeoJSON', '.qgz'], writes: ['GeoJSON'], commands: ['qgis_process'] },
  { named: 'GRASS GIS', ways: ['exchange', 'command'], says: 'By GeoJSON and GeoPackage.', reads: ['GeoJSON', 'GeoPackage'], writes: ['GeoJSON'], commands: ['grass'] },
  { named: 'Placemark', ways: ['exchange'], says: 'Its own forms are these.', reads: ['GeoJSON', 'KML', 'CSV'], writes: ['GeoJSON', 'KML'] },
  { named: 'Plonk', ways: ['exchange'], says: 'No mapping product of that name was found; GeoJSON.', reads: ['GeoJSON'], writes: ['GeoJSON'] },
  { named: 'TeX, LaTeX', ways: ['here', 'command'], says: 'Formulas as MathML, documents as .tex; PDF by a command, as no TeX engine is on npm.', tools: ['tex'], writes: ['.tex'], commands: ['tectonic', 'latexmk'] },
]; // prettier-ignore

const WAYS: Readonly<Record<Way, string>> = {
  here: 'here',
  exchange: 'by files',
  command: 'command',
  declined: 'declined',
};

export const waysOf = ({ ways }: Product): string => ways.map((way) => WAYS[way]).join(', ');

/** What goes in and out, and the commands, in a line; empty: nothing. */
export function exchangeOf({ reads = [], writes = [], commands = [] }: Product): string {
  const parts = [
    ...(reads.length > 0 ? [`reads ${reads.join(', ')}`] : []),
    ...(writes.length > 0 ? [`writes ${writes.join(', ')}`] : []),
    ...(commands.length > 0 ? [`command ${commands.join(', ')}`] : []),
  ];
  return parts.join('; ');
}

/** As docs/TOOLBOX.md has them. */
export const productsAsMarkdown = (): string =>
  [
    '| named | how | |',
    '| --- | --- | --- |',
    ...PRODUCTS.map((product) => {
      const more = [...(product.tools ?? []).map((tool) => `\`${tool}\``), exchangeOf(product)].filter(
        (one) => one !== '',
      );
      return `| ${product.named} | ${waysOf(product)} | ${product.says}${more.length > 0 ? ` (${more.join(', ')})` : ''} |`;
    }),
  ].join('\n');
