import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { Swift } from '@lectern/server/testing'
import { afterAll, beforeAll } from 'vitest'
import { useFolders } from './folders.ts'

interface Hold {
  /** In the first line of the request. */
  text: string
  /** So many pass before. */
  after?: number
  /** What does not arrive: the server has not done it yet, or it has. */
  what?: 'request' | 'answer'
}

/** A bucket of a real S3 server, behind a connection that can hold back requests or their answers. */
export function useBucket() {
  const makeFolder = useFolders()
  const folder = makeFolder()
  /** The settings of the service; complete when its first start reads them. */
  const settings: Record<string, string> = {}
  let hold: (Required<Hold> & { onHeld: () => void }) | null = null
  let target = 0

  const relay = createServer(client => {
    const server = connect(target, '127.0.0.1')
    let held: Hold['what']
    client.on('data', chunk => {
      if (hold && chunk.includes(hold.text) && hold.after-- <= 0) held = hold.what
      if (held === 'request') hold?.onHeld()
      else server.write(chunk)
    })
    server.on('data', chunk => {
      if (held === 'answer') hold?.onHeld()
      else client.write(chunk)
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => {}).once('close', () => other.destroy())
  })

  let swift: Swift
  beforeAll(async () => {
    swift = await Swift.start(folder)
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
    /** Where the server has its files. */
    folder,
    /** Holds back such requests from now on; resolves when the first one is on its way. */
    hold: ({ text, after = 0, what = 'request' }: Hold) =>
      new Promise<void>(onHeld => {
        hold = { text, after, what, onHeld }
      }),
    release: () => {
      hold = null
    },
  }
}
