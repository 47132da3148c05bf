import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import {
  describeAdministrationLists,
  describePartnerLists,
  describeSampleStore,
} from '../../admin/lists.contract.ts'
import { Lifetime } from '../../lifetime.ts'
import { createLog } from '../../log.ts'
import { administrationLists } from '../administration.ts'
import { partnerLists } from '../integration/administration.ts'
import { deliveryStore } from '../integration/deliveries.ts'
import { roomStore } from '../integration/rooms.ts'
import { webhookStore } from '../integration/webhooks.ts'
import { jobStore } from '../jobs.ts'
import { openIntegrationStore, openMainStore } from '../open.ts'
import { recordingStore } from '../recordings.ts'
import { sampleStore } from '../samples.ts'

const dir = mkdtempSync(join(tmpdir(), 'lectern-administration-stores-'))
const lifetime = new Lifetime(createLog('silent'))
lifetime.own('folder', dir, () => rmSync(dir, { recursive: true }))
afterAll(lifetime.close)

let files = 0
const newFile = () => join(dir, `${++files}.db`)
const main = async () => lifetime.own('store', await openMainStore(newFile()), store => store.close()).db
const integration = async () =>
  lifetime.own('store', await openIntegrationStore(newFile()), store => store.close()).db

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
