import { sql } from 'kysely'
import { describeAuthSessionStore } from '../../../accounts/auth-sessions.contract.ts'
import { describeInvitationStore } from '../../../accounts/invitations.contract.ts'
import { authSessionStore } from '../../../accounts/stores/auth-sessions.ts'
import { invitationStore } from '../../../accounts/stores/invitations.ts'
import { userStore } from '../../../accounts/stores/users.ts'
import { describeUserStore } from '../../../accounts/users.contract.ts'
import { describeAuditStore } from '../../../operations/audit/audit.contract.ts'
import { auditStore } from '../../../operations/stores/audit.ts'
import { describeParticipantStore } from '../../../partners/participants.contract.ts'
import { describeRoomStore } from '../../../partners/rooms.contract.ts'
import { describeServiceAccountStore } from '../../../partners/service-accounts.contract.ts'
import { deliveryStore } from '../../../partners/stores/deliveries.ts'
import { participantStore } from '../../../partners/stores/participants.ts'
import { roomStore } from '../../../partners/stores/rooms.ts'
import { serviceAccountStore } from '../../../partners/stores/service-accounts.ts'
import { webhookStore } from '../../../partners/stores/webhooks.ts'
import { describeDeliveryStore } from '../../../partners/webhooks/deliveries.contract.ts'
import { describeWebhookStore } from '../../../partners/webhooks/webhooks.contract.ts'
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
