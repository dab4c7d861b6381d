/**
 * An API that can be exposed at once, while what answers is still being opened: a worker loses the messages that arrive
 * before it listens, so it must not wait for anything before `expose`. `parts`: APIs that are properties of it.
 */
export function deferredRpc<T extends object>(
  opening: Promise<T>,
  parts: Readonly<Record<string, Promise<object>>> = {},
): T {
  const deferredParts = new Map(Object.entries(parts).map(([name, part]) => [name, deferredRpc(part)]));
  return new Proxy({} as T, {
    get(_, name) {
      // Whatever is awaited is asked for `then`; this is no promise.
      if (typeof name !== 'string' || name === 'then') return undefined;
      const part = deferredParts.get(name);
      if (part) return part;
      return async (...args: unknown[]): Promise<unknown> => {
        const api = await opening;
        const method: unknown = Reflect.get(api, name, api);
        if (typeof method !== 'function') throw new TypeError(`there is no ${name}`);
        return Reflect.apply(method, api, args);
      };
    },
  });
}
