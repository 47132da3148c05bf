import { execFile } from 'node:child_process'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { Report } from '../operations/doctor/index.ts'
import { administrationLists } from '../operations/stores/administration.ts'
import { type Bundle, createBundle } from '../operations/support/bundle.ts'
import { localUrl } from '../platform/address.ts'
import { isClustered } from '../platform/config/cluster.ts'
import { isPostgresUrl } from '../platform/config/database.ts'
import { type Config, loadConfig } from '../platform/config/index.ts'
import { openIntegrationStore, openMainStore } from '../platform/db/open.ts'
import { openClusterOperator } from './cluster/cluster-operator.ts'

export interface BundleOptions {
  config?: string | undefined
  /** A file with log lines, or `-` for standard input; otherwise those of the services `lectern*` in the journal. */
  log?: string | undefined
}

const LOG_MAX_BYTES = 4 * 1024 * 1024
const METRICS_TIMEOUT_MS = 5_000
const JOURNAL = ['--unit', 'lectern*', '--output', 'cat', '--lines', '5000', '--no-pager', '--quiet']

/** Collects what helps to find a fault of this installation, whether or not the service runs. Never throws. */
export const collectBundle = (
  version: string,
  { config, log }: BundleOptions,
  doctor: () => Promise<Report>,
): Promise<Bundle> =>
  createBundle(
    {
      version,
      doctor,
      config: () => loadConfig(config),
      metrics: readMetrics,
      cluster: readCluster,
      stores: readStores,
      log: () => (log === undefined ? readJournal() : readLog(log)),
    },
    Date.now(),
  )

async function readMetrics(config: Config): Promise<string> {
  if (config.Server.Port === 0) return 'Not read: [Server] Port is 0.\n'
  const { MetricsToken } = config.Server
  const response = await fetch(`${localUrl(config)}/metrics`, {
    headers: MetricsToken ? { authorization: `Bearer ${MetricsToken}` } : {},
    redirect: 'error',
    signal: AbortSignal.timeout(METRICS_TIMEOUT_MS),
  }).catch(error => {
    throw new Error(`The service cannot be reached: ${error.cause?.code ?? error.name}.`)
  })
  if (!response.ok) throw new Error(`The service answered with ${response.status}.`)
  return response.text()
}

async function readCluster(config: Config): Promise<unknown> {
  if (!isClustered(config.Cluster)) return null
  const cluster = await openClusterOperator(config)
  try {
    return await cluster.status()
  } finally {
    await cluster.close()
  }
}

async function readStores({ Db, Integration }: Config): Promise<unknown> {
  const main = await openMainStore(Db.Url)
  try {
    const isShared = isPostgresUrl(Db.Url)
    return {
      engine: isShared ? 'postgresql' : 'sqlite',
      main_bytes: await main.sizeInBytes(),
      integration_bytes: Integration.Enabled && !isShared ? await sizeOfModule(Db.IntegrationDb) : null,
      ...(await administrationLists(main.db).counts()),
    }
  } finally {
    await main.close()
  }
}

async function sizeOfModule(file: string): Promise<number> {
  const store = await openIntegrationStore(file)
  try {
    return await store.sizeInBytes()
  } finally {
    await store.close()
  }
}

/** The end of the file, or of standard input. */
async function readLog(file: string): Promise<string> {
  if (file === '-') return (await lastBytesOf(process.stdin)).toString()
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const start = Math.max(0, size - LOG_MAX_BYTES)
    return (await lastBytesOf(handle.createReadStream({ start, autoClose: false }))).toString()
  } finally {
    await handle.close()
  }
}

async function lastBytesOf(stream: Readable): Promise<Buffer> {
  let kept = Buffer.alloc(0)
  for await (const chunk of stream) kept = Buffer.concat([kept, chunk]).subarray(-LOG_MAX_BYTES)
  return kept
}

/** Null without a journal, or if the service writes to another place. */
async function readJournal(): Promise<string | null> {
  const options = { timeout: METRICS_TIMEOUT_MS, maxBuffer: 8 * LOG_MAX_BYTES }
  const found = await promisify(execFile)('journalctl', JOURNAL, options).catch(() => null)
  return found?.stdout.slice(-LOG_MAX_BYTES) || null
}
