import { CalendarDays, Clapperboard, Phone, Settings } from 'lucide-react'
import { CallsPage } from './calls/CallsPage.tsx'
import { MeetingsPage } from './meetings/MeetingsPage.tsx'
import type { HomePage } from './page.ts'
import { RecordingsPage } from './recordings/RecordingsPage.tsx'
import { SettingsPage } from './settings/SettingsPage.tsx'

/** All pages of signed-in users, in the order of the navigation. */
export const homePages: readonly HomePage[] = [
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
]
