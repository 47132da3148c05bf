import { describe } from 'vitest'
import {
  describeAdministrationLists,
  describePartnerLists,
  describeSampleStore,
} from '../../../operations/admin/lists.contract.ts'
import { administrationLists } from '../../../operations/stores/administration.ts'
import { sampleStore } from '../../../operations/stores/samples.ts'
import { partnerLists } from '../../../partners/stores/administration.ts'
import { deliveryStore } from '../../../partners/stores/deliveries.ts'
import { roomStore } from '../../../partners/stores/rooms.ts'
import { webhookStore } from '../../../partners/stores/webhooks.ts'
import { jobStore } from '../../../records/stores/jobs.ts'
import { recordingStore } from '../../../records/stores/recordings.ts'
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
