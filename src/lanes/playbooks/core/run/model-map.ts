/** What the models that playbooks name stand for: `PROVIDER/MODEL` by name, `*` for every other name. */
export interface ModelTarget {
  provider: string;
  model: string;
}

/** null: it is no `PROVIDER/MODEL`. */
export function modelTarget(said: string): ModelTarget | null {
  const at = said.indexOf('/');
  const [provider, model] = [said.slice(0, at).trim(), said.slice(at + 1).trim()];
  return at < 0 || provider === '' || model === '' ? null : { provider, model };
}

/** @param name null: the step names no model */
export const mappedTo = (map: ReadonlyMap<string, ModelTarget>, name: string | null): ModelTarget | null =>
  (name === null ? undefined : map.get(name)) ?? map.get('*') ?? null;
