import { once } from 'node:events'
import { statfs } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'

/** The state of a worker, as it measures it. */
export interface WorkerMeasurements {
  isConnected: boolean
  jobs: { running: number; backingOff: number; completed: number; failedAttempts: number }
}

interface StateOptions {
  host: string
  /** 0 selects a free one. */
  port: number
  folder: string
  measure: () => WorkerMeasurements
}

const REQUEST_TIMEOUT_MS = 5_000
const HEADERS_MAX_BYTES = 4_096
const CONNECTIONS_MAX = 20

/** Serves `/healthz` and `/metrics` of a worker on another machine than its server; everything else is 404. */
export async function serveWorkerState(options: StateOptions): Promise<Server> {
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, maxHeaderSize: HEADERS_MAX_BYTES },
    async ({ method, url }, response) => {
      const send = (status: number, body: string) =>
        response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body)
      if (method !== 'GET') return send(405, 'GET only\n')
      if (url === '/healthz') return send(200, 'ok\n')
      if (url !== '/metrics') return send(404, 'not found\n')
      return send(200, print(await readMetrics(options)))
    },
  )
  server.maxConnections = CONNECTIONS_MAX
  server.listen(options.port, options.host)
  await once(server, 'listening')
  return server
}

interface Metric {
  name: string
  type: 'gauge' | 'counter'
  help: string
  value: number
}

/** In the order in which they are exported. */
async function readMetrics({ folder, measure }: StateOptions): Promise<Metric[]> {
  const { isConnected, jobs } = measure()
  const gauge = (name: string, help: string, value: number): Metric => ({ name, type: 'gauge', help, value })
  const counter = (name: string, help: string, value: number): Metric => ({
    name,
    type: 'counter',
    help,
    value,
  })
  const { user, system } = process.cpuUsage()
  const disk = await statfs(folder).then(
    ({ bavail, bsize }) => [gauge('worker_disk_free_bytes', 'Free space of its folder.', bavail * bsize)],
    () => [],
  )
  return [
    gauge('worker_connected', 'Whether the worker is signed in at a server.', Number(isConnected)),
    gauge('worker_jobs_running', 'Jobs that the worker holds.', jobs.running),
    gauge(
      'worker_jobs_waiting',
      'Jobs whose last attempt failed, and which it will try again.',
      jobs.backingOff,
    ),
    counter('worker_jobs_completed_total', 'Jobs that it has finished since its start.', jobs.completed),
    counter('worker_attempts_failed_total', 'Attempts that failed since its start.', jobs.failedAttempts),
    ...disk,
    gauge(
      'process_resident_memory_bytes',
      'Resident memory, without child processes.',
      process.memoryUsage.rss(),
    ),
    counter('process_cpu_seconds_total', 'CPU time, without child processes.', (user + system) / 1e6),
  ]
}

/** Each with the program first, as Prometheus names metrics, and for one release also without. */
const withFormerNames = (metrics: Metric[]): Metric[] =>
  metrics.flatMap(metric => {
    if (!metric.name.startsWith('worker_')) return [metric]
    const name = `lectern_${metric.name}`
    return [
      { ...metric, name },
      { ...metric, help: `Former name of ${name}, for one release.` },
    ]
  })

const print = (metrics: Metric[]): string =>
  withFormerNames(metrics)
    .map(
      ({ name, type, help, value }) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`,
    )
    .join('')
