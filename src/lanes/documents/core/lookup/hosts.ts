/** The hosts that a look-up may ask, for whoever has to say yes first. */
export const LOOKUP_HOSTS = [
  'api.crossref.org',
  'api.datacite.org',
  'doi.org',
  'openlibrary.org',
  'www.googleapis.com',
  'export.arxiv.org',
] as const;
export type LookupHost = (typeof LOOKUP_HOSTS)[number];
