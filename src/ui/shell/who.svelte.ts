import { signedInRow } from '../client/db.ts';
import { nameOf } from '#core/sync/people.ts';
import { Live } from '../parts/live.svelte.ts';
import { unchanged } from '../parts/unchanged.ts';
import { sync } from './sync.svelte.ts';

const row = new Live(unchanged(signedInRow), null, 0, ['meta']);

/** Who is signed in to the catalog server in this browser. */
class Who {
  /** null: nobody, or not known yet. */
  readonly name: string | null = $derived(
    row.current === null || sync.state.state === 'unauthorized' ? null : nameOf(row.current),
  );
  #asked = false;

  /** Has the server say it anew, once for this page; called when it answers. */
  async ask(): Promise<void> {
    if (this.#asked) return;
    this.#asked = true;
    const [{ readToken, storeSignedIn }, { whoHas }] = await Promise.all([
      import('../client/server-client.ts'),
      import('../client/sign-in.ts'),
    ]);
    const token = await readToken();
    const me = token === null ? null : await whoHas(token);
    // Signed in as somebody else meanwhile: that was said already.
    if (me?.ok === true && token === (await readToken())) await storeSignedIn(me.value);
    if (me?.ok === false) this.#asked = false;
  }
}

export const who = new Who();
