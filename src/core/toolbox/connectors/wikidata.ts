/** `wikidata`: declared as a file that is dropped in would be. */
import { declaredTool, readDeclared } from './declared.ts';

export const wikidata = declaredTool(
  readDeclared(
    String.raw`
name: wikidata
about: Wikidata, facts about things.
base: https://www.wikidata.org
licence: CC0 1.0
attribution: Wikidata
direct: true
endpoints:
  search:
    about: things by their names (text, language)
    path: /w/api.php
    input:
      text: { type: text, required: true, max: 300 }
      language: { type: text, default: en, max: 12 }
    query:
      { action: wbsearchentities, search: '{text}', language: '{language}', uselang: '{language}', limit: 20, format: json, origin: '*' }
    rows: $.search[*]
    columns: { id: $.id, label: $.label, description: $.description, address: $.concepturi }
    pages: { by: cursor, field: continue, next: "$['search-continue']" }
  facts:
    about: the statements of a thing (id)
    path: /w/api.php
    input:
      id: { type: text, required: true, max: 20 }
    query: { action: wbgetclaims, entity: '{id}', format: json, origin: '*' }
    rows: $.claims.*[*]
    columns:
      property: $.mainsnak.property
      thing: $.mainsnak.datavalue.value.id
      text: $.mainsnak.datavalue.value.text
      amount: $.mainsnak.datavalue.value.amount
      time: $.mainsnak.datavalue.value.time
      latitude: $.mainsnak.datavalue.value.latitude
      longitude: $.mainsnak.datavalue.value.longitude
      value: $.mainsnak.datavalue.value
      rank: $.rank
example: { endpoint: search, text: Student's t-test }
`,
    'wikidata',
  ),
);
