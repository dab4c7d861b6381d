import type { Lend } from '#core/agent/llm/wire.ts';
import type { AuditEntry, Invite, Person, Role } from '#core/sync/people.ts';
import type { StorageAnswer } from '#core/sync/storage-answer.ts';
import { people, serverBase } from '../client/server-client.ts';
import { ask } from '../client/workers.ts';
import { partsOf } from '../lanes.ts';

/** Who is let in to the catalog server, who was invited, and who did what; for an admin. */
export class People {
  /** null: not known yet, or not an admin. */
  list = $state.raw<readonly Person[] | null>(null);
  invites = $state.raw<readonly Invite[]>([]);
  log = $state.raw<readonly AuditEntry[]>([]);
  more = $state<string | null>(null);
  /** The server's model and to whom it is lent; null where it has none. */
  lent = $state.raw<{ model: string; lend: Lend } | null>(null);
  /** What is damaged on the server, and when its files were last verified; null: not known. */
  storage = $state.raw<StorageAnswer | null>(null);
  /** The invitation's link, which is shown this once. */
  link = $state<string | null>(null);
  me = $state('');
  busy = $state(false);

  async load(): Promise<void> {
    const client = await people();
    const me = await client.me();
    if (!me.ok || !me.value.scopes.includes('Admin')) return;
    this.me = me.value.user_id;
    await this.#read();
  }

  async #read(): Promise<void> {
    const client = await people();
    const config = await client.config();
    const said = config.ok && config.value.broker ? config.value : null;
    this.lent = said && { model: `${said.provider ?? ''}/${said.model ?? ''}`, lend: said.lend };
    const [list, invites, log] = [
      await ask(client.people()),
      await ask(client.invites()),
      await ask(client.audit(null)),
    ];
    this.storage = await ask(client.storage());
    if (list) this.list = list.items;
    if (invites) this.invites = invites.items;
    if (log) [this.log, this.more] = [log.items, log.next_cursor];
  }

  async older(): Promise<void> {
    const page = await ask((await people()).audit(this.more));
    if (page) [this.log, this.more] = [[...this.log, ...page.items], page.next_cursor];
  }

  invite(name: string, role: Role): Promise<void> {
    return this.#run(async () => {
      const made = await ask((await people()).invite(name, role));
      // The server serves the app itself. A link that named another server could lead a browser's work astray.
      if (made) this.link = `${await serverBase()}/join#invite=${made.secret}`;
    });
  }

  revokeInvite(id: string): Promise<void> {
    return this.#run(async () => void (await ask((await people()).revokeInvite(id))));
  }

  setRole(id: string, role: Role): Promise<void> {
    return this.#run(async () => void (await ask((await people()).patchPerson(id, { role }))));
  }

  setLend(lend: Lend): Promise<void> {
    return this.#run(async () => void (await ask((await people()).setLend(lend))));
  }

  remove(id: string): Promise<void> {
    return this.#run(async () => void (await ask((await people()).removePerson(id))));
  }

  async #run(work: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      this.link = null;
      await work();
      await this.#read();
    } finally {
      this.busy = false;
    }
  }
}

const OWN_ACTIONS: Readonly<Record<string, string>> = {
  'catalog.imported': 'imported a catalog',
  'catalog.restored': 'put a backup back',
  'review.answered': 'answered a question',
  'upload.received': 'uploaded files',
  'job.cancelled': 'cancelled a job',
  'bundle.imported': 'published an exported result',
  'invite.created': 'invited somebody',
  'invite.used': 'joined',
  'link.used': 'signed a browser in by a link',
  'invite.revoked': 'took an invitation back',
  'user.changed': 'changed a person',
  'user.removed': 'removed a person',
  'token.created': 'made a token',
  'token.revoked': 'revoked a token',
  'model.lent': "changed to whom the server's model is lent",
};

/** `track.replaced` as `replaced audio`; an action that no lane names is itself. */
export function actionWords(action: string): string {
  const ofLanes = partsOf('settings').map(({ actions }) => actions?.[action]);
  return OWN_ACTIONS[action] ?? ofLanes.find((words) => words !== undefined) ?? action;
}
