/** What the server says of its settings, its model and this browser's token, kept for the run and the pages. */
import * as v from 'valibot';
import { ServerDefaultsSchema, type ServerDefaults } from '#core/agent/llm/wire.ts';
import type { Settings } from '#core/config.ts';
import type { Failure } from '#core/errors.ts';
import type { Result } from '#core/result.ts';
import { mayWork } from '#core/sync/people.ts';
import type { ServerClient } from '../../http/server-client.ts';
import type { AccessionDb } from '../db.ts';
import { readServerFacts, writeServerFacts, type ServerFacts } from '../meta.ts';
import { SERVER_DEFAULTS_ROW } from '../settings.ts';

export type FactsClient = Pick<ServerClient, 'config'> & Partial<Pick<ServerClient, 'me'>>;

/**
 * Asks for both and keeps them. Answers whether the token may publish; null where that is not known (an older server, or
 * none). Throws what IndexedDB throws.
 */
export async function learnOfServer(
  db: AccessionDb,
  client: FactsClient,
  signal: AbortSignal,
): Promise<boolean | null> {
  const [me, config] = await Promise.all([client.me?.(signal), client.config(signal)]);
  const before = await readServerFacts(db);
  const account =
    me?.ok === true ? accountOf(me.value) : me !== undefined && isRefused(me.failure) ? null : before.account;
  const may = account === null ? null : mayWork(account.scopes);
  const said = await keepDefaults(db, config, may !== false);
  const model = said?.broker === true && may !== false ? `${said.provider ?? 'model'}/${said.model ?? ''}` : null;
  const lent = said === undefined ? before : { lends: model, for_all: model !== null && said?.lend === 'all' };
  await writeServerFacts(db, { account, lends: lent.lends, for_all: lent.for_all });
  return may;
}

const accountOf = ({ name, scopes }: NonNullable<ServerFacts['account']>) => ({ name, scopes });
const isRefused = ({ code }: Failure): boolean => code === 'unauthorized' || code === 'forbidden';

/**
 * Keeps the answer of GET /v1/config in the meta row that `readSettings` reads. Where the server has none, or does not
 * let this user read it, the settings are our own again (null); where it could not be asked, they stay (undefined).
 * @param lends the token may use the server's model
 */
async function keepDefaults(
  db: AccessionDb,
  answer: Result<unknown>,
  lends: boolean,
): Promise<ServerDefaults | null | undefined> {
  if (!answer.ok) {
    const { code } = answer.failure;
    if (code !== 'not_found' && code !== 'forbidden') return undefined;
    await db.meta.delete(SERVER_DEFAULTS_ROW);
    return null;
  }
  const parsed = v.safeParse(ServerDefaultsSchema, answer.value);
  if (!parsed.success) return undefined;
  const said = parsed.output;
  const value: Partial<Settings> = {
    auto_approve_threshold: said.auto_approve_threshold,
    output_bitrate: said.output_bitrate,
    llm_max_iterations: said.max_iterations,
    llm_strategy: said.strategy,
    llm_temperature: said.temperature,
    llm_timeout_secs: said.timeout_secs,
    // LLM-99: whoever chose a provider, or none, keeps it: this is only a default.
    ...(said.broker && said.lend === 'all' && lends ? { llm_provider: 'broker' } : {}),
  };
  await db.meta.put({ key: SERVER_DEFAULTS_ROW, value });
  return said;
}
