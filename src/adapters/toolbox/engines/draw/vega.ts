/** Vega and Vega-Lite, interpreted (no code of text), with widths of texts that are estimated: a canvas would measure otherwise. */
import * as vega from 'vega';
import { compile, version as liteVersion, type TopLevelSpec } from 'vega-lite';
import { failed, messageOf } from '#core/errors.ts';
import { PALETTES, type Theme } from '#core/toolbox/draw/theme.ts';
import { beginFigure, figureExceeded, guardedInterpreter, guardTransforms } from './guards.ts';

guardTransforms();

export const PLOT_VERSIONS = [`vega ${vega.version}`, `vega-lite ${liteVersion}`];

/** Longer drawings are no figure that anybody sees. Characters. */
const MOST_SVG = 8_000_000;

export interface Drawn {
  svg: string;
  warnings: string[];
}

export async function drawPlot({ spec, theme }: { spec: Record<string, unknown>; theme: Theme }): Promise<Drawn> {
  const said = new Said();
  let compiled: vega.Spec;
  try {
    const config = { ...configOf(theme), ...labelsOf(spec) };
    compiled = compile(spec as unknown as TopLevelSpec, { logger: said, config: config as never }).spec;
  } catch (thrown) {
    throw failed('tool_input', `spec: ${messageOf(thrown).slice(0, 300)}`, { subject: 'spec' });
  }
  return drawVega(compiled, said);
}

export async function drawVega(spec: vega.Spec, said = new Said()): Promise<Drawn> {
  try {
    always.textMetrics.canvas(false);
    always.resetSVGDefIds();
    always.setRandom(always.randomLCG(1));
    beginFigure();
    const runtime = vega.parse(spec, {}, { ast: true });
    const view = new vega.View(runtime, {
      ...{ renderer: 'none', logger: said, expr: guardedInterpreter as never, loader: noLoader },
    });
    const svg = await view.toSVG();
    view.finalize();
    const exceeded = figureExceeded();
    if (exceeded !== null) throw exceeded;
    if (svg.length > MOST_SVG) throw failed('tool_limit', `The drawing is larger than ${MOST_SVG} characters.`);
    if (said.errors.length > 0) throw new Error(said.errors[0]);
    return { svg, warnings: said.warnings };
  } catch (thrown) {
    if (thrown instanceof Error && 'failure' in thrown) throw thrown;
    throw figureExceeded() ?? failed('tool_input', `spec: ${messageOf(thrown).slice(0, 300)}`, { subject: 'spec' });
  }
}

/** Of Vega, without types: what makes a drawing the same on every side and each time. */
const always = vega as unknown as {
  textMetrics: { canvas(used: boolean): void };
  randomLCG(seed: number): () => number;
  /** Names of parts of a drawing are numbered over all drawings otherwise. */
  resetSVGDefIds(): void;
  setRandom(random: () => number): void;
};

const refuse = (): Promise<never> => Promise.reject(new Error('A figure loads nothing.'));
const noLoader = { load: refuse, sanitize: refuse, http: refuse, file: refuse } as unknown as vega.Loader;

function configOf(theme: Theme): object {
  const { background, text, quiet, kinds, ramp } = PALETTES[theme];
  const words = { labelColor: text, titleColor: text, labelFont: 'sans-serif', titleFont: 'sans-serif' };
  return {
    background,
    axis: { ...words, gridColor: quiet, domainColor: quiet, tickColor: quiet },
    legend: words,
    header: words,
    title: { color: text, subtitleColor: text, font: 'sans-serif' },
    text: { color: text },
    view: { stroke: quiet, continuousWidth: 480, continuousHeight: 300, discreteWidth: { step: 44 }, step: 28 },
    mark: { color: kinds[0] },
    range: { category: kinds, ramp, heatmap: ramp, ordinal: ramp },
  };
}

/** Names across that are this short stand upright beside each other. */
const SHORT = 6;

function labelsOf(spec: Record<string, unknown>): object {
  const { data, encoding } = spec as { data?: { values?: unknown }; encoding?: { x?: { field?: string } } };
  const field = encoding?.x?.field;
  const values = Array.isArray(data?.values) ? (data.values as Record<string, unknown>[]) : [];
  const isShort = field !== undefined && values.every((row) => String(row[field] ?? '').length <= SHORT);
  return { axisXDiscrete: { labelAngle: isShort ? 0 : -40 } };
}

/** What the libraries say, kept. */
class Said {
  readonly warnings: string[] = [];
  readonly errors: string[] = [];
  level(): never {
    return this as never;
  }
  error(...words: readonly unknown[]): this {
    this.errors.push(words.map((word) => messageOf(word)).join(' '));
    return this;
  }
  warn(...words: readonly unknown[]): this {
    this.warnings.push(words.map((word) => messageOf(word)).join(' '));
    return this;
  }
  info(): this {
    return this;
  }
  debug(): this {
    return this;
  }
}
