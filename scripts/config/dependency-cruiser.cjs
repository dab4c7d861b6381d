/**
 * Who may know whom. Arrows point inward: lanes -> engine, adapters and the frame of their own side (server, cli, ui);
 * the frame -> engine. Neither the engine nor the frame knows a lane: the composition roots put them together. Values of
 * adapters are made in few places, types go anywhere. `npm run house` counts what these rules forbid.
 */

/** Pure libraries: they run in a worker, in Node and in tests alike. */
const PURE = [
  'valibot',
  '@valibot/to-json-schema',
  '@cfworker/json-schema',
  '@xmldom/xmldom',
  'jsonrepair',
  'nanoid',
  'saxes',
  'entities',
  'transliteration',
  'fastest-levenshtein',
  'fflate',
  'hash-wasm',
  'htmlparser2',
  'ignore',
  'picomatch',
  'proj4',
  'stemmer',
  'yaml',
];
/** The list of lanes: all that the composition roots know of them. */
const LANE_LIST = '^src/lanes/lanes?\\.ts$';
/** The same for what runs in a browser: the database with every lane's tables, and the parts for its workers. */
const BROWSER_LANES = '^src/lanes/(database|browser-lanes)\\.ts$';
/** What anybody may read: descriptors, which load the rest when it is asked for, and types. */
const DESCRIPTORS = ['^src/adapters/llm/providers/', '^src/adapters/models/(engines|model-api)\\.ts$'];
/** Readers of bytes and of addresses: they hold nothing and reach nobody. */
const PARSERS =
  '^src/adapters/(media/(ogg/ogg-vorbis|legacy-text|picture-type|vorbis-comment)|node/public-address)\\.ts$';
/** What runs in a browser alone. */
const BROWSER = [
  '^src/adapters/browser/',
  '^src/(ui|routes|service-worker)/',
  '^workers/',
  '^src/lanes/[^/]+/(browser|ui)/',
  BROWSER_LANES,
];
/**
 * The only files that build adapters: the roots, the pages' clients, a lane's own parts for browser and Node, and the
 * evaluation, which is a program of its own.
 */
const BUILDERS = [
  '^workers/[^/]+\\.worker\\.ts$',
  '^src/(server/(main|beside-process\\.main|(search|snapshot)-process\\.main|processes/reading-process)|cli/(main|open-worker|open-kept|open-sources))\\.ts$',
  BROWSER_LANES,
  '^src/ui/client/',
  '^src/lanes/[^/]+/(?!core/|server/|cli/|ui/)[^/]+/',
  '^src/lanes/[^/]+/(server|cli|ui)/lane-(server|cli|ui)\\.ts$',
  '^src/lanes/[^/]+/ui/client\\.ts$',
  '^src/lanes/[^/]+/cli/eval/',
];

/**
 * A room and everything in this project that it may import.
 *
 * @param {string} name
 * @param {string} from
 * @param {string[]} allowed
 * @param {string} comment
 * @param {string[]} [but] files of the room for which it does not hold
 */
const room = (name, from, allowed, comment, but = []) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, ...(but.length > 0 ? { pathNot: but } : {}) },
  to: { path: '^(src|workers|tests|scripts)/', pathNot: allowed },
});

/**
 * A side of a lane: the engine, adapters, the lane itself, and the frame of that side.
 *
 * @param {string} side
 * @param {string[]} frame
 */
const laneSide = (side, frame) =>
  room(
    `lane-${side}`,
    `^src/lanes/[^/]+/${side}/`,
    ['^src/(core|adapters|lanes)/', ...frame],
    `A lane's ${side} -> engine, adapters, its lane, the frame of ${side}.`,
  );

