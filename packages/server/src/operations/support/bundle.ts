import { arch, cpus, platform, release, totalmem, uptime } from 'node:os'
import type { Config } from '../../platform/config/index.ts'
import type { Report } from '../doctor/index.ts'
import { scrubLog } from './log-lines.ts'
import { redactConfig, type Scrub, scrubber, secretsOf } from './redaction.ts'
import { type TarEntry, tarGz } from './tar.ts'

/** The sources of the contents of a bundle. Each may throw. */
export interface BundleSources {
  version: string
  doctor(): Promise<Report>
  /** Throws a ConfigError, whose message has no secret. */
  config(): Config
  /** The metrics of the running service. */
  metrics(config: Config): Promise<string>
  /** The state of the cluster; null without one. */
  cluster(config: Config): Promise<unknown>
  /** Sizes of the databases and of what is stored. */
  stores(config: Config): Promise<unknown>
  /** The newest log lines; null: their location is unknown. */
  log(): Promise<string | null>
}

export interface Bundle {
  archive: Buffer
  report: Report
  /** The names of the files in it. */
  files: string[]
}

/** The largest file; longer ones are cut off at their beginning. */
const FILE_MAX_BYTES = 2 * 1024 * 1024
const SOURCE_TIMEOUT_MS = 20_000
/** Names service accounts. */
const PRIVATE_CHECKS = new Set(['service accounts'])

/**
 * An archive for people who help an operator: what is configured, found and measured here, without secrets, links, names
 * and texts (docs/observability.md#support-bundle). What cannot be read is replaced by the reason. Never throws.
 */
export async function createBundle(sources: BundleSources, now: number): Promise<Bundle> {
  const report = await sources.doctor()
  const config = readConfig(sources)
  const scrub = scrubber(config.is === 'known' ? secretsOf(config.config) : [])
  const entryOf = async (name: string, read: (config: Config) => Promise<unknown>): Promise<TarEntry> => ({
    name,
    content: toText(config.is === 'known' ? await attempt(() => read(config.config)) : skipped, scrub),
  })
  const files: TarEntry[] = [
    { name: 'README.txt', content: README },
    { name: 'versions.json', content: toText(versions(sources.version), scrub) },
    { name: 'doctor.json', content: toText(withoutNames(report), scrub) },
    await entryOf('configuration.json', async known => redactConfig(known)),
    await entryOf('metrics.txt', sources.metrics),
    await entryOf('cluster.json', sources.cluster),
    await entryOf('stores.json', sources.stores),
    ...(await logFiles(sources, scrub)),
  ]
  const archive = tarGz(files.map(limit), now)
  return { archive, report, files: files.map(({ name }) => name) }
}

const skipped = { error: 'The configuration cannot be read; see doctor.json.' }

function readConfig(sources: BundleSources): { is: 'known'; config: Config } | { is: 'unreadable' } {
  try {
    return { is: 'known', config: sources.config() }
  } catch {
    return { is: 'unreadable' } // the doctor says why
  }
}

async function attempt(read: () => Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), SOURCE_TIMEOUT_MS)
  })
  try {
    return await Promise.race([read(), late])
  } catch (error) {
    return { error: (error as Error).message }
  } finally {
    clearTimeout(timer)
  }
}

async function logFiles({ log }: BundleSources, scrub: Scrub): Promise<TarEntry[]> {
  const text = await attempt(log)
  if (typeof text !== 'string')
    return [{ name: 'log.txt', content: toText(text ?? 'No log: name its file with --log.', scrub) }]
  const { text: content, lines, dropped } = scrubLog(text, scrub)
  const about = `${lines} lines; ${dropped} that are not log lines of Lectern were left out.\n`
  return [
    { name: 'log.jsonl', content },
    { name: 'log.txt', content: about },
  ]
}

const versions = (lectern: string) => ({
  lectern,
  node: process.versions.node,
  openssl: process.versions.openssl,
  v8: process.versions.v8,
  system: `${platform()} ${release()} ${arch()}`,
  cores: cpus().length,
  processor: cpus()[0]?.model ?? 'unknown',
  memory_bytes: totalmem(),
  system_uptime_seconds: Math.round(uptime()),
})

const withoutNames = ({ ok, checks }: Report) => ({
  ok,
  checks: checks.map(check =>
    PRIVATE_CHECKS.has(check.name) ? { ...check, says: '(not included)' } : check,
  ),
})

const toText = (value: unknown, scrub: Scrub): string =>
  scrub(typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`)

function limit({ name, content }: TarEntry): TarEntry {
  const bytes = Buffer.from(content)
  return { name, content: bytes.subarray(Math.max(0, bytes.length - FILE_MAX_BYTES)) }
}

const README = `A support bundle of Lectern: what "lectern doctor --bundle" found on this machine.

versions.json       Lectern, Node.js, the system
doctor.json         the results of "lectern doctor"
configuration.json  settings; of secrets only whether they are set
metrics.txt         metrics of the running service
cluster.json        servers and media nodes, as "lectern cluster status" lists them; null without a cluster
stores.json         sizes of databases and files
log.jsonl           newest log lines, reduced to fields that name nobody
log.txt             what was left out of the log

It contains no secrets, tokens, links, names of people, addresses of clients or texts. Read it before you pass it on.
`
