import { installDebianPackages } from '../steps/debian-packages.mjs'
import { preparePackaging } from './packaging.mjs'

/**
 * A group of long proofs: kills, outages, floods, packages, other browsers. `files` are folders and files of tests, `code`
 * are the folders and files whose changes can break what the group proves. `minutes` is the usual duration on two idle
 * cores, at most 15. `project` is that of vitest, whose tests are all in the group if it names no files. `prepare` installs
 * what only this group needs.
 *
 * @typedef {{ proves: string, project?: string, files: string[], code: string[], minutes: number, alone?: boolean, prepare?: () => Promise<void> }} Group
 */

const server = (/** @type {string[]} */ ...folders) => folders.map(folder => `packages/server/src/${folder}`)

/** Everything between a change of a session and those who see it. */
const sessions = [...server('sessions', 'control'), 'packages/control-client', 'packages/protocol/src']

/**
 * What `npm run test:endurance` runs. Each group with `alone` has stories in which seconds count: its files run one after
 * the other.
 *
 * @type {Record<string, Group>}
 */
export const groups = {
  recording: {
    proves: 'recordings survive kills, full disks, and the loss of the network, the bucket or the recorder',
    files: ['e2e/endurance/recording'],
    code: ['packages/recorder', 'packages/worker-kit', ...server('records')],
    minutes: 8,
    alone: true,
  },
  recovery: {
    proves: 'people and commands continue after outages of the network and of the server, however long',
    files: ['e2e/endurance/recovery'],
    code: [...sessions, 'packages/web/src/call', 'packages/web/src/control'],
    minutes: 8,
  },
  media: {
    proves: 'every codec, device, network path, layout and load of media, and its charts',
    files: ['e2e/endurance/media'],
    code: [
      ...server('media'),
      'packages/web/src/call/media',
      'packages/web/src/devices',
      'packages/web/src/room/stage',
      'setup/media-worker',
    ],
    minutes: 10,
    alone: true,
  },
  cluster: {
    proves: 'a cluster loses nothing when servers, media nodes, PostgreSQL or NATS fail',
    files: ['e2e/endurance/cluster'],
    code: [...server('cluster', 'platform/db', 'compose'), ...sessions],
    minutes: 12,
  },
  chaos: {
    proves: 'random kills of every process during lessons lose, duplicate and revert nothing',
    files: ['e2e/endurance/chaos'],
    code: [...server('records', 'partners'), ...sessions, 'packages/recorder', 'packages/transcriber'],
    minutes: 6,
  },
  delivery: {
    proves: 'webhooks, events, pushes, messages and audit entries are delivered once, whatever is killed',
    files: ['e2e/endurance/delivery'],
    code: [
      ...server('partners', 'messaging', 'platform', 'operations/audit'),
      'clients',
      'examples',
      'packages/partner',
    ],
    minutes: 7,
  },
  floods: {
    proves: 'hostile and numerous clients degrade nobody else, and memory stays flat',
    files: ['e2e/endurance/floods'],
    code: [...server('control', 'http', 'media', 'platform'), 'packages/protocol/src'],
    minutes: 6,
    alone: true,
  },
  firefox: {
    proves: 'calls, recording, push and refused devices in Firefox',
    files: ['e2e/endurance/firefox'],
    code: ['packages/web', ...server('messaging/push', 'media')],
    minutes: 5,
  },
  pages: {
    proves:
      'pages of users as a whole, in Arabic and by keyboard; rooms in frames of a browser that blocks storage',
    files: ['e2e/endurance/pages'],
    code: ['packages/web'],
    minutes: 2,
  },
  packages: {
    proves: 'package and image install, run, upgrade and go on Debian 12 and 13; services stop and start',
    files: ['e2e/endurance/packages'],
    code: ['deploy', 'docs/school-server.md', 'setup/packaging', 'packages/cli', 'package-lock.json'],
    minutes: 10,
    prepare: preparePackaging,
  },
  speech: {
    proves: 'transcripts are complete, also after kills',
    files: ['e2e/endurance/speech'],
    code: ['packages/transcriber', 'packages/worker-kit', ...server('records/jobs')],
    minutes: 5,
  },
  office: {
    proves: 'hostile office documents harm nothing, and others become slides, also after kills',
    files: ['e2e/endurance/office'],
    code: ['packages/converter', ...server('records/files')],
    minutes: 4,
    // 300 MB, for this group alone.
    prepare: () => installDebianPackages(['libreoffice-impress-nogui', 'libreoffice-writer-nogui']),
  },
  'long-runs': {
    proves:
      'rules hold in long random runs, with thousands of rows, over simulated months, and while PostgreSQL fails',
    files: ['.endurance.test.ts', 'fuzz.test.ts', 'database-leases.test.ts'],
    code: ['packages'],
    minutes: 5,
  },
  postgres: {
    proves: 'whole servers behave on PostgreSQL as they do on SQLite',
    project: 'endurance-postgres',
    files: [],
    code: server('platform/db', 'accounts', 'control', 'messaging', 'partners', 'records', 'sessions'),
    minutes: 1,
  },
  'media-node': {
    proves: 'media on a media node behave as those in the process of the server',
    project: 'endurance-media-node',
    files: [],
    code: server('media', 'cluster/media'),
    minutes: 1,
  },
  benchmarks: {
    proves: 'every benchmark starts and prints its result',
    files: ['bench/smoke.spec.ts'],
    code: ['bench'],
    minutes: 12,
    alone: true,
  },
}
