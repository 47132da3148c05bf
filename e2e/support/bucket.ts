import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { Swift } from '@lectern/server/testing'
import { afterAll, beforeAll } from 'vitest'
import { useFolders } from './folders.ts'

/** A bucket of a real S3 server, behind a connection that can hold back the pieces of uploads. */
export function useBucket() {
  const makeFolder = useFolders()
  /** The settings of the service; complete when its first start reads them. */
  const settings: Record<string, string> = {}
  let onHeld: (() => void) | null = null
  let target = 0

  const relay = createServer(client => {
    const server = connect(target, '127.0.0.1')
    let isHeld = false
    client.on('data', chunk => {
      if (onHeld && chunk.includes('partNumber=')) {
        isHeld = true
        onHeld()
      }
      if (!isHeld) server.write(chunk)
    })
    server.pipe(client)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => {}).once('close', () => other.destroy())
  })

  let swift: Swift
  beforeAll(async () => {
    swift = await Swift.start(makeFolder())
    target = Number(new URL(swift.endpoint).port)
    await once(relay.listen(0, '127.0.0.1'), 'listening')
    const bucket = await swift.bucket('lessons', 'lectern')
    Object.assign(settings, {
      SVC_STORAGE_URL: bucket.Url,
      SVC_STORAGE_S3_ENDPOINT: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
      SVC_STORAGE_S3_ACCESS_KEY_ID: bucket.S3AccessKeyId,
      SVC_STORAGE_S3_SECRET_ACCESS_KEY: bucket.S3SecretAccessKey,
    })
  })
  afterAll(async () => {
    relay.close()
    await swift.stop()
  })

  return {
    settings,
    /** Holds back pieces from now on; resolves when the first one is on its way. */
    holdPieces: () =>
      new Promise<void>(resolve => {
        onHeld = resolve
      }),
    passPieces: () => {
      onHeld = null
    },
  }
}
