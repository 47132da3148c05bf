import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, testSeed } from '@lectern/common/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryPath, useFolders } from '../../support/folders.ts'
import { ensureBuilt } from '../../support/lectern.ts'
import { usePrograms } from '../../support/program.ts'
import { pushSettings } from '../../support/push-settings.ts'
import { waitFor } from '../../support/wait.ts'

const ACCOUNTS = 200
const KILLS = 5
const LATEST_KILL_MS = 150
const HOUR_MS = 3_600_000

const makeFolder = useFolders()
const run = usePrograms()
const seed = testSeed()
const random = seededRandom(seed)

/** Requests of each endpoint that were accepted. */
const accepted = new Map<string, number>()
let requests = 0

/** Its first answer to an endpoint may be late, an error, or none. */
const pushService = createServer(async (request, response) => {
  const path = request.url ?? ''
  const isFirst = !accepted.has(path)
  requests++
  request.resume()
  if (isFirst && random() < 0.1) return void request.socket.destroy()
  if (isFirst && random() < 0.1) return void response.writeHead(503).end()
  accepted.set(path, (accepted.get(path) ?? 0) + 1)
  if (isFirst) await sleep(random() * 100)
  response.writeHead(201).end()
})

beforeAll(async () => {
  ensureBuilt()
  await new Promise<void>(done => pushService.listen(0, '127.0.0.1', done))
})
afterAll(() => {
  pushService.closeAllConnections()
  pushService.close()
})

describe('kill -9 while pushes are sent', () => {
  it('loses none, and repeats only those in flight', async () => {
    const { SVC_PUSH_VAPID_PUBLIC_KEY: publicKey = '', SVC_PUSH_VAPID_PRIVATE_KEY: privateKey = '' } =
      pushSettings()
    const origin = `http://127.0.0.1:${(pushService.address() as AddressInfo).port}`
    const store = join(makeFolder(), 'main.db')
    const start = (round: number) => {
      const settings = [store, origin, String(ACCOUNTS), String(round * HOUR_MS), publicKey, privateKey]
      return run(process.execPath, [repositoryPath('e2e/support/push-sender.ts'), ...settings])
    }
    let kills = 0
    for (let round = 0; round < KILLS; round++) {
      const before = requests
      const sender = start(round)
      await sender.waitForOutput(/started/)
      await waitFor(() => requests > before || sender.stdout.includes('finished'), 'something is sent')
      await sleep(random() * LATEST_KILL_MS)
      if (!sender.stdout.includes('finished')) kills++
      await sender.kill('SIGKILL')
    }
    // Failed attempts and leases of killed senders are an hour old for the next one, whose clock is ahead.
    let isFinished = false
    for (let round = KILLS; !isFinished; round++) {
      const sender = start(round)
      await sender.waitForOutput(/started/)
      await Promise.race([sender.ended, sleep(5_000)])
      isFinished = sender.stdout.includes('finished')
      await sender.kill('SIGKILL')
    }
    const repeated = [...accepted.values()].filter(count => count > 1)
    console.log(`${kills} kills, ${requests} requests, ${repeated.length} repeated`)
    expect(kills).toBeGreaterThan(0)
    expect(accepted.size).toBe(ACCOUNTS)
    expect(Math.max(...accepted.values())).toBeLessThanOrEqual(1 + kills)
  })
})

describe('kill -9 between a call and its notification', () => {
  it('delays the notification, but does not lose it', async () => {
    const { SVC_PUSH_VAPID_PUBLIC_KEY: publicKey = '', SVC_PUSH_VAPID_PRIVATE_KEY: privateKey = '' } =
      pushSettings()
    const origin = `http://127.0.0.1:${(pushService.address() as AddressInfo).port}`
    const store = join(makeFolder(), 'main.db')
    const start = (what: string) =>
      run(process.execPath, [
        repositoryPath('e2e/support/push-call.ts'),
        what,
        store,
        origin,
        publicKey,
        privateKey,
      ])
    const first = start('store')
    await first.waitForOutput(/stored/)
    await first.kill('SIGKILL')
    expect(accepted.has('/call')).toBe(false)
    const second = start('recover')
    await waitFor(() => accepted.has('/call'), 'the call is notified')
    await second.kill('SIGKILL')
  })
})
