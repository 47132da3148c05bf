import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, testSeed } from '@lectern/common/testing'
import { verifyWebhook } from '@lectern/partner'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryPath, useFolders } from '../../support/folders.ts'
import { ensureBuilt } from '../../support/lectern.ts'
import { usePrograms } from '../../support/program.ts'
import { waitFor } from '../../support/wait.ts'

const EVENTS = 300
const KILLS = 6
const LATEST_KILL_MS = 250
const HOUR_MS = 3_600_000
const SECRET = 'a secret of some length'

const makeFolder = useFolders()
const run = usePrograms()
const seed = testSeed()
const random = seededRandom(seed)

/** All received requests: bodies by delivery, and deliveries by job. */
const bodies = new Map<string, Set<string>>()
const ids = new Map<string, Set<string>>()
const unverified: unknown[] = []
let requests = 0
const requestsOf = new Map<string, number>()

/** A partner that verifies every signature; its first response may be slow, fail or disconnect. */
const partner = createServer(async (request, response) => {
  const rawBody = await buffer(request).catch(() => null)
  if (!rawBody) return // the sender was killed midway
  requests++
  try {
    const { id, data } = verifyWebhook({
      rawBody,
      headers: request.headers,
      secret: SECRET,
      toleranceSeconds: 1e6,
    })
    requestsOf.set(id, (requestsOf.get(id) ?? 0) + 1)
    const isNew = !bodies.has(id)
    bodies.set(id, (bodies.get(id) ?? new Set()).add(rawBody.toString()))
    const job = 'transcription' in data ? data.transcription.job_id : ''
    ids.set(job, (ids.get(job) ?? new Set()).add(id))
    if (isNew) return await receiveBadly(request, response)
  } catch (error) {
    unverified.push(error)
  }
  response.writeHead(204).end()
})

async function receiveBadly(request: IncomingMessage, response: ServerResponse) {
  const mood = random()
  if (mood < 0.15) return request.socket.destroy()
  if (mood < 0.5) await sleep(random() * 100)
  response.writeHead(mood < 0.3 ? 503 : 204).end()
}

beforeAll(async () => {
  ensureBuilt()
  await new Promise<void>(done => partner.listen(0, '127.0.0.1', done))
})
afterAll(() => {
  partner.closeAllConnections()
  partner.close()
})

describe('kill -9 while webhooks are sent', () => {
  it('loses, duplicates and changes no delivery (EVENT-2)', async () => {
    const url = `http://127.0.0.1:${(partner.address() as AddressInfo).port}/hook`
    const store = join(makeFolder(), 'integration.db')
    const start = (round: number) => {
      const settings = [store, url, SECRET, String(EVENTS), String(round * HOUR_MS)]
      return run(process.execPath, [repositoryPath('e2e/support/webhook-sender.ts'), ...settings])
    }

    for (let round = 0; round < KILLS; round++) {
      const before = requests
      const sender = start(round)
      await sender.waitForOutput(/started/)
      await waitFor(() => requests > before || sender.stdout.includes('statuses'), 'something is sent')
      await sleep(random() * LATEST_KILL_MS)
      await sender.kill('SIGKILL')
    }
    // Failed attempts and leases of killed senders are an hour old for the next one, whose clock is ahead.
    let outcome: RegExpExecArray | null = null
    for (let round = KILLS; !outcome; round++) {
      const sender = start(round)
      await sender.waitForOutput(/started/)
      await Promise.race([sender.ended, sleep(5_000)])
      outcome = /\{.*\}/.exec(sender.stdout)
      await sender.kill('SIGKILL')
    }

    console.log(`${EVENTS} events, ${requests} requests`)
    expect(unverified).toEqual([])
    const { statuses, attempts } = JSON.parse(outcome[0])
    expect(statuses).toEqual(Array(EVENTS).fill('delivered'))
    // The history has each attempt, those of killed senders included.
    for (const [id, count] of requestsOf) expect(attempts[id], id).toBeGreaterThanOrEqual(Math.min(count, 20))
    expect(ids.size).toBe(EVENTS)
    expect([...ids.values()].every(({ size }) => size === 1)).toBe(true)
    expect([...bodies.values()].every(({ size }) => size === 1)).toBe(true)
  })
})
