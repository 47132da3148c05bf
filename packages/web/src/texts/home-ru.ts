import type { HomeTexts } from './catalogue.ts'
import { calls } from './ru/calls.ts'
import { home } from './ru/home.ts'
import { meetings } from './ru/meetings.ts'
import { recordings } from './ru/recordings.ts'

export const homeRu: HomeTexts = { calls, home, meetings, recordings }
