import type { ShippedPlaybook } from './shipped.types.ts';

const NOTES = [
  'The winch of the Tern squeals when it is cold.',
  'Ask the harbour office about the berth before Friday.',
  'Two visitors said that the path to the light is lovely.',
  'The heater in the radio room went out again last night.',
];

const SORTED = [
  { kind: 'repair', urgent: false, short: 'Grease the winch of the Tern.' },
  { kind: 'errand', urgent: true, short: 'Ask about the berth before Friday.' },
  { kind: 'praise', urgent: false, short: 'Visitors like the path to the light.' },
  { kind: 'repair', urgent: true, short: 'Mend the heater of the radio room.' },
];

/** The one of *Try it*: four notes are sorted, and a letter is written of them. */
export const SORT_NOTES: ShippedPlaybook = {
  id: 'sort-notes',
  name: 'Sort notes',
  about: 'Reads notes, says of each what it is, and writes a short letter of all.',
  text: `playbook: 1
name: sort-notes
description: Says of each note what it is, then writes a letter of all.
config:
  defaults: { sign: The keeper }
steps:
  - name: sort
    model: small
    input: notes.json
    multiple_parts: true
    parallel: 2
    system_prompt: You sort the notes of a lighthouse.
    instruction_user_prompt: |
      Say of this note what it is, as JSON with the keys kind (repair, errand or praise), urgent and short:
      {this}
    answer:
      type: object
      properties:
        kind: { enum: [repair, errand, praise] }
        urgent: { type: boolean }
        short: { type: string }
      required: [kind, urgent, short]
    output: sorted.json
    output_format: { note: '{this}', kind: '{output::kind}', urgent: '{output::urgent}', short: '{output::short}' }
  - name: letter
    model: small
    input: sorted.json
    instruction_user_prompt: |
      Write a letter of at most five lines about these notes, what is urgent first, signed "{config:sign}":
      {this}
    output: letter.md
`,
  values: {},
  files: { 'notes.json': `${JSON.stringify(NOTES, null, 2)}\n` },
  answers: {
    sort: SORTED.map((one) => JSON.stringify(one)),
    letter: [
      'Dear all,\n\nthe heater of the radio room must be mended, and the harbour office asked about the berth before Friday. The winch of the Tern wants grease. Visitors like the path to the light.\n\nThe keeper',
    ],
  },
};
