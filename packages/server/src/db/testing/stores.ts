import { sql } from 'kysely'
import { describeAuthSessionStore } from '../../accounts/auth-sessions.contract.ts'
import { describeInvitationStore } from '../../accounts/invitations.contract.ts'
import { describeUserStore } from '../../accounts/users.contract.ts'
import { describeAuditStore } from '../../audit/audit.contract.ts'
import { describeParticipantStore } from '../../integration/participants.contract.ts'
import { describeRoomStore } from '../../integration/rooms.contract.ts'
import { describeServiceAccountStore } from '../../integration/service-accounts.contract.ts'
import { describeDeliveryStore } from '../../integration/webhooks/deliveries.contract.ts'
import { describeWebhookStore } from '../../integration/webhooks/webhooks.contract.ts'
import { auditStore } from '../audit.ts'
import { authSessionStore } from '../auth-sessions.ts'
import { deliveryStore } from '../integration/deliveries.ts'
import { participantStore } from '../integration/participants.ts'
import { roomStore } from '../integration/rooms.ts'
import { serviceAccountStore } from '../integration/service-accounts.ts'
import { webhookStore } from '../integration/webhooks.ts'
import { invitationStore } from '../invitations.ts'
import { userStore } from '../users.ts'
import { describeDeletedAccounts } from './deleted-accounts.ts'
import type { TestStores } from './test-stores.ts'

export function describeStores({ main, integration }: TestStores): void {
  const partnerStores = async () => {
    const db = await integration()
    return {
      deliveries: deliveryStore(db),
      webhooks: webhookStore(db),
      serviceAccounts: serviceAccountStore(db),
    }
  }

  describeDeletedAccounts(main)
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
}
