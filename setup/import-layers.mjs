/** Which package and which folder of the server may import which. Each imports only what the table lists above it. */

/** Packages, lowest layer first. `(types)`: with `import type` only. @type {Record<string, string[]>} */
export const packages = {
  common: [],
  protocol: [],
  partner: [],
  embed: [],
  board: ['protocol (types)'],
  'control-client': ['common', 'protocol'],
  'worker-kit': ['common', 'protocol', 'control-client'],
  recorder: ['common', 'protocol', 'board', 'worker-kit'],
  transcriber: ['common', 'protocol', 'worker-kit'],
  converter: ['common', 'protocol', 'worker-kit'],
  web: ['common', 'protocol', 'board', 'control-client', 'embed'],
  server: ['common', 'protocol', 'control-client'],
  cli: ['common', 'protocol', 'server', 'partner'],
}

/** Files and folders of the server that choose implementations: the service and the operator's commands. They import anything. */
export const composition = ['main.ts', 'media-node.ts', 'operator.ts', 'compose']

const belowRoutes = [
  'http',
  'operations/audit (ports)',
  'accounts',
  'accounts/sso',
  'platform/config',
  'messaging',
  'messaging/missed-calls',
  'sessions',
  'messaging/directory',
  'records/jobs',
  'records',
  'control',
  'media (ports)',
  'media/sdp',
  'media/whip',
]

/**
 * Layers of the server, lowest first: folders, files, and two layers that are spread over the features, `routes` and
 * `stores`. A file belongs to the longest name that its path begins with; in a feature's `routes/` or `stores/`, to that layer.
 * All of them may import `platform`, which imports none of them. `(ports)`: types of its ports.ts only, because the folder
 * implements them.
 *
 * @type {Record<string, string[]>}
 */
export const serverFolders = {
  'platform/config': [],
  platform: ['platform/config'],
  'platform/delivery': [],
  'platform/mail': [],
  'operations/audit': [],
  accounts: [],
  sessions: [],
  'accounts/sso': ['accounts'],
  'control/streams': ['accounts', 'sessions'],
  'messaging/directory': ['accounts', 'sessions'],
  'records/jobs': ['accounts', 'sessions'],
  records: ['accounts', 'records/jobs'],
  media: ['sessions'],
  'messaging/calls': ['accounts', 'control/streams'],
  messaging: ['accounts', 'sessions', 'control/streams'],
  'messaging/missed-calls': ['accounts', 'platform/delivery', 'platform/mail'],
  cluster: ['platform/config', 'sessions', 'control/streams', 'media', 'messaging (ports)'],
  'media/sdp': ['media'],
  'media/turn': ['platform/config', 'records/jobs'],
  control: [
    'accounts',
    'messaging/calls',
    'platform/config',
    'messaging',
    'sessions',
    'control/streams',
    'records/jobs',
    'media (ports)',
    'media/sdp',
  ],
  'media/whip': ['accounts', 'control', 'media/sdp'],
  http: ['operations/audit (ports)', 'accounts', 'platform/config', 'sessions'],
  routes: belowRoutes,
  'http/index.ts': [...belowRoutes, 'routes'],
  'operations/telemetry': ['http'],
  'http/server.ts': [
    'http',
    'http/index.ts',
    'routes',
    'platform/config',
    'operations/telemetry',
    'media/turn',
  ],
  'messaging/push': ['accounts', 'platform/config', 'platform/delivery'],
  partners: ['accounts', 'sessions', 'http', 'routes', 'platform/delivery', 'records (ports)'],
  'records/storage': ['platform/config', 'records (ports)'],
  'operations/operator': [
    'operations/audit',
    'accounts',
    'records',
    'partners',
    'messaging/push',
    'platform/delivery',
  ],
  'operations/admin': [
    'operations/audit',
    'accounts',
    'sessions',
    'records/jobs',
    'records',
    'media',
    'http',
    'partners',
    'messaging/push (ports)',
    'operations/operator',
  ],
  'platform/db': ['platform/config'],
  stores: [
    'operations/audit',
    'operations/admin',
    'accounts',
    'accounts/sso',
    'messaging/calls',
    'messaging',
    'sessions',
    'cluster',
    'messaging/directory',
    'records/jobs',
    'records',
    'partners',
    'records/storage',
    'messaging/push',
    'messaging/missed-calls',
    'platform/delivery',
  ]
    .map(folder => `${folder} (ports)`)
    .concat('platform/config', 'platform/db'),
  'operations/backup': [
    'platform/config',
    'operations/audit',
    'records/storage',
    'platform/db',
    'stores',
    'operations/operator',
  ],
  'operations/doctor': ['platform/config'],
  'operations/support': ['platform/config', 'operations/doctor'],
  'domain-events.ts': ['accounts', 'sessions'],
  'hooks.ts': ['accounts (ports)', 'sessions (ports)'],
}

/** Features whose `routes/` are of the layer `routes`; those of partners and of the administration are of their features. */
export const featuresWithRoutes = ['accounts', 'control', 'media', 'messaging', 'records']

/**
 * Layers that name the types of stores, such as `UserStore`, with `import type` from `stores`, where the functions are that
 * implement them. Stores are above these layers, which get them from the composition. Sessions and media declare the
 * stores that they need in their ports.ts.
 */
export const storeUsers = [
  'accounts',
  'accounts/sso',
  'cluster',
  'http',
  'routes',
  'http/index.ts',
  'messaging',
  'messaging/calls',
  'messaging/directory',
  'messaging/missed-calls',
  'messaging/push',
  'operations/admin',
  'operations/audit',
  'operations/operator',
  'partners',
  'records',
  'records/jobs',
  'records/storage',
]

/** Folders that import nothing else, neither libraries nor the platform. @type {Record<string, string[]>} */
export const sealedFolders = { sessions: ['@lectern/common', '@lectern/protocol'] }

/** Imports between the server's layers that break the table today, such as 'records/jobs -> control'. The list stays empty. @type {string[]} */
export const folderExceptions = []
