// A single-page app: IndexedDB is its source, and only a browser has that.
export const ssr = false;
export const prerender = false;
export const trailingSlash = 'never';
