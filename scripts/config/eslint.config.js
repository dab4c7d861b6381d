/** Sense, not form (Prettier has that). The rules that need types are in oxlint.json. */
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

const SCRIPTS = ['scripts/**'];

/** What may run in a worker or a page. */
const BROWSER = ['src/{core,adapters,ui}/**', 'src/lanes/*/!(cli|server|node)/**', 'workers/**'];
const NO_AWAIT_IN_MODULES = {
  selector: ':not(:function, :function *) > AwaitExpression',
  message: 'A worker whose modules await loses the messages that arrive in the meantime.',
};

/** The job stores, and the engine's part that makes and changes jobs; the same list as in scripts/house/job-writes.ts. */
const JOB_WRITERS = [
  'src/core/job/{transitions,apply,new-job,stored-job}.ts',
  'src/adapters/{browser,memory}/job-store.ts',
];
const WRITES = 'callee.property.name=/^(put|add|update|modify|bulkPut|bulkAdd|bulkUpdate)$/';
const NO_JOB_WRITES = [
  {
    selector: `CallExpression[${WRITES}] > MemberExpression.callee MemberExpression.object[property.name="jobs"]`,
    message: 'A job is written by its events alone: core/job/apply.ts.',
  },
  {
    selector: 'CallExpression > MemberExpression.callee[property.name="putJob"]',
    message: 'A job is written by its events alone: core/job/apply.ts.',
  },
  {
    selector: 'ObjectExpression:has(> Property[key.name="status"]):has(> Property[key.name="phase"])',
    message: 'A job is made by core/job/new-job.ts, and its phase is changed by its events: core/job/apply.ts.',
  },
];
/** @type {import('eslint').Linter.Config[]} */
const JOB_WRITES = [
  { files: ['src/{server,cli,lanes}/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...NO_JOB_WRITES] } },
  {
    files: BROWSER,
    ignores: JOB_WRITERS,
    rules: { 'no-restricted-syntax': ['error', NO_AWAIT_IN_MODULES, ...NO_JOB_WRITES] },
  },
];

export default ts.config(
  { ignores: ['.cache/', '.svelte-kit/', 'build/', 'data/', 'node_modules/', 'test-results/'] },
  // A rule that is wrong in one place is wrong: comments cannot switch it off.
  { linterOptions: { noInlineConfig: true } },
  js.configs.recommended,
  ts.configs.strict,
  svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': ['error', { allow: ['error'] }],
      'no-undef': 'off',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'] }],
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^\\.{1,2}/(?:.*/)?[^.]+$', message: 'Imports carry their suffix (.ts).' }] },
      ],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'svelte/no-at-html-tags': 'error',
    },
  },
  { files: ['**/*.svelte'], languageOptions: { parserOptions: { parser: ts.parser } } },
  { files: ['**/*.ts'], languageOptions: { parser: ts.parser } },
  {
    // What runs in a terminal talks to it.
    files: [...SCRIPTS, 'src/cli/**', 'src/lanes/*/cli/**', 'src/server/main.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: BROWSER,
    rules: {
      'no-restricted-syntax': ['error', NO_AWAIT_IN_MODULES],
    },
  },
  ...JOB_WRITES,
  {
    files: ['tests/**'],
    rules: {
      '@typescript-eslint/no-dynamic-delete': 'off',
      // Playwright reads the first parameter's pattern to know what a fixture needs: `{}` is nothing.
      'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(skip|only|todo|fails|fixme)$/]',
          message: 'Every test runs.',
        },
        {
          selector: 'CallExpression[callee.property.name="waitForTimeout"]',
          message: 'Wait for what must come, not for time.',
        },
      ],
    },
  },
);
