/** Matches cases in a dedicated worker of a browser, by the code that the app's worker runs. */
import type { CatalogFile } from '#core/music/catalog.ts';
import { matchBatch } from '#core/music/match.ts';
import type { MatchRequest } from '#core/music/match.types.ts';
import { buildCatalogIndex } from '#core/music/search.ts';

onmessage = (event: MessageEvent<{ catalog: CatalogFile; requests: MatchRequest[] }>) => {
  const index = buildCatalogIndex(event.data.catalog);
  // As text: a message would tell apart what JSON does not.
  postMessage(JSON.stringify(event.data.requests.map((request) => matchBatch(request, index))));
};
