import { readToken, people } from '../client/server-client.ts';
import { keepToken } from '../client/sign-in.ts';
import { ask, pipeline } from '../client/workers.ts';

/**
 * An invitation that was opened in this browser.
 *
 *   looking --nobody here--> free --join--> joined
 *      \--somebody is signed in--> taken --replace--> joined
 */
export class Join {
  /** Who is signed in here, in words; null: nobody that the server knows. */
  signedIn = $state<string | null>(null);
  state = $state<'looking' | 'ready' | 'busy' | 'joined'>('looking');
  /** The same for every try of this tab: an answer that was lost can be had again. */
  readonly #key = keyOfTab();
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Finds out whether joining would sign somebody else out. */
  async look(): Promise<void> {
    this.signedIn = await whoIsHere();
    this.state = 'ready';
  }

  /** Signs this browser in, in the place of whoever was. False where it was not possible; the person was shown why. */
  async join(): Promise<boolean> {
    if (this.state !== 'ready') return false;
    this.state = 'busy';
    const accepted = await ask((await people()).accept(this.#secret, this.#key));
    if (accepted === null) {
      this.state = 'ready';
      return false;
    }
    await ask(keepToken(accepted.token));
    this.state = 'joined';
    await ask(pipeline().syncNow());
    return true;
  }
}

const KEY = 'join-key';

/** Outlasts a reload, so that the link opened again goes on with what was begun. */
function keyOfTab(): string {
  const key = sessionStorage.getItem(KEY) ?? crypto.randomUUID();
  sessionStorage.setItem(KEY, key);
  return key;
}

/** A token that the server does not know any more is nobody; where it cannot be asked there may be somebody. */
async function whoIsHere(): Promise<string | null> {
  if ((await readToken()) === null) return null;
  const me = await (await people()).me();
  if (me.ok) return me.value.name ?? me.value.user_id;
  return me.failure.code === 'unauthorized' ? null : 'somebody (the server cannot be asked whom)';
}
