/** What was "said" in the demonstration. Written by `node scripts/record-demo.ts`; do not edit. */
import type { Cassette } from './recorded.ts';

export const DEMO_CASSETTE: Cassette = {
  version: 1,
  model: 'demo',
  answers: {
    de1574522fd30f4f599f095f0b27ff3267d698cb00d6d172d84fd43bd4ab8bce: {
      finish_reason: 'stop',
      usage: { tokens_in: null, tokens_out: null, milliseconds: 0 },
      message: {
        role: 'assistant',
        content: '{"why":"Its length, 2:56, is that of this track, and no other file has it.","choice":"A"}',
      },
    },
    '8cc9025865372d191c3b321db39161e5550b1887c6cfd8522617771246abdf92': {
      finish_reason: 'stop',
      usage: { tokens_in: null, tokens_out: null, milliseconds: 0 },
      message: {
        role: 'assistant',
        content: '{"why":"Its length, 2:56, is that of this track, and no other file has it.","choice":"E"}',
      },
    },
  },
};
