import { Refusal } from '@lectern/protocol'
import { connect } from '@nats-io/transport-node'
import { beforeEach, describe, expect, it } from 'vitest'
import { useNetworks } from '../testing/use-networks.ts'
import { envelopeOf, introduce, signed, waitFor } from '../testing.ts'
import { OwnerRequests } from './owner-requests.ts'

describe('requests to the owner of a session', () => {
  const { closeAfterTest, networks, nats } = useNetworks()

  /** The owners of sessions. */
  const rows = new Map<string, string>()
  /** How often owners were looked up. */
  let lookups = 0
  beforeEach(() => {
    rows.clear()
    lookups = 0
  })

  async function join(self: string) {
    const network = await networks.open(self)
    const done: string[] = []
    const local = new Set<string>()
    const requests = new OwnerRequests({
      network,
      self,
      isLocal: tag => local.has(tag),
      findOwner: async tag => {
        lookups += 1
        return rows.get(tag) ?? null
      },
      actions: {
        end: async ({ tag, reason }) => {
          done.push(`end ${tag} ${reason}`)
          return null
        },
        start_transcription: async ({ tag, options }) => {
          if (options.language === 'xx') throw new Refusal('not_configured', 'No model.')
          done.push(`transcribe ${tag}`)
          return local.has(tag)
        },
        list_inside: async () => [],
        find_inside: async () => null,
        preview: async () => null,
        perform_for_platform: async () => null,
        stop_transcription: async () => false,
      },
    })
    closeAfterTest(() => requests.stop())
    return { requests, done, local, network }
  }

  it('OWNER-1 runs on the server that owns the session, and locally when none is open', async () => {
    const [a, b] = await Promise.all([join('a'), join('b')])
    rows.set('lesson', 'b')
    b.local.add('lesson')
    await networks.settle()
    expect(await a.requests.perform('start_transcription', { tag: 'lesson', options: {} })).toBe(true)
    expect(await a.requests.perform('start_transcription', { tag: 'none', options: {} })).toBe(false)
    await b.requests.perform('end', { tag: 'lesson', reason: 'closed' })
    expect([a.done, b.done]).toEqual([['transcribe none'], ['transcribe lesson', 'end lesson closed']])
  })

  it('OWNER-2 passes refusals of the owner on', async () => {
    const [a, b] = await Promise.all([join('a'), join('b')])
    rows.set('lesson', 'b')
    b.local.add('lesson')
    await networks.settle()
    const request = a.requests.perform('start_transcription', { tag: 'lesson', options: { language: 'xx' } })
    expect(await request.catch(error => error)).toMatchObject({
      code: 'not_configured',
      message: 'No model.',
    })
  })

  it('OWNER-3 waits while the owner is dead, and continues where the session was taken over', async () => {
    const [a, b] = await Promise.all([join('a'), join('b')])
    rows.set('lesson', 'dead')
    await networks.settle()
    const request = a.requests.perform('start_transcription', { tag: 'lesson', options: {} })
    await waitFor(() => lookups >= 2, 'the dead owner was asked and found again')
    rows.set('lesson', 'b')
    b.local.add('lesson')
    expect(await request).toBe(true)
    expect([a.done, b.done]).toEqual([[], ['transcribe lesson']])
  })

  it('OWNER-4 repeats the request when the session has moved meanwhile', async () => {
    const [a, , c] = await Promise.all([join('a'), join('b'), join('c')])
    rows.set('lesson', 'b') // b has lost it already
    c.local.add('lesson')
    await networks.settle()
    const request = a.requests.perform('stop_transcription', { tag: 'lesson' })
    rows.set('lesson', 'c')
    expect(await request).toBe(false)
  })

  it('OWNER-5 answers temporarily_unavailable without NATS, and still works for local sessions', async () => {
    const [a] = await Promise.all([join('a'), join('b')])
    rows.set('lesson', 'b')
    rows.set('own', 'a')
    a.local.add('own')
    await nats().kill()
    await waitFor(() => !a.network.isConnected)
    const away = await a.requests.perform('end', { tag: 'lesson', reason: 'closed' }).catch(error => error)
    expect(away).toMatchObject({ code: 'temporarily_unavailable', status: 503 })
    await a.requests.perform('end', { tag: 'own', reason: 'closed' })
    expect(a.done).toEqual(['end own closed'])
    await nats().restart()
  })

  it('OWNER-6 refuses unknown verbs', async () => {
    await join('a')
    await networks.settle()
    const raw = await connect({ servers: nats().url })
    await introduce(raw, 'x', 'a')
    let seq = 1
    const ask = async (verb: string, body: unknown) => {
      const subject = `server.a.do.${verb}`
      const request = signed(subject, JSON.stringify({ v: 1, from: 'x', seq: ++seq, body }))
      return envelopeOf(await raw.request(`test.${subject}`, request))
    }
    expect(await ask('fly', { tag: 'lesson' })).toMatchObject({ error: { code: 'unsupported' } })
    expect(await ask('constructor', { tag: 'lesson' })).toMatchObject({ error: { code: 'unsupported' } })
    expect(await ask('end', null)).toMatchObject({ error: { code: 'unsupported' } })
    expect(await ask('end', { tag: 'lesson', reason: 'closed', soon: 1 })).toMatchObject({
      body: { is: 'moved' },
    })
    await raw.close()
  })
})
