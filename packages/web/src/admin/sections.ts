import type { ComponentType } from 'react'
import { RecordingsSection } from './meetings/RecordingsSection.tsx'
import { RoomsSection } from './meetings/RoomsSection.tsx'
import { SessionsSection } from './meetings/SessionsSection.tsx'
import { TranscriptsSection } from './meetings/TranscriptsSection.tsx'
import { ServiceAccountsSection } from './partners/ServiceAccountsSection.tsx'
import { AuditSection } from './system/AuditSection.tsx'
import { JobsSection } from './system/JobsSection.tsx'
import { PushSection } from './system/PushSection.tsx'
import { UsersSection } from './users/UsersSection.tsx'
import { WebhooksSection } from './webhooks/WebhooksSection.tsx'

/** The sections in the order of their links. `id`: of the thing that the address selects. */
export const sections = {
  users: UsersSection,
  sessions: SessionsSection,
  rooms: RoomsSection,
  recordings: RecordingsSection,
  transcripts: TranscriptsSection,
  jobs: JobsSection,
  webhooks: WebhooksSection,
  push: PushSection,
  'service-accounts': ServiceAccountsSection,
  audit: AuditSection,
} as const satisfies Record<string, ComponentType<{ id: string | null }>>

export type SectionName = keyof typeof sections
export const SECTIONS = Object.keys(sections) as SectionName[]
export const isSection = (name: string): name is SectionName => Object.hasOwn(sections, name)
