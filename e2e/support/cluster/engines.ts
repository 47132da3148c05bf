import { chmodSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type NatsServer,
  type PostgresServer,
  Swift,
  startNats,
  startPostgres,
} from '@lectern/server/testing'

/** PostgreSQL, NATS and an S3 server, with their data in a folder. */
export interface Engines {
  postgres: PostgresServer
  nats: NatsServer
  swift: Swift
  /** The settings with which servers reach them, as environment variables. */
  settings: Record<string, string>
  stop(): Promise<void>
}

export async function startEngines(
  folder: string,
  onLine: (line: string) => void = () => {},
): Promise<Engines> {
  mkdirSync(folder, { recursive: true })
  // PostgreSQL runs as a user of its own.
  for (const each of [folder, dirname(folder)]) chmodSync(each, 0o711)
  const [postgres, nats, swift] = await Promise.all([
    // Killed like the servers: what it has acknowledged must be there afterwards.
    startPostgres(join(folder, 'postgres')),
    startNats(),
    Swift.start(join(folder, 'swift')),
  ])
  onLine(`PostgreSQL runs, pid ${postgres.pid}`)
  onLine(`NATS runs at ${nats.url}, pid ${nats.pid}`)
  onLine(`Swift (S3) runs at ${swift.endpoint}`)
  const bucket = await swift.bucket('lectern')
  return {
    postgres,
    nats,
    swift,
    settings: {
      SVC_DB_URL: postgres.url,
      SVC_CLUSTER_NATS: nats.url,
      SVC_STORAGE_URL: bucket.Url,
      SVC_STORAGE_S3_ENDPOINT: bucket.S3Endpoint,
      SVC_STORAGE_S3_REGION: bucket.S3Region,
      SVC_STORAGE_S3_ACCESS_KEY_ID: bucket.S3AccessKeyId,
      SVC_STORAGE_S3_SECRET_ACCESS_KEY: bucket.S3SecretAccessKey,
    },
    stop: async () => {
      await Promise.all([postgres.stop(), nats.stop(), swift.stop()])
    },
  }
}
