import { afterEach, describe, expect, it } from 'vitest'
import { jobStore } from '../db/jobs.ts'
import { openMainStore } from '../db/open.ts'
import { createLog } from '../log.ts'
import { Jobs } from './jobs.ts'
import { LATE_MS, LEASE_MS } from './limits.ts'

const SESSION = { sessionId: 42, tag: 'k7mq-x2wd9-rtnh' }
const recorder = { userId: 7, workerId: 'rec-1' }

let close = async () => {}
afterEach(() => close())

/** Jobs of one open session, with what they log. */
async function open() {
  const main = await openMainStore(':memory:')
  close = () => main.close()
  const time = { now: 1_700_000_000_000 }
  const lines: string[] = []
  const store = jobStore(main.db)
  const jobs = new Jobs({
    store,
    sessions: () => ({ isOpen: id => id === SESSION.sessionId, setRecording: () => {} }),
    workers: { tellAccount: () => {} },
    recordingParams: { profile: 'raw_tracks_v1' },
    clock: () => time.now,
    log: createLog('info', { write: line => void lines.push(line) }),
  })
  const pass = async (ms: number) => {
    time.now += ms
    await jobs.tick()
  }
  const logged = () => lines.splice(0).map(line => JSON.parse(line) as Record<string, unknown>)
  const settle = () => new Promise(resolve => setTimeout(resolve, 20))
  return { jobs, store, pass, logged, settle }
}

describe('jobs', () => {
  it('J11 are waited for without a word, and logged once when no recorder takes them', async () => {
    const { jobs, pass, logged, settle } = await open()
    jobs.began(SESSION, 'partner')
    await settle()
    await pass(LATE_MS - 1)
    expect(logged()).toEqual([])
    for (let i = 0; i < 3; i++) await pass(1_000)
    expect(logged()).toMatchObject([
      { level: 'warn', msg: 'no worker takes a job; it waits for one', conference_session_id: 42 },
    ])
    expect((await jobs.lease(recorder, 'recording', [])).job).toMatchObject({ scope: 'partner_auto' })
  })

  it('J11 that cannot be queued are logged, and nobody is kept waiting', async () => {
    const { jobs, store, logged, settle } = await open()
    store.add = async () => {
      throw new Error('disk full')
    }
    jobs.began(SESSION, 'partner')
    await settle()
    expect(logged()).toMatchObject([{ level: 'error', msg: 'a recording could not be queued' }])
  })

  it('J13 begin by themselves for no ordinary conference', async () => {
    const { jobs, store, settle } = await open()
    jobs.began(SESSION, 'ordinary')
    await settle()
    expect(await store.goingOn()).toEqual([])
  })

  it('J2 are logged when a worker has lost them', async () => {
    const { jobs, pass, logged } = await open()
    await jobs.startRecording(SESSION)
    await jobs.lease(recorder, 'recording', [])
    await pass(LEASE_MS)
    expect(logged()).toMatchObject([{ level: 'warn', msg: 'the lease of a job ran out', attempts: 1 }])
  })

  it('J5 that fail are logged with what the worker says of it', async () => {
    const { jobs, logged } = await open()
    await jobs.startRecording(SESSION)
    const { job } = await jobs.lease(recorder, 'recording', [])
    await jobs.finish(recorder, job?.job_id ?? '', { outcome: 'failed', result: { reason: 'disk full' } })
    expect(logged()).toMatchObject([{ level: 'error', msg: 'a job failed', result: { reason: 'disk full' } }])
  })
})
