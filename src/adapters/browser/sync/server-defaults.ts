/** What the server's accession.toml says of a workstation's settings, for those that the person never set. */
import * as v from 'valibot';
import { ServerDefaultsSchema } from '#core/agent/llm/wire.ts';
import type { Settings } from '#core/config.ts';
import type { Result } from '#core/result.ts';
import type { AccessionDb } from '../db.ts';
import { SERVER_DEFAULTS_ROW } from '../settings.ts';

/**
 * Keeps the answer of GET /v1/config in the meta row that `readSettings` reads. Where the server has none, or does not
 * let this user read it, the settings are our own again; where it could not be asked, they stay as they were. Throws
 * what IndexedDB throws.
 */
export async function keepServerDefaults(db: AccessionDb, answer: Result<unknown>): Promise<void> {
  if (!answer.ok) {
    const { code } = answer.failure;
    if (code === 'not_found' || code === 'forbidden') await db.meta.delete(SERVER_DEFAULTS_ROW);
    return;
  }
  const parsed = v.safeParse(ServerDefaultsSchema, answer.value);
  if (!parsed.success) return;
  const said = parsed.output;
  const value: Partial<Settings> = {
    auto_approve_threshold: said.auto_approve_threshold,
    output_bitrate: said.output_bitrate,
    llm_max_iterations: said.max_iterations,
    llm_strategy: said.strategy,
    llm_temperature: said.temperature,
    llm_timeout_secs: said.timeout_secs,
  };
  await db.meta.put({ key: SERVER_DEFAULTS_ROW, value });
}
