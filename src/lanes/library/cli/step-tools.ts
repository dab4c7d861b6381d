/** Ask's tools for steps of playbooks at the terminal. */
import { createHash } from 'node:crypto';
import type { StepToolPlace } from '#cli/lane-cli.ts';
import type { OfferedTool } from '#core/agent/tools/offered-tool.ts';
import { LibraryIndex } from '#lanes/library/core/search/library-index.ts';
import { ragForSteps, webForSteps } from '#lanes/library/core/ask/tools/step-tools.ts';
import { currentLibrary } from './current-library.ts';
import { webOf } from './web-of.ts';

const sha256 = (text: string): Promise<string> => Promise.resolve(createHash('sha256').update(text).digest('hex'));

export async function stepTools({ library, data, agreed }: StepToolPlace): Promise<OfferedTool[]> {
  const web = webForSteps(await webOf(data), agreed, sha256);
  if (library === undefined) {
    const none = ragForSteps(() => Promise.resolve({ index: new LibraryIndex([]) }), sha256);
    return [{ ...none, unavailable: 'Say whose library it asks: --library DIR.' }, web];
  }
  const open = async () => ({ index: await currentLibrary({ library, data, cancel: { aborted: false } }) });
  return [ragForSteps(open, sha256), web];
}
