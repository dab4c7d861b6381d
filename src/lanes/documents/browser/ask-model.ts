/** Puts a document in doubt to the person's model; what it says is advice (DOCUMENT-97). */
import { decodeTextFile } from '#adapters/media/legacy-text.ts';
import type { ModelOpener } from '#adapters/browser/llm/model-opener.ts';
import type { Timers } from '#adapters/http/socket.ts';
import type { CancelSource } from '#core/cancel.ts';
import { AccessionError, failed } from '#core/errors.ts';
import type { PdfText } from '#core/ingest/pdf.ts';
import { contentOf } from '#core/plan/replace-content.ts';
import type { FileTree } from '#core/plan/file-tree.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { doubtOf } from '#lanes/documents/core/agent/doubt.ts';
import type { Lookup } from '#lanes/documents/core/lookup/lookup.ts';
import { withAdvice } from '#lanes/documents/core/plan/propose.ts';
import { lookedUp, renamedTo, type ReadDocument } from './read-documents.ts';

export interface ModelAdvice {
  tree: FileTree;
  lookup: Lookup;
  reader: PdfText;
  clock: Clock;
  ids: Ids;
  timers: Timers;
  models: () => Promise<ModelOpener>;
  signal: CancelSource;
}

/** Throws AccessionError: `model_missing`, what the model failed with, `invalid` where nothing is in doubt. */
export async function advisedDocument(
  read: ReadDocument,
  { tree, lookup, reader, clock, ids, timers, models: opener, signal }: ModelAdvice,
): Promise<ReadDocument> {
  const { row, identified } = read;
  const doubt = doubtOf({ ...row, identified });
  if (doubt === null) throw failed('invalid', 'Nothing about this document is in doubt.');
  const models = await opener();
  const model = await models.model();
  if (model === null) throw failed('model_missing', 'No model is set.');
  try {
    const opened = await model.open(signal);
    if (!opened.ok) throw new AccessionError(opened.failure);
    // What the asking is made of is fetched now: who never asks pays nothing for it.
    const [{ askAboutDocument }, { pageTextOf }, { sha256, wait }] = await Promise.all([
      import('#lanes/documents/core/agent/ask-document.ts'),
      import('#lanes/documents/core/agent/page-text-of.ts'),
      import('#adapters/llm/executor-ports.ts'),
    ]);
    const advised = await askAboutDocument(doubt, {
      executor: {
        ...{ provider: opened.value, clock, sha256, signal },
        wait: (milliseconds, stop) => wait(timers, milliseconds, stop),
      },
      context: { lookup, pageText: pageTextOf(row.path, () => contentOf(tree, row.path), reader, decodeTextFile) },
      options: model.options,
      ids,
      strategy: model.strategy,
      // The same document is put in the same words each time.
      seed: parseInt((await sha256(row.id)).slice(0, 7), 16),
    });
    const { chosen, said, failure } = advised;
    if (chosen === null && failure !== null) throw new AccessionError(failure);
    const as = chosen === null ? read : await lookedUp(renamedTo(read, chosen), lookup);
    return { ...as, row: { ...as.row, choices: row.choices, proposal: withAdvice(as.row.proposal, said) } };
  } finally {
    // Another lane's own may be loaded beside it: memory is not kept for a question that is over.
    await models.close();
  }
}
