import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Tests import our packages from source, so that no test runs against a stale build. */
const alias = [
  { find: /^@lectern\/common$/, replacement: source('packages/common/src/index.ts') },
  { find: /^@lectern\/common\/testing$/, replacement: source('packages/common/src/testing/index.ts') },
  { find: /^@lectern\/protocol$/, replacement: source('packages/protocol/src/index.ts') },
  {
    find: /^@lectern\/protocol\/control$/,
    replacement: source('packages/protocol/src/control/index.ts'),
  },
  {
    find: /^@lectern\/protocol\/control\/client$/,
    replacement: source('packages/protocol/src/control/client.ts'),
  },
  { find: /^@lectern\/board$/, replacement: source('packages/board/src/index.ts') },
  { find: /^@lectern\/control-client$/, replacement: source('packages/control-client/src/index.ts') },
  {
    find: /^@lectern\/control-client\/testing$/,
    replacement: source('packages/control-client/src/testing/index.ts'),
  },
  { find: /^@lectern\/worker-kit$/, replacement: source('packages/worker-kit/src/index.ts') },
  { find: /^@lectern\/embed\/element$/, replacement: source('packages/embed/src/element.ts') },
  { find: /^@lectern\/embed\/messages$/, replacement: source('packages/embed/src/messages.ts') },
  { find: /^@lectern\/partner$/, replacement: source('packages/partner/src/index.ts') },
  { find: /^@lectern\/server\/operator$/, replacement: source('packages/server/src/operator.ts') },
  { find: /^@lectern\/server\/media-node$/, replacement: source('packages/server/src/media-node.ts') },
  { find: /^@lectern\/server$/, replacement: source('packages/server/src/main.ts') },
]

/** Servers that tests start once in a run end with it. */
const sharedServers = source('packages/server/src/testing/test-run.ts')

/** Tests hash hundreds of passwords (decision 92). */
const env = { LECTERN_WEAK_PASSWORD_HASHES: '1' }

/** The CPU time of each file (setup/cpu-time.mjs). */
const threadTime = source('setup/thread-time.mjs')

const unit = {
  env,
  setupFiles: [threadTime],
  globalSetup: [sharedServers],
  pool: 'threads' as const,
  isolate: false, // two hundred files import much the same
  maxWorkers: 5, // each imports it again, but they wait for servers most of the time
  // How long something takes is for bench/ to say; a busy machine must not fail a test.
  expect: { poll: { timeout: 100_000, interval: 20 } },
  testTimeout: 240_000,
  hookTimeout: 240_000,
}

/** For what runs in Node: it imports our sources itself, which costs less than to have Vite transform them. */
const node = {
  execArgv: ['--import', new URL('setup/import-sources.mjs', import.meta.url).href],
  experimental: { viteModuleRunner: false, nodeLoader: false },
}

const inNode = { ...unit, ...node }
const inNodeOnPostgres = { ...inNode, env: { ...env, LECTERN_TEST_DB: 'postgres' } }

/** Packages of pages, with JSX and styles. */
const ofPages = 'packages/{embed,web}/src/**/*.test.{ts,tsx}'
const notUnit = ['**/node_modules/**', '**/*.{endurance,component}.test.{ts,tsx}']

/** Tests of components of the pages in a real browser, without a server. */
const components = ['**/*.component.test.tsx']

/** As in e2e/support/browser.ts; and sound plays without a click, which tests of components need not make. */
const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--autoplay-policy=no-user-gesture-required',
]

/** Unit tests with fixed seeds, of which the endurance suite runs more, and others each time. */
const withSeeds = ['packages/*/src/**/{fuzz,messaging-fuzz,database-leases}.test.ts']

/** Whole servers that run on PostgreSQL, too: of its triggers and locks, and of what several transactions see of each other. */
const onPostgres = testsOf({
  'control/commands': ['jobs'],
  'partners/v2': ['events'],
  sessions: ['participants/membership'],
})

/** All others, whose stores have contract suites on both databases: the endurance suite runs them on PostgreSQL. */
const rarelyOnPostgres = testsOf({
  'control/commands': ['calls', 'commands', 'contacts', 'lobby', 'messages', 'transcription'],
  'control/socket': ['revocation'],
  'control/v2': ['streams', 'superseded', 'sync'],
  'records/routes/files': ['files'],
  'messaging/calls': ['calls'],
  'messaging/routes/members': ['routes'],
  'partners/v2': ['apart', 'deletion', 'owners', 'rooms'],
  'partners/routes': [
    'owners',
    'participants',
    'room-list',
    'rooms-change',
    'rooms-create',
    'rooms-status',
    'webhook-tools',
  ],
  sessions: ['chat', 'lifecycle/ending', 'lobby/lobby'],
})

