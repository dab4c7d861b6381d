import { readConfigFile } from '#server/config-file.ts';
import type { WebPort } from '#lanes/library/core/ask/tools/context.ts';
import { webFetch } from '#lanes/library/node/web-fetch.ts';

/** The network, as far as [tools] of accession.toml lets it; where nothing is said there, the run's domains decide. */
export async function webOf(data: string): Promise<WebPort> {
  const { allow, search } = (await readConfigFile(process.env, data)).tools;
  return webFetch({ allow, ...(search === null ? {} : { engine: search }) });
}
