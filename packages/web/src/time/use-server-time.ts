import { useValue } from '../use-value.ts'
import { clock } from './clock.ts'
import { serverTime } from './server-time.ts'

/** The time of the server, every second. For what times of the server are compared with. */
export const useServerTime = (): number => serverTime(useValue(clock))
