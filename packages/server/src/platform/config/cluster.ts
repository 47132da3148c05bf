import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { ConfigError } from './ini.ts'
import { flag, type Key, origin, text } from './values.ts'

/** One NATS server, and how to sign in there. The log names it by `label`, which has no credentials. */
export interface NatsAddress {
  host: string
  port: number
  /** TLS is required; otherwise the server decides. */
  tls: boolean
  user?: string
  password?: string
  token?: string
  label: string
}

const NATS_PORT = 4222

const fail = (form: string): never => {
  throw new Error(form)
}

/** Addresses of NATS servers; error messages never contain the value, which may have a password. */
const natsAddresses = (description: string): Key<NatsAddress[]> => {
  const form =
    'addresses such as nats://10.0.0.5:4222, tls://USER:PASSWORD@nats.example.org or nats://TOKEN@10.0.0.5, separated by spaces or commas'
  return {
    description,
    form,
    fallback: [],
    isSecret: true,
    parse: value => {
      const urls = value.split(/[\s,]+/).filter(Boolean)
      return urls.map(url => parseNatsUrl(url) ?? fail(form))
    },
  }
}

function parseNatsUrl(value: string): NatsAddress | null {
  if (!/^(nats|tls):\/\//.test(value) || !URL.canParse(value)) return null
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(value)
  if (hostname === '' || !/^\/?$/.test(pathname) || search || hash) return null
  // An IPv6 address has brackets in a URL.
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const user = decode(username)
  const pass = decode(password)
  if (user === null || pass === null || (pass !== '' && user === '')) return null
  return {
    host,
    port: Number(port) || NATS_PORT,
    tls: protocol === 'tls:',
    ...(pass !== '' ? { user, password: pass } : user !== '' && { token: user }),
    label: `${protocol}//${isIP(host) === 6 ? `[${host}]` : host}:${Number(port) || NATS_PORT}`,
  }
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/** A name that is safe in subjects of NATS, in logs and on pages. */
const name = (description: string, fallback: string): Key<string> => {
  const form = 'at most 40 letters, digits, "-" and "_"'
  return {
    description,
    form,
    fallback,
    parse: value => (/^[\w-]{1,40}$/.test(value) ? value : fail(form)),
  }
}

/** Keys of [Cluster], with which several servers run one installation. */
export const clusterKeys = {
  Nats: natsAddresses(
    'NATS servers that connect the servers of a cluster; setting it makes this server a member of the cluster.',
  ),
  NatsCa: text('PEM file of the authority that signed the certificates of the NATS servers; implies TLS.'),
  Advertise: origin('Address under which the other servers of the cluster reach this one.'),
  AdvertiseCa: text(
    'PEM file of the authority that signed the certificates of https:// addresses in Advertise; empty means those that Node.js trusts.',
  ),
  Name: name('Name of this server in logs and in the administration; empty means the host name.', ''),
  Namespace: name('Prefix of all subjects, for installations that share NATS servers.', 'lectern'),
  MediaNodes: flag(
    'Whether sessions use the media nodes of the cluster instead of media workers in this server.',
    false,
  ),
  Region: name('Where this server is, for the choice of a media node nearby.', ''),
}

type ClusterSettings = {
  Nats: NatsAddress[]
  NatsCa: string
  Advertise: string
  AdvertiseCa: string
  MediaNodes: boolean
}

/** Whether this server is a member of a cluster. */
export const isClustered = ({ Nats }: Pick<ClusterSettings, 'Nats'>): boolean => Nats.length > 0

/** The host name without its domain, as far as a name may have its characters. */
export const defaultServerName = (): string =>
  (hostname().split('.')[0] ?? '').replace(/[^\w-]/g, '-').slice(0, 40) || 'server'

/** Throws a ConfigError without the secret that signs messages between servers and media nodes. */
export function checkClusterSecret({ JwtSecret }: { JwtSecret: string }): void {
  if (JwtSecret === '')
    throw new ConfigError('[Cluster] needs [Server] JwtSecret, the same on all servers and media nodes')
}

interface Others {
  Server: { JwtSecret: string }
  dbUrl: string
  storageUrl: string
}

/** Throws a ConfigError if keys of [Cluster] contradict each other, or need others. */
export function checkCluster(Cluster: ClusterSettings, { Server, dbUrl, storageUrl }: Others): void {
  if (!isClustered(Cluster)) {
    if (Cluster.Advertise || Cluster.AdvertiseCa || Cluster.NatsCa || Cluster.MediaNodes)
      throw new ConfigError('[Cluster] needs Nats: the NATS servers that connect its servers')
    return
  }
  if (Cluster.Advertise === '')
    throw new ConfigError('[Cluster] Advertise is missing: the address where other servers reach this one')
  if (!/^postgres(ql)?:\/\//.test(dbUrl))
    throw new ConfigError('[Cluster] needs a common database: set [Db] Url to postgres://…')
  if (!storageUrl.startsWith('s3://'))
    throw new ConfigError('[Cluster] needs a common store of files: set [Storage] Url to s3://…')
  checkClusterSecret(Server)
}
