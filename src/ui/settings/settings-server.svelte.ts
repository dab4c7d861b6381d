import { forgetToken, readToken, testServer } from '../client/server-client.ts';
import { keepToken } from '../client/sign-in.ts';
import { ask, pipeline } from '../client/workers.ts';
import { settingsRow } from '../client/db.ts';
import { parseAddress, type TypedAddress } from './server-address.ts';
import { settings } from './settings.svelte.ts';

export type Connection = Awaited<ReturnType<typeof testServer>>;

/** The form "Server": an address and a token, tested before or after they are kept. */
export class ServerForm {
  address = $state('');
  token = $state('');
  /** Whether this browser has a token for the server that is set. */
  signedIn = $state(false);
  busy = $state<'no' | 'testing' | 'saving'>('no');
  result = $state.raw<Connection | null>(null);
  /** What was last done, in words. */
  done = $state('');
  /** The background work still talks to the server before. */
  reload = $state(false);
  #asked = $state(false);

  readonly parsed: TypedAddress | string = $derived(parseAddress(this.address, window.location.origin));
  readonly addressError: string | undefined = $derived(
    this.#asked && typeof this.parsed === 'string' ? this.parsed : undefined,
  );

  async load(): Promise<void> {
    this.address = (await settingsRow()).server_url;
    this.signedIn = (await readToken()) !== null;
  }

  /** Tries what is typed, without keeping it. */
  async test(): Promise<void> {
    await this.#run('testing', async (typed, token) => {
      this.result = await testServer(typed.address, token);
    });
  }

  /** Keeps what is typed, and tries it. A typed token is kept encrypted, for this server alone. */
  async save(): Promise<void> {
    await this.#run('saving', async (typed, token) => {
      const before = (await settingsRow()).server_url;
      if (typed.address !== before) {
        await settings.set('server_url', typed.address);
        this.reload = true;
      }
      // The token of a sign-in link ends in an hour; the browser gets one of its own.
      if (token !== null) await ask(keepToken(token));
      this.address = typed.address;
      this.token = '';
      this.signedIn = (await readToken()) !== null;
      this.done = 'Saved';
      this.result = await testServer(typed.address, null);
      if (!this.reload) await ask(pipeline().syncNow());
    });
  }

  async signOut(): Promise<void> {
    await forgetToken();
    this.signedIn = false;
    this.result = null;
    this.done = 'Signed out';
    await ask(pipeline().syncNow());
  }

  async #run(what: 'testing' | 'saving', work: (typed: TypedAddress, token: string | null) => Promise<void>) {
    this.#asked = true;
    this.done = '';
    this.result = null;
    if (typeof this.parsed === 'string' || this.busy !== 'no') return;
    this.busy = what;
    try {
      const typed = this.token.trim();
      await work(this.parsed, typed === '' ? this.parsed.token : typed);
    } finally {
      this.busy = 'no';
    }
  }
}

/** The outcome of a test as a sentence, with what to do. */
export function connectionWords({ kind, version, detail }: Connection): { good: boolean; words: string } {
  const server = version === null ? 'The server answers' : `The server answers (version ${version})`;
  const words: Record<Connection['kind'], string> = {
    accepted: `${server} and accepts the token.`,
    refused: `${server}, but refuses the token. Copy it again from the link that the server prints.`,
    forbidden: `${server} and knows the token, but it lacks the EditCatalog permission.`,
    signed_out: `${server}. Enter the token from the link that it prints to sign in.`,
    blocked: `Something answers, but it does not let pages of ${window.location.origin} read it. Add this origin to the origins that the server allows (CORS).`,
    unreachable: 'Nothing answers at this address. Check that the server runs, and its port.',
    other: detail ?? 'What answers is not a catalog server.',
  };
  return { good: kind === 'accepted', words: words[kind] };
}
