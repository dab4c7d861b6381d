/** The port to programs of the machine, and those that are known by name. */
import type { CancelSignal } from '../../cancel.ts';
import type { Result } from '../../result.ts';
import type { ToolBounds } from '../cage.ts';

export interface CommandRun {
  name: string;
  files?: Readonly<Record<string, string | { base64: string }>>;
  stdin?: string;
}

export interface CommandDone {
  /** Null: a signal ended it. */
  exit_code: number | null;
  output: string;
  errors: string;
  /** What it wrote or changed: text, or bytes in base64. */
  files: { name: string; bytes: number; text?: string; base64?: string }[];
}

export interface Commands {
  /** Those that are listed. */
  names: readonly string[];
  /** Never throws. Fails with `tool_timeout`, `tool_limit`, `tool_unavailable`, `cancelled`. */
  run(asked: CommandRun, bounds: Partial<ToolBounds>, signal?: CancelSignal): Promise<Result<CommandDone>>;
}

export const ofListed = (name: string, names: readonly string[]): string =>
  `"${name}" is not listed here${names.length === 0 ? '' : ` (there are: ${names.join(', ')})`}.`;

/**
 * Programs as they are usually listed, with the file that they are given. None is on until somebody lists it: what runs then may
 * do what its operator may.
 */
export const PRESETS: Readonly<Record<string, readonly string[]>> = {
  gnuplot: ['gnuplot', 'script.gp'],
  maxima: ['maxima', '--very-quiet', '--batch', 'script.mac'],
  'octave-cli': ['octave-cli', '--norc', '--quiet', '--no-window-system', 'script.m'],
  ngspice: ['ngspice', '-b', 'circuit.cir'],
  'scilab-cli': ['scilab-cli', '-nb', '-quit', '-f', 'script.sce'],
  sage: ['sage', 'script.sage'],
  julia: ['julia', '--startup-file=no', 'script.jl'],
  python3: ['python3', '-I', 'script.py'],
  'spark-submit': ['spark-submit', 'script.py'],
  'qucs-s': ['qucs-s', '-n', '-i', 'schematic.sch', '-o', 'circuit.cir'],
  weka: ['java', '-cp', '/usr/share/java/weka.jar', 'weka.classifiers.trees.J48', '-t', 'data.arff'],
  elki: ['java', '-jar', '/opt/elki/elki-bundle.jar', 'KDDCLIApplication', '-dbc.in', 'data.csv', '-algorithm', 'clustering.DBSCAN', '-dbscan.epsilon', '0.5', '-dbscan.minpts', '5'], // prettier-ignore
  knime: ['knime', '-nosplash', '-consoleLog', '-reset', '-nosave', '-application', 'org.knime.product.KNIME_BATCH_APPLICATION', '-workflowFile=workflow.knwf'], // prettier-ignore
  qgis_process: ['qgis_process', 'run', 'model.model3', '-'],
  grass: ['grass', '--tmp-location', 'EPSG:4326', '--exec', 'python3', 'script.py'],
  tectonic: ['tectonic', '--untrusted', 'document.tex'],
  latexmk: ['latexmk', '-pdf', '-interaction=nonstopmode', '-latexoption=-no-shell-escape', 'document.tex'],
};

/** As accession.toml has them. */
export const presetsAsToml = (): string =>
  ['[toolbox.commands]', ...Object.entries(PRESETS).map(([name, words]) => `${name} = ${JSON.stringify(words)}`)].join('\n'); // prettier-ignore
