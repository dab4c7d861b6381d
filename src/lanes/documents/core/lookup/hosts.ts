/** The hosts that a look-up may ask, for whoever has to say yes first. */
export const LOOKUP_HOSTS = [
  'api.crossref.org',
  'api.datacite.org',
  'doi.org',
  'openlibrary.org',
  'www.googleapis.com',
  'export.arxiv.org',
] as const;

/** Sources that are asked only where somebody switched them on, with their hosts. */
export const MORE_SOURCES = { openalex: 'api.openalex.org', pubmed: 'eutils.ncbi.nlm.nih.gov' } as const;
export type MoreSource = keyof typeof MORE_SOURCES;

export type LookupHost = (typeof LOOKUP_HOSTS)[number] | (typeof MORE_SOURCES)[MoreSource];
