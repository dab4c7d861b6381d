/** Figures and formulas: SVG and MathML, the same bytes on every side. Nothing is loaded and no code is made of text. */
import type { Engine } from '#core/toolbox/engine.ts';
import { mathOf, TEX_VERSION } from './tex.ts';
import { drawPlot, drawVega, PLOT_VERSIONS } from './vega.ts';
import { mapSpec } from './map.ts';
import { graphSpec } from './graph.ts';

const PROGRAMS: Readonly<Record<string, (data: never) => unknown>> = {
  tex: mathOf,
  plot: drawPlot,
  map: async (data: never) => drawVega(await mapSpec(data)),
  graph: (data: never) => drawVega(graphSpec(data)),
};

export function openDraw(): Promise<Engine> {
  return Promise.resolve({
    versions: [...PLOT_VERSIONS, TEX_VERSION],
    call: ({ program, data }) => PROGRAMS[program]?.(data as never),
  });
}
