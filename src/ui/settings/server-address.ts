/** The address of a catalog server as a person types or pastes it. */

export interface TypedAddress {
  /** Without a slash at the end; '' is the page's own origin. */
  address: string;
  /** From a pasted sign-in link. */
  token: string | null;
}

/** The address, or a sentence that says what is wrong with it. `own` is the page's origin. */
export function parseAddress(text: string, own: string): TypedAddress | string {
  const trimmed = text.trim();
  if (trimmed === '') return { address: '', token: null };
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (!URL.canParse(whole)) return 'This is not an address. It looks like http://192.168.1.20:8787.';
  const url = new URL(whole);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'An address begins with http:// or https://.';
  if (url.username !== '' || url.password !== '') return 'Leave name and password out; the token belongs below.';
  if (new URL(own).protocol === 'https:' && url.protocol === 'http:' && !isLocal(url.hostname)) {
    return 'This page came over https, so the browser lets it reach https servers only.';
  }
  const address = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  const token = new URLSearchParams(url.hash.slice(1)).get('token');
  return { address: address === own ? '' : address, token: token === null || token === '' ? null : token };
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host.startsWith('127.') || host === '[::1]';
}
