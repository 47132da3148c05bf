import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPartners, START, type TestPartners } from '../../partners/webhooks/testing/partners.ts'
import { OperatorError } from './checks.ts'
import { WebhookAdminService } from './webhooks.ts'

const failed = { is: 'failed', responseStatus: 400, error: 'HTTP 400' } as const

let partners: TestPartners
let admin: WebhookAdminService
beforeEach(async () => {
  partners = await openPartners()
  admin = new WebhookAdminService(partners.deliveries, partners.webhooks, partners.clock)
  await partners.add('school', 1, { url: 'https://partner.example/hook' })
  for (const id of ['wh_1', 'wh_2', 'wh_3']) {
    await partners.addDelivery('school', id)
    partners.pass(1000)
  }
})
afterEach(() => partners.close())

const lease = (id: string) =>
  partners.deliveries.lease([id], { token: 'ours', untilMs: partners.clock() + 20_000 }, partners.clock())
const fail = async (id: string) => {
  await lease(id)
  await partners.deliveries.settle(id, 'ours', failed, partners.clock())
}

describe('WebhookAdminService', () => {
  it('lists deliveries, newest first, and reports whether more exist', async () => {
    await fail('wh_2')
    const ids = async (filter: Parameters<WebhookAdminService['deliveries']>[0]) => {
      const { deliveries, more } = await admin.deliveries(filter)
      return [...deliveries.map(({ id }) => id), ...(more ? ['more'] : [])]
    }
    expect(await ids({ limit: 3 })).toEqual(['wh_3', 'wh_2', 'wh_1'])
    expect(await ids({ limit: 2 })).toEqual(['wh_3', 'wh_2', 'more'])
    expect(await ids({ limit: 9, status: 'failed' })).toEqual(['wh_2'])
    expect(await ids({ limit: 9, status: 'cancelled' })).toEqual([])
  })

  it('makes a failed delivery due again, with the same body and fresh attempts', async () => {
    await fail('wh_1')
    const before = await partners.deliveries.find('wh_1')
    expect(await admin.replay('wh_1')).toMatchObject({
      status: 'pending',
      attempts: 0,
      nextAttemptAtMs: START + 3000,
    })
    expect(await lease('wh_1')).toMatchObject([{ id: 'wh_1', body: before?.body }])
  })

  it('rejects a delivery that is unknown, being sent, or of a disabled account', async () => {
    const refusal = (id: string) => expect(admin.replay(id)).rejects
    await refusal('wh_9').toThrow(new OperatorError('There is no delivery wh_9.', 'delivery_not_found'))
    await lease('wh_1')
    await refusal('wh_1').toThrow(/^The delivery wh_1 is being sent right now\.$/)
    await partners.serviceAccounts.update('school', { enabled: false })
    await refusal('wh_2').toThrow(/^The webhook of school, or the account itself, is disabled\.$/)
  })
})
