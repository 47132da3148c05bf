import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { scriptOf } from './workers.ts'

/** Two documents are converted, each within 90 s. */
const WITHIN_MS = 200_000

/** Why the converter of this machine cannot convert office documents; null: it has converted some. */
export async function faultOfOffice(): Promise<string | null> {
  try {
    const args = [scriptOf('converter'), '--office', 'check']
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: WITHIN_MS })
    return stdout.trim() || null
  } catch (error) {
    return `The converter cannot be started: ${(error as Error).message.split('\n')[0]}`
  }
}
