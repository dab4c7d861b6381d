/**
 * A door that can be shown at once, while what stands behind it is still being opened: a worker loses the
 * messages that arrive before it listens, so it must not wait for anything before `expose`.
 */
export function lateDoor<T extends object>(opening: Promise<T>): T {
  return new Proxy({} as T, {
    get(_, name) {
      // A promise is looked for by everything that awaits; the door is none.
      if (name === 'then') return undefined;
      return async (...args: unknown[]): Promise<unknown> => {
        const door = await opening;
        const method: unknown = Reflect.get(door, name, door);
        if (typeof method !== 'function') throw new TypeError(`there is no ${String(name)}`);
        return Reflect.apply(method, door, args);
      };
    },
  });
}
