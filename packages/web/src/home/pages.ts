import { CalendarDays } from 'lucide-react'
import { MeetingsPage } from './meetings/MeetingsPage.tsx'
import type { HomePage } from './page.ts'

/** All pages of signed-in users, in the order of the navigation. */
export const homePages: readonly HomePage[] = [
  { name: 'meetings', icon: CalendarDays, Page: MeetingsPage, isInBar: true },
]
