/** `openalex`: declared as a file that is dropped in would be. */
import { declaredTool, readDeclared } from './declared.ts';

export const openalex = declaredTool(
  readDeclared(
    String.raw`
name: openalex
about: OpenAlex, scholarly works, authors and institutions.
base: https://api.openalex.org
licence: CC0 1.0
attribution: OpenAlex
direct: true
limits: { every_ms: 150, pages: 20 }
endpoints:
  works:
    about: papers and books (search, filter)
    path: /works
    input:
      search: { type: text, required: true, max: 500 }
      filter: { type: text, max: 500 }
    query: { search: '{search}', filter: '{filter}', per-page: 50 }
    rows: $.results[*]
    columns:
      id: $.id
      title: $.display_name
      year: $.publication_year
      doi: $.doi
      type: $.type
      cited_by: $.cited_by_count
      authors: $.authorships[*].author.display_name
      source: $.primary_location.source.display_name
    pages: { by: cursor, field: cursor, first: '*', next: $.meta.next_cursor }
  authors:
    about: people (search)
    path: /authors
    input:
      search: { type: text, required: true, max: 500 }
    query: { search: '{search}', per-page: 50 }
    rows: $.results[*]
    columns:
      { id: $.id, name: $.display_name, orcid: $.orcid, works: $.works_count, cited_by: $.cited_by_count, institution: '$.last_known_institutions[*].display_name' }
    pages: { by: cursor, field: cursor, first: '*', next: $.meta.next_cursor }
  institutions:
    about: universities and others (search)
    path: /institutions
    input:
      search: { type: text, required: true, max: 500 }
    query: { search: '{search}', per-page: 50 }
    rows: $.results[*]
    columns: { id: $.id, name: $.display_name, country: $.country_code, type: $.type, works: $.works_count, homepage: $.homepage_url }
    pages: { by: cursor, field: cursor, first: '*', next: $.meta.next_cursor }
example: { endpoint: works, search: analysis of variance }
`,
    'openalex',
  ),
);
