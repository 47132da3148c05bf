import type { TestParticipant } from './test-harness.ts'

/** A browser tab of an account. */
export interface Tab {
  name: string
  device: number
  guest: TestParticipant | null
  lostAt: number | null
  isBusy: boolean
  connections: number
}

export const newTab = (name: string, device: number): Tab => ({
  name,
  device,
  guest: null,
  lostAt: null,
  isBusy: false,
  connections: 0,
})
