/**
 * Why a request got no answer at all. A browser says the same of a server that is off, of CORS and of its own
 * permissions ("Failed to fetch"), so what it does not say is found out here:
 *
 *   bad address -> unreachable      https page, plain http to far away -> permission (mixed content)
 *   permission denied -> permission      a `no-cors` request passes -> CORS      else -> unreachable
 *
 * Chromium 142 has the permission `local-network-access`, since 145 `loopback-network` (shown as "Apps on device")
 * and `local-network`; it is asked only of pages that are farther away than what they want to reach.
 */
import { failure, type Failure } from '#core/errors.ts';
import { type Nearness, nearnessOf, parseUrl, RANK } from './address.ts';
import { type FailureContext, redact } from './failures.ts';

const PROBE_MS = 5_000;

export async function failureOfNoAnswer(
  thrown: unknown,
  context: FailureContext,
  page: Page | null,
  send: typeof fetch,
): Promise<Failure> {
  const url = parseUrl(context.base);
  if (url === null) return unreachable(context, 'the address is none');
  if (page === null) return unreachable(context, causeOf(thrown, context));
  const target = nearnessOf(url.hostname);
  if (target === 'public' && !page.online())
    return failure('offline', 'This device is offline, and the model is not on it.');
  const blocked = await blockedByBrowser(url, target, page);
  if (blocked !== null) return blocked;
  if (url.origin === page.origin) return unreachable(context, '');
  if (await answersBlindly(context.base, send)) return corsFailure(context, page);
  return unreachable(context, (await awaitsPermission(context.base, page)) ? 'prompt' : '');
}

/** Whether the browser may be asking the person right now; the request waits for as long. */
export async function awaitsPermission(base: string, page: Page): Promise<boolean> {
  const url = parseUrl(base);
  if (url === null || !isAsked(url, page)) return false;
  return (await permissionFor(nearnessOf(url.hostname), page)) === 'prompt';
}

/** No answer came in time because the question to the person was not answered. */
export function unansweredPrompt(base: string): Failure {
  return failure(
    'model_permission',
    `The browser waits for you to say whether this page may reach ${parseUrl(base)?.host ?? base}.`,
  );
}

function isAsked(url: URL, page: Page): boolean {
  return RANK[nearnessOf(url.hostname)] > RANK[nearnessOf(parseUrl(page.origin)?.hostname ?? '')];
}

async function blockedByBrowser(url: URL, target: Nearness, page: Page): Promise<Failure | null> {
  const permission = isAsked(url, page) ? await permissionFor(target, page) : null;
  if (permission === 'denied') return page.secure ? permissionFailure(url, target) : insecurePage(url);
  const mixed = page.origin.startsWith('https:') && url.protocol === 'http:' && target !== 'loopback';
  // With its permission Chromium lets a secure page ask plain http in the local network; other browsers never do.
  if (mixed && (target === 'public' || permission === null)) return mixedContent(url);
  return null;
}

async function permissionFor(target: Nearness, page: Page): Promise<PermissionState | null> {
  if (target === 'public') return null;
  const names = [target === 'loopback' ? 'loopback-network' : 'local-network', 'local-network-access'];
  for (const name of names) {
    const state = await page.permission(name);
    if (state !== null) return state;
  }
  return null;
}

/** An opaque answer to a request that needs no consent: something is there, only not for this page to read. */
async function answersBlindly(base: string, send: typeof fetch): Promise<boolean> {
  try {
    await send(base, {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_MS),
    });
    return true;
  } catch {
    return false;
  }
}

function unreachable(context: FailureContext, why: string): Failure {
  const reason = why === '' || why === 'prompt' ? '' : `: ${why}`;
  return failure(
    'model_unreachable',
    `Nothing answers at ${context.base}${reason}.`,
    why === 'prompt'
      ? {
          remedy:
            'Start the model server and check its address in Settings, Model. If the browser asks whether this page may reach your devices, allow it.',
        }
      : {},
  );
}

function corsFailure(context: FailureContext, page: Page): Failure {
  const message = `Something answers at ${context.base}, but it does not let this page (${page.origin}) read its answers.`;
  return failure('model_cors', message, {
    remedy:
      context.remedies?.allowOrigin(page.origin) ??
      `Let the model server allow the origin ${page.origin} (CORS), or use the broker: then the catalog server asks it.`,
  });
}

function permissionFailure(url: URL, target: Nearness): Failure {
  const what = target === 'loopback' ? 'programs on this device' : 'devices on your network';
  const setting = target === 'loopback' ? '"Apps on device"' : '"Local network"';
  return failure('model_permission', `The browser does not let this page reach ${what} (${url.host}).`, {
    remedy: `Open the site settings beside the address and allow ${setting}, then press Test.`,
  });
}

function insecurePage(url: URL): Failure {
  return failure('model_permission', `The browser lets only pages opened over https reach ${url.host}.`, {
    remedy: 'Open this page over https or from this device (localhost), or use the broker.',
  });
}

function mixedContent(url: URL): Failure {
  return failure(
    'model_permission',
    `This page was opened over https, and the browser lets it ask no plain http address (${url.origin}).`,
    { remedy: 'Give the model server an https address, or use the broker: then the catalog server asks it.' },
  );
}

/** Node's own reason: `ECONNREFUSED`, `ENOTFOUND`. */
function causeOf(thrown: unknown, context: FailureContext): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (typeof cause !== 'object' || cause === null) return '';
  if ('code' in cause && typeof cause.code === 'string') return redact(cause.code, context.secrets);
  return cause instanceof Error ? redact(cause.message, context.secrets) : '';
}

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
