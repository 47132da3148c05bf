import { AUDIT_RETENTION_DAYS } from '@lectern/protocol'
import { hostAddress, ipAddress, turnUrls } from './addresses.ts'
import { clamd } from './clamd.ts'
import { clusterKeys } from './cluster.ts'
import { database } from './database.ts'
import { mailKeys } from './mail.ts'
import { mediaNodeKeys } from './media-node.ts'
import { tracingKeys } from './tracing.ts'
import {
  ancestors,
  contact,
  credential,
  flag,
  httpAddress,
  integer,
  issuer,
  keyOf,
  oneOf,
  origin,
  proxies,
  secret,
  secrets,
  text,
  time,
  words,
} from './values.ts'

const rate = (noun: string, perMinute: number) =>
  integer(`${noun} for each client address and minute.`, perMinute, 1, 1_000_000)

/**
 * Every configuration key. A test generates `docs/configuration.md` from this table.
 * Paths are relative to the configuration file.
 */
export const keys = {
  Server: {
    Host: text('Address to listen on.', '127.0.0.1'),
    Port: integer('TCP port to listen on; 0 selects a free one.', 8080, 0, 65_535),
    JwtSecret: secret(
      'Key of all tokens and join links; choose it at random. Without it nobody can sign in and partners get no tokens. Changing it invalidates access tokens, join links and stored client secrets, unless the former one is in AcceptedJwtSecrets; people stay signed in.',
    ),
    AcceptedJwtSecrets: secrets(
      'Former or future values of JwtSecret: what they have signed is accepted until AcceptedJwtSecretsUntil (docs/install.md#change-of-the-jwtsecret).',
    ),
    AcceptedJwtSecretsUntil: time('When AcceptedJwtSecrets are no longer accepted.'),
    DataDir: text('Folder of the databases and other files of the service.', 'data'),
    TlsCert: text(
      'PEM file with the certificate chain; with TlsKey, the server serves https itself. Renewed files are used without a restart.',
    ),
    TlsKey: text('PEM file with the private key.'),
    TrustProxy: proxies(
      'Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted. 1: only if the server is reachable through that one proxy alone.',
    ),
    LogLevel: oneOf('How much is logged, as JSON lines on standard error.', 'info', [
      'trace',
      'debug',
      'info',
      'warn',
      'error',
      'fatal',
      'silent',
    ]),
    MetricsToken: credential(
      'If set, /metrics requires it as a bearer token. Otherwise /metrics answers programs of this machine only, and no forwarded requests.',
    ),
    MetricsPublic: flag('Without a MetricsToken, /metrics answers everybody.', false),
  },
  Db: {
    Url: database(
      'Where the main store is: an SQLite file (empty means lectern.db in DataDir), or the address of a PostgreSQL database, which then holds all stores (docs/postgresql.md). The address may contain a password.',
    ),
    IntegrationDb: credential(
      "SQLite file of the integration module's own store; empty means integration.db in DataDir. Not with PostgreSQL.",
    ),
    MaxConnections: integer(
      'Connections to PostgreSQL, at most, for each of the two stores; the rest waits for a free one.',
      10,
      2,
      1000,
    ),
  },
  Integration: {
    Enabled: flag('Turns the integration module for partners on.', false),
    PublicUrl: origin(
      'Address under which browsers reach the server; empty means the address it listens on.',
    ),
    FrameAncestors: ancestors("Pages that may embed the hosted room, as in CSP's frame-ancestors."),
    PlainLink: oneOf(
      'Who enters by the plain link of a partner room: people wait until a moderator admits them (lobby), enter directly (open), or are refused (closed).',
      'lobby',
      ['lobby', 'open', 'closed'],
    ),
    AllowInsecureWebhooks: flag('For development: webhooks may go to http and to private addresses.', false),
  },
  Lti: {
    Enabled: flag(
      'Whether learning management systems open rooms (LTI 1.3); needs [Integration] Enabled and PublicUrl.',
      false,
    ),
    AllowInsecurePlatforms: flag('For development: platforms may have http addresses.', false),
  },
  Board: {
    Enabled: flag('Whether conferences have a board; partners can turn it off for each room.', true),
  },
  Conferences: {
    AllowGuests: flag('Whether people without an account may join.', true),
    GuestExpiryDays: integer(
      'Days after which an unused guest account is removed; its browser then gets a new one.',
      30,
      1,
      3650,
    ),
    EmptyGraceSeconds: integer(
      'Seconds for which an empty session stays open, and a person who lost the connection may return.',
      30,
      1,
      3600,
    ),
    Directory: flag(
      'Whether signed-in users find each other by the beginning of a login or a name; otherwise by the exact login only.',
      false,
    ),
    RingSeconds: integer('Seconds for which a call rings; then it is missed.', 45, 1, 600),
  },
  Oidc: {
    Issuer: issuer(
      'Identity provider (OpenID Connect) at which people sign in; empty means none. https, unless AllowInsecureIssuer is 1.',
    ),
    ClientId: text('The id of this server at the provider.'),
    ClientSecret: credential('Its secret; empty for a public client.'),
    Name: text('How the provider is called on the sign-in button.', 'single sign-on'),
    Scopes: words('Requested scopes; openid is always included.', ['openid', 'profile', 'email']),
    SignUp: flag(
      'Whether people of the provider who have no account get one when they first sign in.',
      false,
    ),
    LinkByLogin: flag(
      'Whether people of the provider are linked to the existing account whose login is their user name (preferred_username). Only if the provider never gives a user name to another person; never links accounts with capabilities.',
      false,
    ),
    PasswordSignIn: flag('Whether people may also sign in with a password. Workers always may.', true),
    AllowInsecureIssuer: flag('For development: the provider may use http.', false),
  },
  Media: {
    ListenIp: ipAddress(
      'Address that media workers listen on; 0.0.0.0 for all of IPv4, :: for those of IPv6, too.',
      '127.0.0.1',
    ),
    AnnouncedAddress: hostAddress(
      'Address to which browsers send media; a name is resolved by the server, again each minute. Empty means ListenIp, or an address of the machine if that is a wildcard.',
    ),
    ListenOnHostAddress: flag(
      'For use on one machine: with a loopback ListenIp, media workers also listen on another address of the machine, because Firefox sends no media to a loopback address.',
      false,
    ),
    Port: integer('Worker i listens on Port + i, UDP and TCP; 0 selects free ports.', 0, 0, 65_000),
    Workers: integer('Media workers; 0 means one for each core.', 0, 0, 256),
    ConsumersPerWorker: integer(
      'Received tracks that one media worker serves before a large session uses another one, too. Sessions that need less than a quarter of this always stay on one.',
      500,
      1,
      1_000_000,
    ),
    MaxIncomingKbps: integer(
      'Bit rate in kbit/s that browsers are asked not to exceed, camera and screen together; 0 means no limit.',
      10_000,
      0,
      1_000_000,
    ),
  },
  Turn: {
    Embedded: flag(
      'Whether the server starts and supervises a TURN server, coturn, which must be installed. Browsers get its addresses; with TlsCert also the one on the port of PublicUrl, for networks that permit https only.',
      false,
    ),
    Port: integer('Port of the supervised coturn, UDP and TCP.', 3478, 1, 65_535),
    MinPort: integer('First UDP port from which the supervised coturn relays.', 49_152, 1024, 65_535),
    MaxPort: integer('Last of these ports.', 65_535, 1024, 65_535),
    Urls: turnUrls(
      'Other TURN servers, or other addresses of the supervised one, e.g. turn:turn.example.org:3478 turns:turn.example.org:443.',
    ),
    Secret: credential(
      "coturn's static-auth-secret, from which time-limited credentials are derived. The supervised coturn needs none: its secret is derived from JwtSecret.",
    ),
  },
  Recorder: {
    Embedded: flag('Whether the server starts and supervises a recorder.', true),
    Profile: oneOf('Which files a recording consists of.', 'consolidated_native', [
      'consolidated_native',
      'raw_tracks_v1',
      'decoded_audio',
    ]),
    AudioFormat: oneOf('Format of the files of the profile decoded_audio.', 'wav', ['wav', 'mp3']),
  },
  Transcriber: {
    Embedded: flag('Whether the server starts and supervises a transcriber.', true),
    ModelDir: text('Folder of the speech model; empty means the one that is installed with the service.'),
  },
  Converter: {
    Embedded: flag('Whether the server starts and supervises a converter of slides.', true),
    Sandbox: flag(
      'Whether documents are opened in bubblewrap only. 0: with limits of time and memory alone, for machines without user namespaces.',
      true,
    ),
    Office: flag(
      'Whether slides may be office documents: PPTX, PPSX, DOCX, ODP and ODT. Needs LibreOffice and the sandbox (docs/slides.md#office-documents).',
      false,
    ),
  },
  Files: {
    Clamd: clamd(
      'Where clamd of ClamAV listens. All files that people and partners upload are scanned before anybody can use them, and refused while it cannot be reached (docs/slides.md#viruses).',
    ),
  },
  Push: {
    Enabled: flag('Turns push notifications on.', false),
    VapidPublicKey: keyOf('Public VAPID key of web push; "lectern push keys" makes a pair.', 65),
    VapidPrivateKey: keyOf('Private VAPID key. Stays on the server.', 32),
    Subject: contact('Contact of the operator for push services: a mailto: or https: address.'),
    TTL: integer(
      'Seconds for which a push service keeps a notification, and for which failed attempts are repeated.',
      86_400,
      0,
      2_419_200,
    ),
    NativeSenderUrl: httpAddress(
      'Address of a sender for native apps, which gets a signed POST for each of their notifications.',
    ),
    NativeSenderSecret: secret('Signs the requests to NativeSenderUrl.'),
    AllowInsecureEndpoints: flag(
      'For development: push endpoints may have http and private addresses.',
      false,
    ),
  },
  Storage: {
    Url: text(
      'Folder of recordings and other large files; empty means blobs in DataDir. Or a bucket of an object storage (S3): s3://BUCKET or s3://BUCKET/PREFIX.',
    ),
    S3Endpoint: origin('Address of the object storage; empty means Amazon S3 in that region.'),
    S3Region: text('Region of the bucket; object storages of your own mostly accept any.', 'us-east-1'),
    S3AccessKeyId: credential('Id of the access key for the bucket.'),
    S3SecretAccessKey: credential('The secret access key. Stays on the server.'),
    SendfileHeader: oneOf(
      'Whether a reverse proxy sends the files of downloads that it has forwarded, asked by this header: X-Accel-Redirect (nginx) or X-Sendfile (docs/install.md#downloads-by-the-reverse-proxy). Needs a folder as Url, and TrustProxy.',
      'none',
      ['none', 'X-Accel-Redirect', 'X-Sendfile'],
    ),
    SendfilePrefix: text(
      'What precedes the path of a file in SendfileHeader; empty means the internal location /lectern-files/ for X-Accel-Redirect, and Url for X-Sendfile.',
    ),
  },
  Mail: mailKeys,
  Retention: {
    Recordings: integer(
      'Days after which recordings and transcripts are removed, of users and of partners; 0 keeps them.',
      0,
      0,
      36_500,
    ),
    Chats: integer('Days after which chat messages are removed; 0 keeps them.', 0, 0, 36_500),
    Guests: integer(
      'Days after which guests who have not come are removed, with their names in messages and their files; 0 keeps these.',
      0,
      0,
      36_500,
    ),
    Audit: integer(
      'Days after which rows of the audit log are removed. The database protects them for two years.',
      AUDIT_RETENTION_DAYS,
      AUDIT_RETENTION_DAYS,
      36_500,
    ),
  },
  Cluster: clusterKeys,
  MediaNode: mediaNodeKeys,
  Tracing: tracingKeys,
  Limits: {
    Enabled: flag('Turns the rate limits below on.', true),
    LoginPerMinute: rate('Password sign-ins', 30),
    FailedLoginsPerAccount: integer(
      'Wrong passwords for one account in ten minutes, from networks without an earlier sign-in of the account.',
      10,
      1,
      1_000_000,
    ),
    FailedLoginsPerAddress: integer('Wrong passwords from one address in ten minutes.', 30, 1, 1_000_000),
    FailedLogins: integer(
      'Wrong passwords in total in ten minutes, from networks without an earlier sign-in of the account.',
      600,
      1,
      1_000_000,
    ),
    RefreshPerMinute: rate('Token refreshes', 300),
    GuestPerMinute: rate('New guests', 60),
    TokenPerMinute: rate('Service token requests', 60),
    LinkPerMinute: rate('Requests for join links and conferences', 600),
    ControlPerMinute: rate('New control connections', 3000),
    LobbyPerMinute: integer('Lobby requests of one account per minute.', 60, 6, 1_000_000),
    LobbyPerAddressPerMinute: rate('Lobby requests', 300),
    FramesPerMinute: integer(
      'Control frames of each connection per minute; a sync counts as twenty, a large frame once for every 4 KiB. All connections of an account together have four times as many, those of a worker 64 times.',
      6000,
      60,
      1_000_000,
    ),
    AnswerKilobytesPerMinute: integer(
      'KiB that the control channel sends to each account per minute, to workers sixteen times as much; every answer counts at least one.',
      30_720,
      60,
      10_000_000,
    ),
    NotificationsPerMinute: integer(
      "Events and signals that each account may cause per minute on all its connections, counted once for each receiver; a minute's worth at once. Chat messages have their own rates; workers are exempt.",
      60_000,
      600,
      10_000_000,
    ),
    ChatMessagesPerMinute: integer(
      'Chat messages of each account per minute, on all its connections; a third of it at once.',
      60,
      1,
      1_000_000,
    ),
    ChatKilobytesPerMinute: integer('The same in KiB of text.', 128, 1, 1_000_000),
    SessionChatMessagesPerMinute: integer(
      'Chat messages in a session per minute, of everybody together; a third of it at once. Messages of moderators count but are not refused.',
      600,
      1,
      1_000_000,
    ),
    SessionChatKilobytesPerMinute: integer('The same in KiB of text.', 512, 1, 1_000_000),
    ContactRequestsPerMinute: integer(
      'People whom each account asks per minute to become contacts, by a request or a message; as many at once.',
      20,
      1,
      1_000_000,
    ),
    SearchPerMinute: rate('Searches for users', 120),
    CallInvitationsPerMinute: integer(
      'People whom each account calls per minute; as many at once.',
      30,
      1,
      1_000_000,
    ),
    ControlConnections: integer(
      'Concurrent control connections of people, for the whole server; applies even if Enabled is 0. Workers are not included.',
      10_000,
      1,
      1_000_000,
    ),
    ControlConnectionsPerAccount: integer(
      'Concurrent control connections of one account, sixteen times as many for a worker; applies even if Enabled is 0.',
      64,
      1,
      100_000,
    ),
    ControlConnectionsPerAddress: integer(
      'Concurrent control connections from one client address; half as many before login, twice as many from an IPv6 /48. Allow three for each person behind the address.',
      1500,
      1,
      1_000_000,
    ),
  },
} as const
