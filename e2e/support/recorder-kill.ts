import { expect } from 'vitest'
import { standbyOf, workerOf } from './processes.ts'
import { waitFor } from './wait.ts'

/** Waits until another recorder of the service with this process could take over. */
export const waitForStandby = (pid: number) =>
  waitFor(() => standbyOf(pid, 'recorder'), 'a standby recorder is ready')

/** Kills the recorder; resolves when its standby has taken over. */
export async function killRecorder(pid: number): Promise<void> {
  const [active, standby] = [workerOf(pid, 'recorder'), standbyOf(pid, 'recorder')]
  process.kill(Number(active), 'SIGKILL')
  const next = await waitFor(() => {
    const found = workerOf(pid, 'recorder')
    return found !== active && found
  }, 'a recorder is active')
  expect.soft(next, 'the standby takes over').toBe(standby)
}
