import { useSyncExternalStore } from 'react'
import { clock } from './clock.ts'

const today = () => new Date(clock.get()).toDateString()

/** The local day. What names days relative to it renders again at midnight. */
export const useToday = (): string => useSyncExternalStore(clock.subscribe, today)
