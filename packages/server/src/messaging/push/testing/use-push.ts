import { afterEach, beforeEach, expect } from 'vitest'
import type { MessageStored } from '../../../domain-events.ts'
import { TestBrowser } from './browser.ts'
import { openPushHarness, type PushHarness, until, vapid } from './harness.ts'
import { type PushAnswer, startPushService, type TestPushService } from './push-service.ts'

/** An account with a browser, whose push service is ours; a new one for each test. */
export function usePush(): Push {
  const push = new Push()
  beforeEach(() => push.open())
  afterEach(() => push.service.close())
  return push
}

class Push {
  harness!: PushHarness
  service!: TestPushService
  browser!: TestBrowser
  /** The id of the recipient. */
  anna!: number

  async open() {
    this.harness = await openPushHarness()
    this.service = await startPushService(vapid.publicKey)
    this.browser = new TestBrowser()
    this.anna = (await this.harness.addUser('anna')).id
  }

  message(text = 'Are you there?', chatId = 'direct:1-9', id = '1'): MessageStored {
    return {
      message: { id, userId: 999_999, displayName: 'Ben', text, sentAtMs: this.harness.clock() },
      chat: { id: chatId, kind: 'direct', title: '' },
      recipients: [{ userId: this.anna, isMuted: false }],
    }
  }

  call() {
    return {
      call: {
        id: '1',
        revision: 1,
        video: true,
        inviter: { userId: 999_999, displayName: 'Ben' },
        ringsUntilMs: this.harness.clock() + 45_000,
      },
      userIds: [this.anna],
    }
  }

  stopped(reason: 'answered' | 'declined' | 'missed', id = '1') {
    return {
      call: { id, revision: 2, inviter: { userId: 999_999, displayName: 'Ben' } },
      people: [{ userId: this.anna, reason }],
    }
  }

  subscribe(answer?: PushAnswer, name = 'anna') {
    return this.harness.subscribe(this.browser.subscription(this.anna, this.service.endpoint(name, answer)))
  }

  /** Until nothing is left to be delivered. */
  untilEmpty() {
    return until(async () => expect(await this.harness.deliveries.pending()).toMatchObject({ count: 0 }))
  }

  records() {
    return this.harness.deliveries.list(100)
  }

  logged() {
    return this.harness.lines.join('')
  }
}
