/** What was "said" in the demonstration. Written by `node scripts/record-demo.ts`; do not edit. */
import type { Cassette } from './recorded.ts';

export const DEMO_CASSETTE: Cassette = {
  version: 1,
  model: 'demo',
  answers: {
    cac1671d95642f4c744a2b066d3b94a189369419edf3fcf5e3572b65762f7692: {
      finish_reason: 'stop',
      usage: { tokens_in: null, tokens_out: null, milliseconds: 0 },
      message: {
        role: 'assistant',
        content: '{"why":"Its length, 2:56, is that of this track, and no other file has it.","choice":"A"}',
      },
    },
    a8f06632afdfdbeba505966803e75d3ea1f9dffddf11ee09b7d472f32279f7fc: {
      finish_reason: 'stop',
      usage: { tokens_in: null, tokens_out: null, milliseconds: 0 },
      message: {
        role: 'assistant',
        content: '{"why":"Its length, 2:56, is that of this track, and no other file has it.","choice":"E"}',
      },
    },
  },
};