/** Tests that the endurance suite runs with the media server on a media node, too. */
const onMediaNode = testsOf({ media: ['publishing', 'subscribing', 'sfu-room', 'rtp-egress', 'hostile'] })

/** The files of tests of the server by folder. One that has moved must not be left out without a word. */
function testsOf(names: Record<string, string[]>): string[] {
  const files = Object.entries(names).flatMap(([folder, each]) =>
    each.map(name => `packages/server/src/${folder}/${name}.test.ts`),
  )
  for (const file of files) if (!existsSync(source(file))) throw new Error(`${file} is not there any more.`)
  return files
}

const stories = {
  ...node,
  env,
  globalSetup: [sharedServers],
  setupFiles: [source('setup/test-file.mjs')],
  // Each file has a service of its own, and nothing else is shared but what is imported.
  isolate: false,
  // Limits end only what hangs, as HANGS_AFTER_MS in e2e/support/wait.ts does.
  expect: { poll: { timeout: 150_000, interval: 100 } },
  testTimeout: 600_000,
  hookTimeout: 600_000,
}

/** Stories that take longer than the size of their file suggests. */
const long = ['cluster', 'kills', 'network', 'firefox'].map(name => source(`e2e/${name}.spec.ts`))

/** Without results of an earlier run vitest begins with the largest files. None may be left to run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => long.includes(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Vitest reads it from here only: a cold cache of dependencies takes longer on a busy machine.
    browser: { connectTimeout: 240_000 },
    projects: [
      {
        test: {
          ...inNode,
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'setup/**/*.test.mjs'],
          exclude: [ofPages, ...notUnit],
        },
      },
      {
        root: source('packages/web'),
        define: { __VERSION__: JSON.stringify('0.0.0') },
        resolve: { alias },
        // All at once: what is found later reloads the page of the tests.
        optimizeDeps: {
          entries: ['src/**/*.{ts,tsx}', '!src/**/!(*.component).test.{ts,tsx}', '!src/docs/**'],
          include: ['react/jsx-dev-runtime', 'react-dom/client', 'vitest-browser-react', 'axe-core'],
        },
        test: {
          name: 'components',
          include: components,
          setupFiles: [source('packages/web/src/testing/setup.ts')],
          isolate: false,
          // One page, on one core: the unit tests run beside it, if they have as many workers.
          maxWorkers: unit.maxWorkers,
          // Limits end only what hangs.
          expect: { poll: { timeout: 100_000, interval: 10 } },
          testTimeout: 240_000,
          browser: {
            enabled: true,
            fileParallelism: false,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: '/usr/bin/chromium-headless-shell', args: browserArguments },
              contextOptions: {
                locale: 'en-GB',
                timezoneId: 'Europe/Berlin',
                reducedMotion: 'reduce',
                permissions: ['clipboard-read', 'clipboard-write'],
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        resolve: { alias },
        test: { ...unit, name: 'unit-pages', include: [ofPages], exclude: notUnit },
      },
      {
        test: {
          ...inNodeOnPostgres,
          name: 'unit-postgres',
          include: onPostgres,
        },
      },
      {
        test: {
          ...stories,
          name: 'e2e',
          include: ['e2e/*.spec.ts'],
          // Two leave a fast machine idle for a third of the time, and on a slow one three are not much slower than two.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...stories,
          name: 'endurance',
          include: [
            'e2e/endurance/**/*.spec.ts',
            'packages/*/src/**/*.endurance.test.ts',
            ...withSeeds,
            'bench/smoke.spec.ts',
          ],
          env: { ...env, LECTERN_FUZZ_ROUNDS: process.env.LECTERN_FUZZ_ROUNDS ?? '6' },
          maxWorkers: Number(process.env.LECTERN_TEST_WORKERS ?? 2),
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...inNodeOnPostgres,
          name: 'endurance-postgres',
          include: rarelyOnPostgres,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...inNode,
          name: 'endurance-media-node',
          include: onMediaNode,
          setupFiles: [threadTime, source('packages/server/src/testing/on-media-node.ts')],
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
