/**
 * JSONPath as far as mappings need it: `$`, `.name`, `['name']`, `[2]`, `[-1]`, `[1:]`, `[*]`, `.*`, `..name`. No filters and no
 * expressions: nothing of it runs.
 */
type Step =
  | { kind: 'name'; name: string; deep: boolean }
  | { kind: 'all'; deep: boolean }
  | { kind: 'at'; at: number }
  | { kind: 'slice'; from: number; to: number | null };

const STEP =
  /^(?:(\.\.?)(?:(\*)|([\p{L}_$@#][\p{L}\p{N}_$@#:-]*))|\[(?:(\*)|(-?\d+)|(-?\d*):(-?\d*)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\])/u;

/** Null: it is none. */
export function parsePath(text: string): Step[] | null {
  if (!text.startsWith('$')) return null;
  const steps: Step[] = [];
  let rest = text.slice(1);
  while (rest !== '') {
    const found = STEP.exec(rest);
    if (found === null) return null;
    steps.push(stepOf(found));
    rest = rest.slice(found[0].length);
  }
  return steps;
}

function stepOf([, dots, star, name, all, at, from, to, single, double]: RegExpExecArray): Step {
  if (name !== undefined) return { kind: 'name', name, deep: dots === '..' };
  if (star !== undefined || all !== undefined) return { kind: 'all', deep: dots === '..' };
  if (at !== undefined) return { kind: 'at', at: Number(at) };
  const quoted = single ?? double;
  if (quoted !== undefined) return { kind: 'name', name: quoted.replace(/\\(.)/g, '$1'), deep: false };
  return { kind: 'slice', from: Number(from ?? 0), to: to === undefined || to === '' ? null : Number(to) };
}

/** Values that one look visits: a document of a few megabytes has fewer. */
const MOST_VISITED = 2_000_000;

/** All values that the path leads to. */
export function valuesAt(root: unknown, path: readonly Step[]): unknown[] {
  let values: unknown[] = [root];
  for (const step of path) values = values.flatMap((value) => next(value, step));
  return values;
}

function next(value: unknown, step: Step): unknown[] {
  switch (step.kind) {
    case 'name':
      return (step.deep ? within(value) : [value]).flatMap((one) => (hasOwn(one, step.name) ? [one[step.name]] : []));
    case 'all':
      return (step.deep ? within(value) : [value]).flatMap(childrenOf);
    case 'at':
      return Array.isArray(value) ? value.slice(step.at, step.at === -1 ? undefined : step.at + 1) : [];
    case 'slice':
      return Array.isArray(value) ? value.slice(step.from, step.to ?? undefined) : [];
  }
}

const childrenOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

const hasOwn = (value: unknown, name: string): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name);

/** The value and all within it. */
function within(value: unknown): unknown[] {
  const found = [value];
  for (let at = 0; at < found.length && found.length < MOST_VISITED; at++)
    for (const child of childrenOf(found[at])) if (typeof child === 'object' && child !== null) found.push(child);
  return found;
}