module.exports = {
  forbidden: [
    room('engine-knows-only-itself', '^src/core/', ['^src/core/'], 'The engine is the inside: it knows nobody.'),
    room('adapters-know-the-engine', '^src/adapters/', ['^src/(core|adapters)/'], 'adapters -> core.'),
    room(
      'server-knows-the-engine',
      '^src/server/',
      ['^src/(core|server)/', ...DESCRIPTORS],
      'server -> core; main.ts hands it its adapters and lanes, also in processes that are begun there.',
      ['^src/server/(((beside|search|snapshot)-process\\.)?main|processes/reading-process)\\.ts$'],
    ),
    room(
      'cli-knows-the-engine',
      '^src/cli/',
      ['^src/(core|adapters|cli|server)/'],
      'cli -> core, adapters, the server it starts; main.ts hands it its lanes.',
      ['^src/cli/main\\.ts$'],
    ),
    room(
      'ui-knows-the-engine',
      '^src/ui/',
      ['^src/(core|ui)/', '^src/adapters/browser/(db|api|lane-browser)\\.ts$', ...DESCRIPTORS],
      'ui -> core, types of the database and of the workers.',
      ['^src/ui/client/'],
    ),
    room(
      'ui-clients',
      '^src/ui/client/',
      ['^src/(core|ui|adapters)/', '^workers/'],
      'Through these pages reach the database, the workers, the server and the stored files.',
    ),
    room('routes-know-ui', '^src/routes/', ['^src/(ui|core|routes)/', LANE_LIST], 'routes -> ui, core, the lanes.'),
    room(
      'workers',
      '^workers/',
      ['^src/(core|adapters)/', '^workers/', LANE_LIST, BROWSER_LANES, '^src/lanes/[^/]+/browser/'],
      "Workers build adapters and lanes, or a lane's own part that runs in a worker.",
    ),
    room('server-main', '^src/server/main\\.ts$', ['^src/(core|server|adapters)/', LANE_LIST], 'It builds the server.'),
    room('cli-main', '^src/cli/main\\.ts$', ['^src/(core|server|adapters|cli)/', LANE_LIST], 'It builds commands.'),
    {
      name: 'lanes-are-apart',
      comment: 'What two lanes need is of no lane, or goes through a port.',
      severity: 'error',
      from: { path: '^src/lanes/([^/]+)/' },
      to: { path: '^src/lanes/[^/]+/', pathNot: '^src/lanes/$1/' },
    },
    room(
      'lane-core',
      '^src/lanes/([^/]+)/core/',
      ['^src/core/', '^src/lanes/$1/core/'],
      "A lane's core is as pure as the engine.",
    ),
    room(
      'lane-adapters',
      '^src/lanes/[^/]+/(?!core/|node/|server/|cli/|ui/)[^/]+/',
      ['^src/(core|adapters|lanes)/'],
      "A lane's other folders (browser, node, ...) are its adapters.",
    ),
    laneSide('node', ['^src/cli/lane-cli\\.ts$']),
    laneSide('server', ['^src/server/']),
    laneSide('cli', ['^src/(cli|server)/']),
    laneSide('ui', ['^src/ui/', '^workers/']),
    {
      name: 'the-browser-is-the-browsers',
      comment: 'What only a browser has is imported by what runs there.',
      severity: 'error',
      from: { path: '^(src|workers)/', pathNot: [...BROWSER, '^src/lanes/(lanes?|[^/]+/lane)\\.ts$'] },
      to: { path: ['^src/adapters/browser/', '^src/lanes/[^/]+/(browser|ui)/'] },
    },
    {
      name: 'the-engine-is-pure',
      comment: 'It runs anywhere: only pure libraries, nothing of Node.',
      severity: 'error',
      from: { path: ['^src/core/', '^src/lanes/[^/]+/core/'] },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-no-pkg', 'npm-unknown'],
        pathNot: PURE.map((library) => `node_modules/${library}/`),
      },
    },
    {
      name: 'few-build-adapters',
      comment: 'Others take a port or a type.',
      severity: 'error',
      from: { path: '^(src|workers)/', pathNot: [...BUILDERS, '^src/adapters/'] },
      to: { path: '^src/adapters/', pathNot: [...DESCRIPTORS, PARSERS], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-circles',
      comment: 'Two files that need each other, be it for a type, are one thing, or miss a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
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
      // Not `browser`: an import of what Node alone has would be seen as one of the empty module that stands in for it.
      conditionNames: ['svelte', 'import', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.svelte'],
    },
    parser: 'tsc',
  },
};
