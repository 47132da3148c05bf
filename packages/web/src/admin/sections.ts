import type { ComponentType } from 'react'
import { AuditSection } from './sections/AuditSection.tsx'
import { JobsSection } from './sections/JobsSection.tsx'
import { PushSection } from './sections/PushSection.tsx'
import { RecordingsSection } from './sections/RecordingsSection.tsx'
import { RoomsSection } from './sections/RoomsSection.tsx'
import { ServiceAccountsSection } from './sections/ServiceAccountsSection.tsx'
import { SessionsSection } from './sections/SessionsSection.tsx'
import { TranscriptsSection } from './sections/TranscriptsSection.tsx'
import { WebhooksSection } from './sections/WebhooksSection.tsx'
import { UsersSection } from './users/UsersSection.tsx'

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
