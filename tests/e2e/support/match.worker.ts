/** Matches cases in a dedicated worker of a browser, by the code that the app's worker runs. */
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import type { MatchRequest } from '#lanes/music/core/match/match.types.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';

onmessage = (event: MessageEvent<{ catalog: CatalogFile; requests: MatchRequest[] }>) => {
  const index = buildCatalogIndex(event.data.catalog);
  // As text: a message would tell apart what JSON does not.
  postMessage(JSON.stringify(event.data.requests.map((request) => matchBatch(request, index))));
};
