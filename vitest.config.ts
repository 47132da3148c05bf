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
  { find: /^@lectern\/control-client$/, replacement: source('packages/control-client/src/index.ts') },
  {
    find: /^@lectern\/control-client\/testing$/,
    replacement: source('packages/control-client/src/testing/index.ts'),
  },
  { find: /^@lectern\/worker-kit$/, replacement: source('packages/worker-kit/src/index.ts') },
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

const unit = {
  env,
  globalSetup: [sharedServers],
  pool: 'threads' as const,
  isolate: false, // two hundred files import much the same
  maxWorkers: 4, // they wait for servers, too
  // How long something takes is for bench/ to say; a busy machine must not fail a test.
  expect: { poll: { timeout: 100_000, interval: 20 } },
  testTimeout: 240_000,
  hookTimeout: 240_000,
}

/** Tests of components of the pages in a real browser, without a server. */
const components = ['**/*.component.test.tsx']

const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--autoplay-policy=no-user-gesture-required',
]

/** Tests that run on PostgreSQL, too: whole servers and their parts where the database may make a difference. */
const onPostgres = [
  'calls/calls',
  'control/commands/{calls,commands,contacts,jobs,lobby,messages,transcription}',
  'control/socket/revocation',
  'control/v2/{streams,superseded,sync}',
  'http/members/routes',
  'integration/routes/{owners,participants,room-list,rooms-*,webhook-tools}',
  'sessions/{chat,ending,lobby,membership}',
].map(files => `packages/server/src/${files}.test.ts`)

/** Tests that also run with the media server on a media node. */
const onMediaNode = ['publishing', 'subscribing', 'sfu-room', 'rtp-egress', 'hostile'].map(
  file => `packages/server/src/media/${file}.test.ts`,
)

const stories = {
  env,
  globalSetup: [sharedServers],
  include: ['e2e/**/*.spec.ts'],
  // Each file has a service of its own, and nothing else is shared but what is imported.
  isolate: false,
  // Limits end only what hangs, as HANGS_AFTER_MS in e2e/support/wait.ts does.
  expect: { poll: { timeout: 150_000, interval: 100 } },
  testTimeout: 600_000,
  hookTimeout: 600_000,
}

/** Stories in which seconds count: nothing else runs beside them. */
const alone = ['full-disk', 'media-layers', 'recording-survival'].map(name => `e2e/${name}.spec.ts`)

/** Stories in Debian's Firefox, which takes more of the processor than Chromium's shell. */
const firefox = ['e2e/firefox*.spec.ts']

/** Stories that take longer than the size of their file suggests. */
const long = [
  'cluster',
  'recovery-network',
  'recovery-server',
  'media-devices',
  'media-resilience',
  'admission',
  'chaos',
].map(name => source(`e2e/${name}.spec.ts`))

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
    // Read from here only: dependencies of components may not be in the cache yet, on a busy machine.
    browser: { connectTimeout: 240_000 },
    projects: [
      {
        resolve: { alias },
        test: {
          ...unit,
          name: 'unit',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'setup/**/*.test.mjs'],
          exclude: components,
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
          fileParallelism: false,
          testTimeout: 120_000,
          expect: { poll: { timeout: 20_000, interval: 10 } },
          browser: {
            enabled: true,
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
        test: {
          ...unit,
          name: 'unit-postgres',
          include: onPostgres,
          env: { ...env, LECTERN_TEST_DB: 'postgres' },
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve: { alias },
        test: {
          ...unit,
          name: 'unit-media-node',
          include: onMediaNode,
          setupFiles: [source('packages/server/src/testing/on-media-node.ts')],
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve: { alias },
        test: {
          ...stories,
          name: 'e2e',
          exclude: [...alone, ...firefox],
          // Two leave a fast machine idle for a third of the time, and on a slow one three are not much slower than two.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        resolve: { alias },
        test: { ...stories, name: 'e2e-alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 3 } },
      },
      {
        resolve: { alias },
        test: {
          ...stories,
          name: 'e2e-firefox',
          include: firefox,
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
