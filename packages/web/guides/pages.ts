/** The pages at /docs: which documents they are made from, and their order. */

export interface Source {
  /** A path from the root of the repository. */
  file: string
  /** Headings of the second level; absent: the complete document. */
  sections?: readonly string[]
}

export interface GuidePage {
  /** The last part of its address; empty: /docs itself. */
  slug: string
  title: string
  summary: string
  sources: readonly Source[]
}

const page = (slug: string, title: string, summary: string, ...sources: (string | Source)[]): GuidePage => ({
  slug,
  title,
  summary,
  sources: sources.map(source => (typeof source === 'string' ? { file: source } : source)),
})

const PARTNER = 'docs/partner-api.md'

/** The reference has no document: a script shows the OpenAPI document of the server. */
export const REFERENCE = page('reference', 'API reference', 'Every request, response, error and webhook.')

export interface Group {
  title: string
  pages: readonly GuidePage[]
}

const GROUPS: readonly Group[] = [
  {
    title: 'Begin',
    pages: [
      page(
        'first-lesson',
        'Your first lesson',
        'For platforms: address, account and secret, and two links.',
        'docs/first-lesson.md',
      ),
      page(
        'integrations',
        'See what your integration does',
        'For platforms: rooms, events, deliveries and secrets in the browser.',
        'docs/integrations.md',
      ),
      page(
        'school-server',
        "A school's server in an afternoon",
        'For administrators: from a clean machine to a lesson.',
        'docs/school-server.md',
      ),
      page(
        'when-people-cannot-connect',
        'When people cannot connect',
        'What people see, what it means, and what to do.',
        'docs/when-people-cannot-connect.md',
      ),
      page('getting-started', 'Getting started', 'A server, a room and its links in five minutes.', {
        file: 'README.md',
        sections: ['Getting started', 'Quickstart for partners'],
      }),
    ],
  },
  {
    title: 'For partners',
    pages: [
      REFERENCE,
      page('partner-api', 'Partner API', 'Conventions, authentication, rooms, errors and limits.', {
        file: PARTNER,
        sections: [
          '',
          'Quickstart',
          'Conventions',
          'Endpoints',
          'Authentication',
          'Server information',
          'Rooms',
          'Errors',
          'Limits',
        ],
      }),
      page('links', 'Links and the hosted room', 'Who enters with which link, and what a room shows.', {
        file: PARTNER,
        sections: ['Links', 'The hosted room'],
      }),
      page(
        'partner-api-v2',
        'Partner API, version 2',
        'People, events, live control, recordings and usage.',
        'docs/partner-api-v2.md',
      ),
      page('webhooks', 'Webhooks', 'Events, signatures, retries and tests.', 'docs/webhooks.md', {
        file: PARTNER,
        sections: ['Webhook settings'],
      }),
      page(
        'recordings',
        'Recordings',
        'The archive, downloads, and what a recording contains.',
        { file: PARTNER, sections: ['Recordings', 'Files'] },
        'docs/recording.md',
      ),
      page(
        'embedding',
        'Embedding',
        'A room in a page of yours, with events and commands.',
        'docs/embedding.md',
      ),
      page(
        'clients',
        'Clients',
        'Libraries for JavaScript, Python and PHP.',
        'clients/README.md',
        'packages/partner/README.md',
        'clients/python/README.md',
        'clients/php/README.md',
        'packages/embed/README.md',
      ),
      page('errors', 'Errors', 'Every code, over HTTP and on the control channel.', 'docs/errors.md'),
    ],
  },
  {
    title: 'For authors of clients',
    pages: [
      page(
        'http-api',
        'HTTP API',
        'Accounts, conferences, recordings and administration.',
        'docs/http-api.md',
      ),
      page(
        'control-protocol',
        'Control protocol',
        'The WebSocket of live sessions.',
        'docs/control-protocol.md',
      ),
      page(
        'control-commands',
        'Commands and events',
        'What clients send and receive.',
        'docs/control-commands.md',
      ),
      page('messaging', 'Messaging', 'Conversations, contacts and presence.', 'docs/messaging.md'),
      page('calls', 'Calls', 'Ringing, answering and what ends a call.', 'docs/calls.md'),
      page('whip-whep', 'WHIP and WHEP', 'Any WebRTC stack publishes and plays.', 'docs/whip-whep.md'),
      page('uploads', 'Uploads', 'Files of workers.', 'docs/uploads.md'),
    ],
  },
  {
    title: 'For operators',
    pages: [
      page(
        'install',
        'Install and operate',
        'Requirements, production, upgrades and backup.',
        'docs/install.md',
      ),
      page('configuration', 'Configuration', 'Every key of the configuration file.', 'docs/configuration.md'),
      page(
        'administration',
        'Administration',
        'Administrators, their pages and the audit log.',
        'docs/administration.md',
      ),
      page(
        'transcription',
        'Transcription',
        'Live transcription on your own machine.',
        'docs/transcription.md',
      ),
      page('push', 'Push notifications', 'Calls and messages without an open page.', 'docs/push.md'),
      page('single-sign-on', 'Single sign-on', 'Sign-in at an identity provider.', 'docs/single-sign-on.md'),
      page('lti', 'Moodle and Canvas', 'Courses that open lessons, by LTI 1.3.', 'docs/lti.md'),
      page('languages', 'Languages', 'What the pages and notifications speak.', 'docs/languages.md'),
      page('packages', 'Packages', 'Debian package, container and Helm chart.', 'docs/packages.md'),
      page('backup', 'Backup', 'Saving and restoring an installation.', 'docs/backup.md'),
      page('storage', 'Files', 'A folder, or an object storage.', 'docs/storage.md'),
      page('postgresql', 'PostgreSQL', 'Instead of SQLite files.', 'docs/postgresql.md'),
      page('cluster', 'Clusters', 'Several servers as one.', 'docs/cluster.md'),
      page('cluster-network', 'Messages between servers', 'NATS in a cluster.', 'docs/cluster-network.md'),
      page('media-nodes', 'Media nodes', 'Media on machines of its own.', 'docs/media-nodes.md'),
      page('room-sizes', 'Sizes of rooms', 'How many people fit.', 'docs/room-sizes.md'),
      page('metrics', 'Metrics', 'What every program exports.', 'docs/metrics.md'),
      page('changes', 'Changes', 'What is new.', 'CHANGES.md'),
    ],
  },
  {
    title: 'How it works',
    pages: [
      page('room', 'The room', 'What a participant sees.', 'docs/room.md'),
      page('promises', 'Guarantees', 'What is proven, and by which tests.', 'docs/promises.md'),
      page('session-rules', 'Session rules', 'How a session behaves.', 'docs/session-rules.md'),
      page('storage-rules', 'Storage rules', 'What every store guarantees.', 'docs/storage-rules.md'),
      page('principles', 'Principles', 'How the code is built.', 'docs/principles.md'),
      page('words', 'Glossary', 'Terms of Lectern.', 'docs/words.md'),
    ],
  },
]

/** All groups; documents of `docs/` that none of them names follow in the last one. */
export function groupsWith(documents: readonly string[], read: (file: string) => string): readonly Group[] {
  const named = new Set(
    GROUPS.flatMap(({ pages }) => pages.flatMap(each => each.sources.map(({ file }) => file))),
  )
  const others = documents
    .filter(file => !named.has(file))
    .map(file =>
      page(file.replace(/^docs\/|\.md$/g, ''), /^# (.+)$/m.exec(read(file))?.[1] ?? file, '', file),
    )
  const [last, ...before] = [...GROUPS].reverse() as [Group, ...Group[]]
  return [...before.reverse(), { ...last, pages: [...last.pages, ...others] }]
}

/** The address of a page. */
export const hrefOf = ({ slug }: Pick<GuidePage, 'slug'>) => `/docs/${slug}`
