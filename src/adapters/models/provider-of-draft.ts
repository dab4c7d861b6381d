import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { Result } from '#core/result.ts';
import type { ModelDraft } from '../browser/api.ts';
import type { AccessionDb } from '../browser/db.ts';
import { openProvider, type ModelSettings } from '../browser/llm/provider-from-settings.ts';
import { catalogServer } from '../browser/catalog-server.ts';
import { readSettings } from '../browser/settings.ts';
import { systemClock, systemTimers } from '../browser/system.ts';
import { createModelKeyStore } from '../browser/token.ts';
import type { ModelSession } from './inference.ts';
import { titleOfModel } from './rows.ts';

/** The provider of what is being typed into the settings page, or of what is stored when that is null. */
export async function providerOfDraft(
  db: AccessionDb,
  draft: ModelDraft | null,
  session: () => ModelSession,
): Promise<Result<LlmProvider>> {
  const settings: ModelSettings =
    draft === null
      ? await readSettings(db)
      : {
          llm_provider: draft.provider,
          llm_base_url: draft.base_url,
          llm_model: draft.model,
          llm_context_length: draft.context_length,
        };
  return openProvider(settings, {
    clock: systemClock,
    timers: systemTimers,
    server: (await catalogServer(db)).http,
    key: async (origin) => draft?.key ?? createModelKeyStore(db, origin).get(),
    openModel: session,
    titleOf: (id) => titleOfModel(db, id),
    unnamed: true,
  });
}
