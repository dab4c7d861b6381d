import type { ShippedPlaybook } from './shipped.types.ts';

/** A long text in four stages: an outline, a prompt for each section, the sections, and all of them in one file. */
export const FOUR_STAGES: ShippedPlaybook = {
  id: 'four-stages',
  name: 'A manual in four stages',
  about: 'Makes an outline, then a prompt for each section, then the sections, then one file of all. It needs a model.',
  text: `playbook: 1
name: four-stages
description: A manual in four stages, with the answers of each in a file that the next one reads.
config:
  required: [title]
  defaults: { readers: people who are new to it, sections: 4, words: 250 }
steps:
  - name: outline
    model: large
    answer_division: array
    count: '{config:sections}'
    instruction_user_prompt: |
      Make an outline of a manual with the title "{config:title}" for {config:readers}.
      Answer with a JSON array of exactly {config:sections} objects with the keys heading and about.
    output: stage/outline.json
    output_format: { heading: '{output::heading}', about: '{output::about}' }
  - name: prompts
    model: large
    input: stage/outline.json
    multiple_parts: true
    parallel: 4
    instruction_user_prompt: |
      Write the instruction for a writer of the section "{this::heading}" ({this::about}) of the manual
      "{config:title}": what must be said, in which order. At most eight sentences.
    output: stage/prompts.json
    output_format: { '...': '{this}', prompt: '{output}' }
  - name: sections
    model: large
    input: stage/prompts.json
    multiple_parts: true
    parallel: 4
    system_prompt: You write plain manuals. Answer with the section alone, in Markdown, without its heading.
    instruction_user_prompt: |
      {this::prompt}
      Write about {config:words} words.
    output: stage/sections.json
    output_format: { heading: '{this::heading}', text: '{output}' }
  - name: merge
    model: large
    input: stage/sections.json
    instruction_user_prompt: |
      Put these sections together to one Markdown document with the title "{config:title}". Mend what is said twice:
      {this}
    output: manual.md
`,
  values: { title: 'Keeping bees on a roof' },
  files: {},
  answers: null,
};
