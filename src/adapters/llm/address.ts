/** Addresses of model servers: as they are typed, as they are shown, and how near they are. */

/** How near a host is, as browsers count it: their permission is asked by what is farther for what is nearer. */
export type Nearness = 'loopback' | 'local' | 'public';
export const RANK: Readonly<Record<Nearness, number>> = { loopback: 2, local: 1, public: 0 };

/** The origin and path without a slash at the end, or null where it is no http address. A missing scheme is http. */
function cleanBase(typed: string, usual: string): string | null {
  const text = typed.trim() === '' ? usual : typed.trim();
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  // fetch refuses an address with a password in it, and it must not be shown either.
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

export const OLLAMA_ADDRESS = 'http://localhost:11434';
export const OPENAI_ADDRESS = 'https://api.openai.com/v1';

/** Ollama's base: without the `/api` or `/v1` that people copy along. */
export function ollamaBase(typed: string): string | null {
  return cleanBase(typed, OLLAMA_ADDRESS)?.replace(/\/(?:api(?:\/chat)?|v1)$/, '') ?? null;
}

/** An OpenAI-compatible base: ends in its version (`/v1` where the path has none). */
export function openAiBase(typed: string): string | null {
  const base = cleanBase(typed, OPENAI_ADDRESS)?.replace(/\/chat\/completions$/, '') ?? null;
  if (base === null) return null;
  return /\/v\d[^/]*(?:\/|$)/.test(new URL(base).pathname) ? base : `${base}/v1`;
}

/** Of a host name or IP literal, as in `URL.hostname`. A bare name (`nas`) is in the local network. */
export function nearnessOf(hostname: string): Nearness {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\./.test(host)) return 'loopback';
  if (
    /^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[789]\d|1[01]\d|12[0-7])\.)/.test(host)
  )
    return 'local';
  if (/^(?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):/.test(host)) return 'local';
  if (host.endsWith('.local') || host.endsWith('.lan') || !/[.:]/.test(host)) return 'local';
  return 'public';
}

export function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
