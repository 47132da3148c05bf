import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { describeAuthSessionStore } from '../../accounts/auth-sessions.contract.ts'
import { describeInvitationStore } from '../../accounts/invitations.contract.ts'
import { describeUserStore } from '../../accounts/users.contract.ts'
import { describeAuditStore } from '../../audit/audit.contract.ts'
import { describeParticipantStore } from '../../integration/participants.contract.ts'
import { describeRoomStore } from '../../integration/rooms.contract.ts'
import { describeServiceAccountStore } from '../../integration/service-accounts.contract.ts'
import { describeDeliveryStore } from '../../integration/webhooks/deliveries.contract.ts'
import { describeWebhookStore } from '../../integration/webhooks/webhooks.contract.ts'
import { Lifetime } from '../../lifetime.ts'
import { createLog } from '../../log.ts'
import { auditStore } from '../audit.ts'
import { authSessionStore } from '../auth-sessions.ts'
import { deliveryStore } from '../integration/deliveries.ts'
import { participantStore } from '../integration/participants.ts'
import { roomStore } from '../integration/rooms.ts'
import { serviceAccountStore } from '../integration/service-accounts.ts'
import { webhookStore } from '../integration/webhooks.ts'
import { invitationStore } from '../invitations.ts'
import { openIntegrationStore, openMainStore } from '../open.ts'
import { userStore } from '../users.ts'

const dir = mkdtempSync(join(tmpdir(), 'lectern-stores-'))
const lifetime = new Lifetime(createLog('silent'))
lifetime.own('folder', dir, () => rmSync(dir, { recursive: true }))
afterAll(lifetime.close)

let files = 0
const newFile = () => join(dir, `${++files}.db`)
const main = async () => lifetime.own('store', await openMainStore(newFile()), store => store.close()).db
const integration = async () =>
  lifetime.own('store', await openIntegrationStore(newFile()), store => store.close()).db

const partnerStores = async () => {
  const db = await integration()
  return {
    deliveries: deliveryStore(db),
    webhooks: webhookStore(db),
    serviceAccounts: serviceAccountStore(db),
  }
}

describeUserStore(async () => userStore(await main()))
describeAuthSessionStore(async () => {
  const db = await main()
  return { users: userStore(db), sessions: authSessionStore(db) }
})
describeInvitationStore(async () => {
  const db = await main()
  return { users: userStore(db), sessions: authSessionStore(db), invitations: invitationStore(db) }
})
describeAuditStore(async () => {
  const db = await main()
  return { audit: auditStore(db), execute: text => sql.raw(text).execute(db) }
})
describeServiceAccountStore(async () => serviceAccountStore(await integration()))
describeRoomStore(async () => roomStore(await integration()))
describeParticipantStore(async () => participantStore(await integration()))
describeWebhookStore(partnerStores)
describeDeliveryStore(partnerStores)
