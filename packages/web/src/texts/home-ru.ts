import { home } from './ru/home.ts'
import { meetings } from './ru/meetings.ts'
import type { HomeTexts } from './texts.ts'

export const homeRu: HomeTexts = { home, meetings }
