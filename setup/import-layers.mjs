/** Which package and which folder of the server may import which. Each imports only what the table lists above it. */

/** Packages, lowest layer first. `(types)`: with `import type` only. */
export const packages = {
  common: [],
  protocol: [],
  sqlite: [],
  partner: [],
  embed: [],
  board: ['protocol (types)'],
  'control-client': ['common', 'protocol'],
  'worker-kit': ['common', 'protocol', 'control-client'],
  recorder: ['common', 'protocol', 'worker-kit'],
  transcriber: ['common', 'protocol', 'worker-kit'],
  web: ['common', 'protocol', 'board', 'control-client', 'embed'],
  server: ['common', 'protocol', 'control-client', 'sqlite'],
  cli: ['common', 'protocol', 'server', 'partner'],
}

/** Files and folders of the server that choose implementations: the service and the operator's commands. They import anything. */
export const composition = ['main.ts', 'media-node.ts', 'operator.ts', 'compose']

/**
 * Folders of the server, lowest layer first. All of them may import the files beside them (`clock.ts`, …), which import
 * only `config` unless they are listed. `(ports)`: types of its ports.ts only, because the folder implements them.
 */
export const serverFolders = {
  config: [],
  audit: [],
  accounts: [],
  sessions: [],
  sso: ['accounts'],
  streams: ['accounts', 'sessions'],
  directory: ['accounts', 'sessions'],
  jobs: ['accounts', 'sessions'],
  records: ['accounts', 'jobs'],
  media: ['sessions'],
  calls: ['accounts', 'streams'],
  messaging: ['accounts', 'sessions', 'streams'],
  cluster: ['config', 'sessions', 'streams', 'media', 'messaging (ports)'],
  sdp: ['media'],
  control: [
    'accounts',
    'calls',
    'config',
    'messaging',
    'sessions',
    'streams',
    'jobs',
    'media (ports)',
    'sdp',
  ],
  whip: ['accounts', 'control', 'sdp'],
  http: [
    'audit (ports)',
    'accounts',
    'sso',
    'config',
    'messaging',
    'sessions',
    'directory',
    'jobs',
    'records',
    'control',
    'media (ports)',
    'sdp',
    'whip',
  ],
  telemetry: ['http'],
  delivery: [],
  push: ['accounts', 'config', 'delivery'],
  integration: ['accounts', 'sessions', 'http', 'delivery'],
  storage: ['config', 'records (ports)'],
  operator: ['audit', 'accounts', 'records', 'integration', 'push', 'delivery'],
  admin: [
    'audit',
    'accounts',
    'sessions',
    'jobs',
    'records',
    'media',
    'http',
    'integration',
    'push (ports)',
    'operator',
  ],
  db: [
    'audit',
    'admin',
    'accounts',
    'sso',
    'calls',
    'messaging',
    'sessions',
    'cluster',
    'directory',
    'jobs',
    'records',
    'integration',
    'storage',
    'push',
    'delivery',
  ]
    .map(folder => `${folder} (ports)`)
    .concat('config'),
  backup: ['config', 'audit', 'storage', 'db', 'operator'],
  doctor: ['config'],
  support: ['config', 'doctor'],
  'server.ts': ['config', 'http', 'telemetry'],
  'domain-events.ts': ['accounts', 'sessions'],
  'hooks.ts': ['accounts (ports)', 'sessions (ports)'],
}

/**
 * Folders that name the types of stores, such as `UserStore`, with `import type` from `db`, where the functions are that
 * implement them. `db` is above these folders, and they get the stores from the composition. Sessions and media declare
 * the stores that they need in their ports.ts.
 */
export const storeUsers = [
  'accounts',
  'admin',
  'audit',
  'calls',
  'cluster',
  'directory',
  'http',
  'integration',
  'jobs',
  'messaging',
  'operator',
  'push',
  'records',
  'sso',
  'storage',
]

/** Folders that import nothing else, neither libraries nor the files beside the folders. */
export const sealedFolders = { sessions: ['@lectern/common', '@lectern/protocol'] }

/** Imports between the server's folders that break the table today, such as 'jobs -> control'. The list stays empty. */
export const folderExceptions = []
