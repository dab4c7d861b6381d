/** Tools of the toolbox in words, for every page that offers them. */

const TITLES: Readonly<Record<string, string>> = {
  ...{ stat_describe: 'Describe', stat_t_test: 't-test', stat_z_test: 'z-test', stat_chi_square: 'Chi-square test' },
  ...{ stat_anova: 'Analysis of variance', stat_correlation: 'Correlation', stat_rank_test: 'Rank tests' },
  ...{ stat_regression: 'Regression', stat_meta: 'Meta-analysis', frame_query: 'SQL', frame_verbs: 'Steps on a table' },
  ...{ cas: 'Algebra', spice: 'Circuit', mine_cluster: 'Clusters', mine_pca: 'Principal components' },
  ...{ mine_classify: 'Classify', mine_rules: 'Association rules', plot: 'Figure', map: 'Map', graph: 'Graph' },
  ...{
    tex: 'Formula',
    r_run: 'R',
    python_run: 'Python',
    wikipedia: 'Wikipedia',
    wikidata: 'Wikidata',
    openalex: 'OpenAlex',
  },
  ...{ world_bank: 'World Bank', osint: 'Registers of the internet', scrape: 'A page of the web', http_api: 'Any API' },
  ...{
    gis_read: 'Read a map file',
    maltego_read: 'Read a Maltego graph',
    page_read: 'Read a saved page',
    stix_read: 'Read a STIX bundle',
  },
  ...{ gis_service: 'A map service', command: 'A program of the machine' },
};

/** What a person is told of it; a model reads the tool's own description. */
const ABOUT: Readonly<Record<string, string>> = {
  stat_describe: 'Mean, spread, quartiles of a list of numbers.',
  stat_t_test: 'Whether a mean, or the means of two samples or of pairs, differ from what is expected.',
  stat_z_test: 'The same where the spread is known, and for shares of a whole.',
  stat_chi_square: 'Whether counts fit what is expected, or two properties go together.',
  stat_anova: 'Whether the means of several groups differ, by one or two factors, and which of them.',
  stat_correlation: 'How strongly two lists of numbers go together.',
  stat_rank_test: 'Whether groups differ where only their order counts.',
  stat_regression: 'How one column depends on others, linearly.',
  stat_meta: 'One effect out of the effects of several studies.',
  frame_query: 'A question in SQL about tables that you paste or bring as files.',
  frame_verbs: 'Filter, group, join, reshape a table step by step; the SQL of it is shown.',
  cas: 'Solve, integrate, differentiate, simplify, matrices; results are checked by numbers.',
  spice: 'Voltages and currents of a circuit that is given as a netlist.',
  mine_cluster: 'Which rows belong together.',
  mine_pca: 'The few directions in which rows differ most.',
  mine_classify: 'How well a label can be told from the other columns.',
  mine_rules: 'What is bought, seen or found together.',
  plot: 'Bars, lines, points and all else that Vega-Lite draws.',
  map: 'Points, shapes, countries by value on a map of the world.',
  graph: 'Nodes and the links between them.',
  tex: 'A formula in TeX, drawn.',
  gis_read: 'GeoJSON, TopoJSON, KML, GPX, Shapefile, GeoPackage, CSV, GeoTIFF as a table, in longitude and latitude.',
  maltego_read: 'Entities and links of an .mtgx, or of a CSV that Maltego wrote.',
  page_read: 'Text, tables and links of pages that were saved as HTML, or as a HAR.',
  stix_read: 'Objects and relationships of STIX 2.1.',
  gis_service: 'Features of an ArcGIS FeatureServer, a WFS or an OGC API.',
  command: 'A program that the operator of a terminal listed.',
  wikipedia: 'Search, summary, text and tables of articles, with the revision that was read.',
  wikidata: 'Things by their names, and what is known of each.',
  openalex: 'Papers and books, who wrote them, where they work.',
  world_bank: 'Figures of countries by year.',
  osint: 'Whose a domain or an address is, its records, certificates, old pages.',
  scrape: 'Its text, tables and links, as far as it lets programs read it.',
  http_api: 'Rows out of an API that you declare in YAML.',
  r_run: 'R that you wrote or have read, with its base packages.',
  python_run: 'Python that you wrote or have read, with its standard library and wheels that you have.',
};

export const aboutOf = (tool: { name: string; description: string }): string => ABOUT[tool.name] ?? tool.description;

export const titleOf = (name: string): string => TITLES[name] ?? name;

/** In this order on the page; a tool that no group names stands under the last. */
export const GROUPS: readonly { label: string; names: readonly string[] }[] = [
  {
    label: 'Statistics',
    names: ['stat_describe', 'stat_t_test', 'stat_z_test', 'stat_chi_square', 'stat_anova', 'stat_correlation', 'stat_rank_test', 'stat_regression', 'stat_meta'], // prettier-ignore
  },
  { label: 'Tables', names: ['frame_query', 'frame_verbs'] },
  { label: 'Files', names: ['gis_read', 'maltego_read', 'stix_read', 'page_read'] },
  { label: 'Mining', names: ['mine_cluster', 'mine_pca', 'mine_classify', 'mine_rules'] },
  { label: 'Figures', names: ['plot', 'map', 'graph', 'tex'] },
  { label: 'Algebra, circuits, code', names: ['cas', 'spice', 'r_run', 'python_run'] },
];

/** Connectors, with the hosts that each asks; null: those that a person names. */
export const SOURCES: readonly { name: string; hosts: readonly string[] | null }[] = [
  { name: 'wikipedia', hosts: ['*.wikipedia.org'] },
  { name: 'wikidata', hosts: ['www.wikidata.org'] },
  { name: 'openalex', hosts: ['api.openalex.org'] },
  { name: 'world_bank', hosts: ['api.worldbank.org'] },
  { name: 'osint', hosts: ['rdap.org', 'cloudflare-dns.com', 'crt.sh', 'web.archive.org'] },
  { name: 'gis_service', hosts: null },
  { name: 'scrape', hosts: null },
  { name: 'http_api', hosts: null },
];
