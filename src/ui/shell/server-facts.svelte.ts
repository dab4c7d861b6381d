import { changeSetting, changeSettings, isSettingSet, serverFactsRow } from '../client/db.ts';
import { pipeline } from '../client/workers.ts';
import { Live } from '../parts/live.svelte.ts';
import { unchanged } from '../parts/unchanged.ts';
import { settings } from '../settings/settings.svelte.ts';
import { mayAdd, mayEdit, NO_FACTS } from './server-facts-words.ts';

const facts = new Live(unchanged(serverFactsRow), NO_FACTS, 0, ['meta']);
const chosen = new Live(() => isSettingSet('llm_provider'), true, 0, ['settings']);

/** What the server said of this browser's token, and of the model that it lends. */
class Server {
  readonly account = $derived(facts.current.account);
  /** False: the token is known to read the catalog alone. */
  readonly mayAdd: boolean = $derived(mayAdd(facts.current.account));
  /** False as well while it is not known. */
  readonly mayEdit: boolean = $derived(mayEdit(facts.current.account?.scopes ?? []));
  /** The model that it lends, `provider/model`; null: none. */
  readonly lends: string | null = $derived(facts.current.lends);
  readonly forAll: boolean = $derived(facts.current.for_all);
  /** It lends one, and the person has neither chosen a model nor said no, nor has an administrator said yes for all. */
  readonly unanswered: boolean = $derived(this.lends !== null && !this.forAll && chosen.ready && !chosen.current);
  /** Asked on the page of drops: from the first drop until it is answered (LLM-98). */
  readonly offers: boolean = $derived(this.unanswered && settings.ready && settings.current.llm_offered);

  /** Files were dropped. */
  async noteDrop(): Promise<void> {
    if (!settings.current.llm_offered && !(await isSettingSet('llm_provider')))
      await changeSetting('llm_offered', true);
  }

  /** Remembered as the provider that is set, which Settings shows and changes. */
  async answer(yes: boolean): Promise<void> {
    if (!yes) return changeSetting('llm_provider', 'none');
    await changeSettings({ llm_provider: 'broker', llm_base_url: '', llm_model: '' });
    await pipeline().wakeAgent();
  }
}

export const serverFacts = new Server();
