/** What a run needs, in this browser. */
import type { ModelOpener } from '#adapters/browser/llm/model-opener.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { Timers } from '#adapters/http/socket.ts';
import { wait } from '#adapters/llm/executor-ports.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { AccessionError, failed } from '#core/errors.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { recordedAnswer } from '../core/shipped/recorded-answers.ts';
import { shippedOf } from '../core/shipped/shipped.ts';
import type { PlaybookModels, RunNews, RunPorts } from '../core/run/ports.ts';
import { IndexedFiles } from './indexed-files.ts';
import type { TryLock } from './indexed-runs.ts';
import type { WithModel } from './playbook-api.types.ts';
import type { PlaybookRow } from './schema.ts';

export interface PlaybookMachine {
  db: AccessionDb;
  clock: Clock;
  ids: Ids;
  timers: Timers;
  sha256(text: string): Promise<string>;
  models(): Promise<ModelOpener>;
  lock: TryLock;
}

/** The model of the settings stands for every name, and recorded answers where they are asked for. */
export async function modelsFor(
  machine: PlaybookMachine,
  book: Pick<PlaybookRow, 'shipped'>,
  using: WithModel,
): Promise<{ models: PlaybookModels; name: string | null }> {
  if (using === 'recorded') {
    const answers = shippedOf(book.shipped)?.answers ?? {};
    return {
      name: 'recorded',
      models: {
        ...{ nameOf: () => 'recorded', price: { in: 0, out: 0 } },
        open: (_name, { step, unit }) => Promise.resolve(recordedAnswer(answers[step]?.[unit])),
      },
    };
  }
  const model = await (await machine.models()).model();
  const name = model === null ? null : `${model.provider}/${model.model}`;
  const open: PlaybookModels['open'] = async () => {
    if (model === null) throw failed('model_missing', 'No model is set up.');
    const opened = await model.open();
    if (!opened.ok) throw new AccessionError(opened.failure);
    return opened.value;
  };
  return { name, models: { nameOf: () => name, open, price: model?.options.price ?? { in: 0, out: 0 } } };
}

export function portsHere(
  machine: PlaybookMachine,
  root: string,
  models: PlaybookModels,
  more: { signal?: CancelSignal; said?: (news: RunNews) => void } = {},
): RunPorts {
  const { clock, timers } = machine;
  const sha256 = (text: string): Promise<string> => machine.sha256(text);
  return {
    ...{ files: new IndexedFiles(machine.db, root, sha256), models, tools: [], clock, sha256 },
    wait: (milliseconds, signal) => wait(timers, milliseconds, signal),
    ...more,
  };
}
