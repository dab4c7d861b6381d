/** What a browser knows about the page that asks; there is none in Node. */
export interface Page {
  /** `https://app.example`. */
  origin: string;
  secure: boolean;
  online(): boolean;
  /** null where the browser does not know that permission. */
  permission(name: string): Promise<PermissionState | null>;
}

/** The page or worker that this runs in; null outside a browser. */
export function thisPage(): Page | null {
  if (!('location' in globalThis)) return null;
  return {
    origin: globalThis.location.origin,
    secure: globalThis.isSecureContext,
    online: () => globalThis.navigator.onLine,
    permission: queryPermission,
  };
}

async function queryPermission(name: string): Promise<PermissionState | null> {
  const { permissions } = globalThis.navigator;
  try {
    // By reflection: these permissions are newer than the names that the types know. An unknown one throws.
    const status: unknown = await Reflect.apply(permissions.query, permissions, [{ name }]);
    return status instanceof PermissionStatus ? status.state : null;
  } catch {
    return null;
  }
}
