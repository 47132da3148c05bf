import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { settle } from '../testing/call-harness.ts'
import { FakeControl } from '../testing/fake-control.ts'
import { Offers } from './offers.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const subject = {
  conference_session_id: '1',
  participant_instance_id: 'p1',
  publication_id: 'pub1',
  endpoint_id: 'e1',
  rtc_node_id: 'node',
  route_generation: '1',
  scope: 'audio',
} as const

function made() {
  const control = new FakeControl()
  control.acceptsOffers = false
  control.start()
  const outcome: string[] = []
  const offers = new Offers(control, () => outcome.push('back'))
  const offer = () =>
    offers.offer(subject, { format: 'ortc' }).then(
      () => outcome.push('taken'),
      (error: Error) => outcome.push(error.message),
    )
  const answer = (at: number, body = {}) => {
    const made = control.offers[at]
    if (made) offers.handleAnswer(made.media.negotiation_id, body)
  }
  return { control, offers, offer, answer, outcome }
}

describe('Offers', () => {
  it('resolves when the server accepts the offer', async () => {
    const { control, offer, answer, outcome } = made()
    void offer()
    expect(control.offers).toMatchObject([{ media: subject, body: { format: 'ortc' } }])
    answer(0)
    await settle()
    expect(outcome).toEqual(['taken'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it("rejects with the server's reason", async () => {
    const { offer, answer, outcome } = made()
    void offer()
    answer(0, { error: { code: 'temporarily_unavailable', extensions: { reason: 'gone' } } })
    await settle()
    expect(outcome).toEqual(['gone'])
  })

  it('repeats an unanswered offer as a new negotiation after a reconnect', async () => {
    const { control, offer, answer, outcome } = made()
    void offer()
    void offer()
    answer(0)
    control.disconnect()
    control.reconnect()
    expect(control.offers).toHaveLength(3)
    expect(new Set(control.offers.map(({ media }) => media.negotiation_id)).size).toBe(3)
    answer(1)
    answer(2)
    await settle()
    expect(outcome).toEqual(['back', 'taken', 'taken'])
  })

  it('keeps an offer that is made while disconnected', async () => {
    const { control, offer, answer, outcome } = made()
    control.disconnect()
    void offer()
    expect(control.offers).toHaveLength(0)
    control.reconnect()
    answer(0)
    await settle()
    expect(outcome).toEqual(['back', 'taken'])
  })

  it('repeats an offer when the connection was lost while the endpoint was being opened', async () => {
    const { control, outcome } = made()
    control.disconnect()
    const offers = new Offers(control, () => outcome.push('back of the second'))
    control.reconnect()
    void offers.offer(subject, { format: 'ortc' }).then(() => outcome.push('taken'))
    control.disconnect()
    control.reconnect()
    expect(control.offers).toHaveLength(2)
    offers.handleAnswer(control.offers[1]?.media.negotiation_id ?? '', {})
    await settle()
    expect(outcome).toEqual(['back', 'back of the second', 'back', 'back of the second', 'taken'])
  })

  it('rejects after the timeout, and when it is closed', async () => {
    const { offers, offer, outcome } = made()
    void offer()
    await vi.advanceTimersByTimeAsync(15_000)
    void offer()
    offers.close()
    await settle()
    expect(outcome).toEqual(['no answer', 'closed'])
    expect(vi.getTimerCount()).toBe(0)
  })
})
