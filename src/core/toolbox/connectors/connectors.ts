/** Every connector that is built in. A new one is a file beside this and its line here, or a file of YAML that is dropped in. */
import type { ConnectorTool } from './connector-tool.ts';
import { gisService } from './gis-service.ts';
import { httpApi } from './http-api.ts';
import { openalex } from './openalex.ts';
import { osint } from './osint.ts';
import { scrape } from './scrape.ts';
import { wikidata } from './wikidata.ts';
import { wikipedia } from './wikipedia.ts';
import { worldBank } from './world-bank.ts';

/** In the order in which they are offered. */
export const CONNECTORS: readonly ConnectorTool[] = [
  wikipedia,
  wikidata,
  openalex,
  worldBank,
  osint,
  gisService,
  scrape,
  httpApi,
];
