/**
 * Who may know whom. Arrows point inward: routes -> ui -> core and the browser's database (its type);
 * workers, server, cli -> adapters -> core. Values of adapters are made in few places, types go anywhere.
 */

/** Pure libraries: they run in a worker, in Node and in tests alike. */
const PURE = [
  'valibot',
  '@valibot/to-json-schema',
  'jsonrepair',
  'nanoid',
  'transliteration',
  'fastest-levenshtein',
  'hash-wasm',
];
const LANES = 'music|video|documents|ask|health|playbook';
/** The only files that build adapters. */
const BUILDERS = [
  '^workers/[^/]+\\.worker\\.ts$',
  '^src/server/main\\.ts$',
  '^src/cli/main\\.ts$',
  '^src/ui/(client|db|catalog-door|blobs|model-door|video/door)\\.ts$',
];

/**
 * A room and everything in this project that it may import.
 *
 * @param {string} name
 * @param {string} from
 * @param {string[]} allowed
 * @param {string} comment
 */
const room = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|workers|tests|scripts)/', pathNot: allowed },
});

module.exports = {
  forbidden: [
    room('core-knows-only-core', '^src/core/', ['^src/core/'], 'core is the inside: it knows nobody.'),
    room('adapters-know-core', '^src/adapters/', ['^src/(core|adapters)/'], 'adapters -> core.'),
    room(
      'server-knows-core',
      '^src/server/(?!main\\.ts$)',
      ['^src/(core|server)/'],
      'server -> core; main.ts hands it its adapters.',
    ),
    room('server-main', '^src/server/main\\.ts$', ['^src/(core|server|adapters)/'], 'main builds the server.'),
    room(
      'cli-knows-core-and-adapters',
      '^src/cli/',
      ['^src/(core|adapters|cli|server)/'],
      'cli -> core, adapters, the server it starts.',
    ),
    room(
      'workers-know-core-and-adapters',
      '^workers/',
      ['^src/(core|adapters)/', '^workers/'],
      'workers -> core, adapters.',
    ),
    room(
      'ui-knows-core-and-browser',
      '^src/ui/(?!(client|db|catalog-door|blobs|model-door|video/door)\\.ts$)',
      ['^src/(core|ui)/', '^src/adapters/browser/(db|api)\\.ts$'],
      'ui -> core, browser db and api.',
    ),
    room(
      'ui-builders',
      '^src/ui/(client|db|catalog-door|blobs|model-door|video/door)\\.ts$',
      ['^src/(core|ui|adapters)/', '^workers/'],
      'The files through which pages reach the database, the workers, the server and the stored files.',
    ),
    room('routes-know-ui', '^src/routes/', ['^src/(ui|core|routes)/'], 'routes -> ui, core types.'),
    {
      name: 'core-is-pure',
      comment: 'core runs anywhere: only pure libraries, nothing of Node.',
      severity: 'error',
      from: { path: '^src/core/' },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-no-pkg', 'npm-unknown'],
        pathNot: PURE.map((library) => `node_modules/${library}/`),
      },
    },
    {
      name: 'lanes-are-apart',
      comment: 'One lane does not import another; what two need belongs into ingest, job, plan or sync.',
      severity: 'error',
      from: { path: `^src/core/(${LANES})/` },
      to: { path: `^src/core/(${LANES})/`, pathNot: '^src/core/$1/' },
    },
    {
      name: 'few-build-adapters',
      comment:
        'Only *.worker.ts, server/main.ts, cli/main.ts and the page (ui/client, db, catalog-door, blobs, model-door, video/door) construct adapters; others take a port or a type.',
      severity: 'error',
      from: { path: '^(src|workers)/', pathNot: [...BUILDERS, '^src/adapters/'] },
      to: { path: '^src/adapters/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-circles',
      comment: 'Two files that need each other are one thing, or miss a third.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^\\$(app|service-worker|env)/', '^virtual:'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\?(raw|url|worker)$' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['svelte', 'browser', 'import', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.svelte'],
    },
    parser: 'tsc',
  },
};
