import { describe } from 'vitest'
import {
  describeAdministrationLists,
  describePartnerLists,
  describeSampleStore,
} from '../../admin/lists.contract.ts'
import { administrationLists } from '../administration.ts'
import { partnerLists } from '../integration/administration.ts'
import { deliveryStore } from '../integration/deliveries.ts'
import { roomStore } from '../integration/rooms.ts'
import { webhookStore } from '../integration/webhooks.ts'
import { jobStore } from '../jobs.ts'
import { recordingStore } from '../recordings.ts'
import { sampleStore } from '../samples.ts'
import { describeLargeLists } from './large-lists.ts'
import type { TestStores } from './test-stores.ts'

export function describeAdministrationStores(stores: TestStores): void {
  const { main, integration } = stores
  describeAdministrationLists(async () => {
    const db = await main()
    return { lists: administrationLists(db), jobs: jobStore(db), recordings: recordingStore(db) }
  })
  describePartnerLists(async () => {
    const db = await integration()
    return {
      lists: partnerLists(db),
      rooms: roomStore(db),
      webhooks: webhookStore(db),
      deliveries: deliveryStore(db),
    }
  })
  describeSampleStore(async () => sampleStore(await main()))
  describe('lists of administrators', () => describeLargeLists(stores))
}
