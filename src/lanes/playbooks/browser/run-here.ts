/** What a run needs, in this browser. */
import type { NamedModelOpener } from '#adapters/browser/llm/model-opener.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import type { Timers } from '#adapters/http/socket.ts';
import { wait } from '#adapters/llm/executor-ports.ts';
import { CassetteSchema, createRecorded, type Cassette } from '#adapters/llm/recorded.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { RECORDED } from '#core/agent/llm/providers.ts';
import * as v from 'valibot';
import type { EnginePlaces } from 'virtual:toolbox-packs';
import type { OfferedTool } from '#core/agent/tools/offered-tool.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { failed } from '#core/errors.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { raisedIn, type Cage } from '#core/toolbox/cage.ts';
import type { ConnectorTool } from '#core/toolbox/connectors/connector-tool.ts';
import type { Net } from '#core/toolbox/connectors/net.ts';
import { TOOLS } from '#core/toolbox/tools.ts';
import { recordedAnswer } from '../core/shipped/recorded-answers.ts';
import { shippedOf } from '../core/shipped/shipped.ts';
import { toolboxTools } from '../core/tools/toolbox-tools.ts';
import type { PlaybookFiles, PlaybookModels, RunNews, RunPorts } from '../core/run/ports.ts';
import { readSettings } from '#adapters/browser/settings.ts';
import { settingsModels } from './settings-models.ts';
import { FolderFiles } from './folder-files.ts';
import { IndexedFiles } from './indexed-files.ts';
import type { TryLock } from './indexed-runs.ts';
import { RECORDING, type WithModel } from './playbook-api.types.ts';
import type { PlaybookRow } from './schema.ts';

export interface PlaybookMachine {
  db: AccessionDb;
  clock: Clock;
  ids: Ids;
  timers: Timers;
  sha256(text: string): Promise<string>;
  models(): Promise<NamedModelOpener>;
  lock: TryLock;
  /** The catalog server that is set, for runs that stand there. */
  server(): Promise<HttpOptions>;
  /** Where tools compute; its engines are fetched when they are first used. */
  openCage(places: EnginePlaces): Cage;
  /** How steps ask sources. */
  net: Net;
  /** Connectors that the server's operator declared; absent: none. */
  declared?(): Promise<readonly ConnectorTool[]>;
  /** Tools of other lanes. `asked`: whether a step names the tool. */
  stepTools(agreed: readonly string[], asked: (name: string) => boolean): Promise<readonly OfferedTool[]>;
}

/** The folder of the disk that a row names, or its root in this browser. */
export function filesOf(
  { db, clock, sha256 }: Pick<PlaybookMachine, 'db' | 'clock' | 'sha256'>,
  { folder }: Pick<PlaybookRow, 'folder'>,
  root: string,
): PlaybookFiles {
  const hash = (text: string): Promise<string> => sha256(text);
  return folder === undefined ? new IndexedFiles(db, root, hash) : new FolderFiles(folder, clock, hash);
}

/**
 * The models of the settings, or recorded answers where they are asked for. `isSet`: something answers.
 * @param files where the file of a recording is
 */
export async function modelsFor(
  machine: PlaybookMachine,
  book: Pick<PlaybookRow, 'shipped'>,
  using: WithModel,
  files: PlaybookFiles,
): Promise<{ models: PlaybookModels; isSet: boolean }> {
  if (using === 'recording') {
    const provider = createRecorded({ cassette: await recordingIn(files), capabilities: RECORDED_CONTEXT });
    const open = (): Promise<LlmProvider> => Promise.resolve(provider);
    return { isSet: true, models: { nameOf: () => RECORDED, price: { in: 0, out: 0 }, open } };
  }
  if (using === 'recorded') {
    const answers = shippedOf(book.shipped)?.answers ?? {};
    return {
      isSet: true,
      models: {
        ...{ nameOf: () => 'recorded', price: { in: 0, out: 0 } },
        open: (_name, { step, unit }) => Promise.resolve(recordedAnswer(answers[step]?.[unit])),
      },
    };
  }
  const opener = await machine.models();
  const settings = await readSettings(machine.db);
  const models = await settingsModels(settings, (named) =>
    named === null ? opener.model() : opener.modelNamed(named),
  );
  return { models, isSet: models.any };
}

/** Prompts of a playbook may be long, and nobody reads them. */
const RECORDED_CONTEXT = { contextLength: 1_000_000 };

/** Throws AccessionError `invalid` where the file is no recording. */
async function recordingIn(files: PlaybookFiles): Promise<Cassette> {
  const text = (await files.read(RECORDING))?.text ?? null;
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), CassetteSchema), text);
  if (read.success) return read.output;
  throw failed('invalid', `"${RECORDING}" is no recording of answers.`, {
    remedy: 'Make one with accession playbook run --record recording.json, and add it to the files.',
  });
}

/** @param reach `agreed`: patterns of hosts to which the person agreed for this playbook; `code`: hashes of free code; `named`: the tools of its steps */
export async function portsHere(
  machine: PlaybookMachine,
  files: PlaybookFiles,
  models: PlaybookModels,
  reach: { cage: Cage; agreed: readonly string[]; code: readonly string[]; named: readonly string[] },
  more: { signal?: CancelSignal; pause?: CancelSignal; said?: (news: RunNews) => void } = {},
): Promise<RunPorts> {
  const { clock, timers, net } = machine;
  const { cage, agreed, named } = reach;
  const agreedCode = new Set(reach.code);
  const sha256 = (text: string): Promise<string> => machine.sha256(text);
  const { CONNECTORS: builtIn } = await import('#core/toolbox/connectors/connectors.ts');
  const given = await machine.stepTools(agreed, (name) => named.includes(name));
  const known = new Set([...TOOLS, ...builtIn, ...given].map(({ name }) => name));
  // The server is asked only where a step names what is none of ours.
  const declared = named.every((name) => known.has(name)) ? [] : await (machine.declared?.() ?? []);
  const connectors = [...builtIn, ...declared];
  const raised = raisedIn(await readSettings(machine.db));
  const tools = [...toolboxTools({ cage, net, raised, agreed, agreedCode, connectors }), ...given];
  return {
    ...{ files, models, tools, clock, sha256 },
    wait: (milliseconds, signal) => wait(timers, milliseconds, signal),
    ...more,
  };
}
