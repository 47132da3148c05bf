import {
  Blocks,
  CalendarDays,
  Clapperboard,
  ContactRound,
  MessagesSquare,
  Phone,
  Settings,
  ShieldCheck,
} from 'lucide-react'
import { AdministrationPage } from './admin/AdministrationPage.tsx'
import { CallsPage } from './calls/CallsPage.tsx'
import { ContactsPage } from './contacts/ContactsPage.tsx'
import { ConversationsPage } from './conversations/ConversationsPage.tsx'
import type { HomePage } from './home-page.ts'
import { IntegrationsPage } from './integrations/IntegrationsPage.tsx'
import { MeetingsPage } from './meetings/MeetingsPage.tsx'
import { RecordingsPage } from './recordings/RecordingsPage.tsx'
import { SettingsPage } from './settings/SettingsPage.tsx'

/** All pages of signed-in users, in the order of the navigation. */
export const homePages: readonly HomePage[] = [
  {
    name: 'conversations',
    icon: MessagesSquare,
    Page: ConversationsPage,
    isInBar: true,
    countNews: ({ unmuted_unread_conversations }) => unmuted_unread_conversations,
  },
  {
    name: 'contacts',
    icon: ContactRound,
    Page: ContactsPage,
    isInBar: true,
    countNews: ({ contacts }) => contacts.filter(({ state }) => state === 'incoming').length,
  },
  {
    name: 'calls',
    icon: Phone,
    Page: CallsPage,
    isInBar: true,
    countNews: ({ missed_calls }) => missed_calls,
  },
  { name: 'meetings', icon: CalendarDays, Page: MeetingsPage, isInBar: true },
  { name: 'recordings', icon: Clapperboard, Page: RecordingsPage },
  { name: 'settings', icon: Settings, Page: SettingsPage },
  { name: 'integrations', icon: Blocks, Page: IntegrationsPage, isForOwners: true },
  { name: 'admin', icon: ShieldCheck, Page: AdministrationPage, capability: 'admin' },
]
