/** Fields in words. */
import type { Kind } from './fields.ts';

const LABELS: Readonly<Record<string, string>> = {
  ...{ op: 'Operation', var: 'Variable', vars: 'Variables', order: 'Order', min_support: 'Least support' },
  ...{ min_confidence: 'Least confidence' },
  ...{ mu: 'Mean to compare with (mu)', conf_level: 'Confidence level', var_equal: 'Equal variances', sql: 'SQL' },
  ...{ x: 'Values (x)', y: 'Other values (y)', k: 'Clusters (k)', at: 'At', tex: 'TeX', expr: 'Expression (LaTeX)' },
  ...{ spec: 'Specification (Vega-Lite)', p: 'Proportion (p)', sigma: 'Standard deviation of x (sigma)' },
  ...{
    sigma_y: 'Standard deviation of y',
    ss: 'Type of sums of squares',
    posthoc: 'Afterwards',
    welch: "Welch's test",
  },
};

export const labelOf = (name: string): string =>
  LABELS[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

/** Endings of files with a table. */
export const TABLE_FILES = '.csv,.tsv,.tab,.txt,.json,.jsonl,.ndjson,.arff,.parquet,.xlsx';

/** Endings of files of maps and graphs. */
export const MAP_FILES = '.geojson,.topojson,.json,.kml,.kmz,.gpx,.zip,.gpkg,.csv,.tif,.tiff,.mtgx,.graphml';

export const HINTS: Readonly<Partial<Record<Kind, string>>> = {
  numbers: 'Numbers, parted by blanks, commas or lines.',
  words: 'Parted by commas or lines.',
  matrix: 'A line a row; numbers or words parted by commas, tabs or blanks.',
  lists: 'A line a group: its name, a colon, its numbers.',
  columns: 'A table with a first line of names (CSV).',
  rows: 'A table with a first line of names (CSV), or JSON.',
  table: 'A table with a first line of names (CSV), or JSON.',
  file: 'The text of a file, or the file itself.',
  json: 'JSON.',
};
