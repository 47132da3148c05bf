import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { type Account, useLectern } from './lectern.ts'

export const execute = promisify(execFile)

/** What the story of each client prints: the same for all languages. */
export const storyOf = (room: string) => ({
  version: 'v1',
  title: 'Algebra',
  again: 'Algebra',
  links: true,
  moved: 'Geometry',
  same: true,
  put: [true, false, ['title']],
  list: [[room], null],
  status: ['scheduled', false],
  webhook: [true, false, true],
  rotation: [true, null],
  test: ['webhook.test', 204, true],
  replay: [true, true],
  deliveries: [1, true, true],
  // The secrets with which a receiver accepts a delivery before, during and after the overlap.
  secrets: [
    ['the-first-secret-of-the-partner'],
    ['the-first-secret-of-the-partner', 'the-second-secret-of-the-partner'],
    ['the-second-secret-of-the-partner'],
  ],
  deleted: false,
  recordings: [],
  blob: '404 blob_not_found',
  missing: '404 room_not_found',
  ended: ['cancelled', 'closed'],
})

/** A story waits for what it causes; longer than this it waits in vain. */
const STORY_TIMEOUT_MS = 60_000

/**
 * Runs a service and a receiver of webhooks for the stories of clients, which use every endpoint. `runStory`
 * runs the story of a client in a room, and returns what it prints.
 */
export function usePartnerStories() {
  const lectern = useLectern(() => ({ SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1' }))
  let account: Account
  beforeAll(async () => {
    account = await lectern.addAccount('school', ['integration:rooms', 'blob'])
    await lectern.command('user', 'set', 'school-backend', '--capability', 'recordings.access')
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
  })
  afterAll(() => receiver.close())

  /** What was posted to each path, as it came; `GET` returns it. */
  const received = new Map<string, { headers: [string, string][]; body: string }[]>()
  const receiver = createServer(async (request, response) => {
    const { url = '', method, rawHeaders } = request
    const deliveries = received.get(url) ?? []
    if (method === 'GET') return response.end(JSON.stringify(deliveries))
    const headers = rawHeaders.flatMap((name, i): [string, string][] =>
      i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? '']] : [],
    )
    received.set(url, [...deliveries, { headers, body: (await buffer(request)).toString() }])
    response.writeHead(204).end()
  })

  const runStory = async (
    room: string,
    program: string,
    args: string[],
    { cwd, client }: { cwd?: string; client?: string },
  ): Promise<unknown> => {
    const env = {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      LECTERN_URL: lectern.url,
      LECTERN_ACCOUNT: account.serviceAccount,
      LECTERN_SECRET: account.clientSecret,
      ...(client && { LECTERN_CLIENT: client }),
      LECTERN_ROOM: room,
      LECTERN_WEBHOOK: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${encodeURIComponent(room)}`,
    }
    const { stdout } = await execute(program, args, { env, cwd, timeout: STORY_TIMEOUT_MS })
    return JSON.parse(stdout)
  }
  return { lectern, account: () => account, runStory }
}
