/**
 * `node scripts/record-demo.ts`: writes src/adapters/llm/demo-cassette.ts anew. To be run when the words of the agent's
 * questions changed: a recorded answer is found by the exact question.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { recordDemo } from '../tests/fixtures/demo-recording.ts';

const file = fileURLToPath(new URL('../src/adapters/llm/demo-cassette.ts', import.meta.url));
const text = `/** What was "said" in the demonstration. Written by \`node scripts/record-demo.ts\`; do not edit. */
import type { Cassette } from './recorded.ts';

export const DEMO_CASSETTE: Cassette = ${JSON.stringify(await recordDemo())};
`;
writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser: 'typescript' }));
console.log(`written: ${file}`);
