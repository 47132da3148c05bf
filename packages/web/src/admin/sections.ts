import type { ComponentType } from 'react'
import { ServiceAccountsSection } from './partners/ServiceAccountsSection.tsx'
import { JobsSection } from './records/JobsSection.tsx'
import { RecordingsSection } from './records/RecordingsSection.tsx'
import { TranscriptsSection } from './records/TranscriptsSection.tsx'
import { RoomsSection } from './rooms/RoomsSection.tsx'
import type { SectionName } from './section-names.ts'
import { SessionsSection } from './sessions/SessionsSection.tsx'
import { AuditSection } from './system/AuditSection.tsx'
import { PushSection } from './system/PushSection.tsx'
import { UsersSection } from './users/UsersSection.tsx'
import { WebhooksSection } from './webhooks/WebhooksSection.tsx'

/** `id`: of the thing that the address selects. */
export const sections: Record<SectionName, ComponentType<{ id: string | null }>> = {
  users: UsersSection,
  'service-accounts': ServiceAccountsSection,
  sessions: SessionsSection,
  rooms: RoomsSection,
  recordings: RecordingsSection,
  transcripts: TranscriptsSection,
  jobs: JobsSection,
  webhooks: WebhooksSection,
  push: PushSection,
  audit: AuditSection,
}
