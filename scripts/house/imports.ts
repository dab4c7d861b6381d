/** Who imports whom, as dependency-cruiser reads it: the arrows that must not be there. */
import { spawnSync } from 'node:child_process';
import { inRoot } from '../lib/paths.mjs';
import { tool } from '../lib/tools.mjs';
import type { Figures } from './main.ts';

interface Import {
  from: string;
  to: string;
}

/** They put lanes and frame together, and import the list of lanes alone. */
const ROOTS = /^(?:workers\/|src\/routes\/|src\/(?:server|cli)\/main\.ts$)/;
/** The list of lanes, and what the workstation makes of it. */
const LANE_LIST = /^src\/lanes\/(?:(?:lanes?|database|browser-lanes)\.ts|[^/]+\/lane\.ts)$/;
const BROWSER =
  /^(?:workers\/|src\/(?:adapters\/browser|ui|routes|service-worker)\/|src\/lanes\/[^/]+\/(?:browser|ui)\/)/;

export function importFigures(): Figures {
  const imports = readImports();
  const between = (from: RegExp, to: RegExp): Import[] =>
    imports.filter((one) => from.test(one.from) && to.test(one.to));
  const frame = between(/^src\/(?:adapters|server|cli|ui)\//, /^src\/lanes\//).filter(({ from }) => !ROOTS.test(from));
  const browser = between(/^src\//, /^src\/adapters\/browser\//).filter(
    ({ from }) => !BROWSER.test(from) && !LANE_LIST.test(from),
  );
  return {
    engine_to_lane_imports: between(/^src\/core\//, /^src\/lanes\//).map(words),
    frame_to_lane_imports: frame.map(words),
    lane_to_lane_imports: imports.filter(({ from, to }) => apart(laneOf(from), laneOf(to))).map(words),
    browser_imports_from_outside: filesOf(browser),
    circles: circles(imports).map((circle) => circle.join(' ~ ')),
    files_importing_music_from_outside: filesOf(between(/^(?!src\/lanes\/music\/)/, /^src\/lanes\/music\//)),
  };
}

function readImports(): Import[] {
  const cruiser = tool('dependency-cruiser', 'depcruise');
  const args = ['--config', 'scripts/config/dependency-cruiser.cjs', '--output-type', 'json', 'src', 'workers'];
  const { stdout, stderr } = spawnSync(process.execPath, [cruiser, ...args], {
    cwd: inRoot(),
    encoding: 'utf8',
    maxBuffer: 2 ** 29,
  });
  if (stdout === '') throw new Error(`dependency-cruiser said nothing: ${stderr}`);
  const { modules } = JSON.parse(stdout) as {
    modules: { source: string; dependencies: { resolved: string; couldNotResolve: boolean }[] }[];
  };
  const all = modules.flatMap(({ source, dependencies }) =>
    dependencies.filter((one) => !one.couldNotResolve).map((one) => ({ from: source, to: one.resolved })),
  );
  // A type and a value of one file may be imported by two lines.
  return [...new Map(all.map((one) => [words(one), one])).values()];
}

const words = ({ from, to }: Import): string => `${from} -> ${to}`;

const filesOf = (imports: readonly Import[]): string[] => [...new Set(imports.map(({ from }) => from))];

const laneOf = (path: string): string | null => /^src\/lanes\/([^/]+)\//.exec(path)?.[1] ?? null;

const apart = (from: string | null, to: string | null): boolean => from !== null && to !== null && from !== to;

/** Files that import each other, over whatever way: the strongly connected parts (Tarjan) of more than one file. */
function circles(imports: readonly Import[]): string[][] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const seen = new Map<string, { order: number; lowest: number; open: boolean }>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): { order: number; lowest: number; open: boolean } => {
    const mine = { order: seen.size, lowest: seen.size, open: true };
    seen.set(file, mine);
    open.push(file);
    for (const { to } of next.get(file) ?? []) {
      const known = seen.get(to);
      if (known === undefined) mine.lowest = Math.min(mine.lowest, visit(to).lowest);
      else if (known.open) mine.lowest = Math.min(mine.lowest, known.order);
    }
    if (mine.lowest === mine.order) {
      const circle = open.splice(open.indexOf(file));
      for (const one of circle) {
        const known = seen.get(one);
        if (known !== undefined) known.open = false;
      }
      if (circle.length > 1) found.push(circle.sort());
    }
    return mine;
  };
  for (const file of next.keys()) if (!seen.has(file)) visit(file);
  return found;
}
