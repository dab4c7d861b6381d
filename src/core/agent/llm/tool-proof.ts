/** What the check of a model found out about tool calls, as settings keep it: for each provider, address and model. */
import type { Settings } from '../../config.ts';

export type ToolProof = Settings['llm_proofs'][string];

type Asked = Pick<Settings, 'llm_provider' | 'llm_base_url' | 'llm_model' | 'llm_proofs'>;

/** The latest that are kept. */
const MOST = 30;

const keyOf = ({ llm_provider: id, llm_base_url: address, llm_model: model }: Asked): string =>
  JSON.stringify(id === 'broker' ? [id] : [id, address, model]);

/** Of what the settings name now; null: it was not tried. */
export function proofOf(settings: Asked): ToolProof | null {
  return settings.llm_proofs[keyOf(settings)] ?? null;
}

/** All that are kept, with this one. */
export function withProof(settings: Asked, proof: ToolProof): Settings['llm_proofs'] {
  const all = { ...settings.llm_proofs, [keyOf(settings)]: proof };
  const newest = Object.entries(all).sort(([, a], [, b]) => b.at - a.at);
  return Object.fromEntries(newest.slice(0, MOST));
}
