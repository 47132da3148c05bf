import { loadavg } from 'node:os'
import type { Page } from 'playwright-core'

const TIMEOUT_MS = 10_000

/** What servers answer and pages show, for the report of a lesson that does not recover: a line each. */
export async function describeState(servers: string[], pages: Page[]): Promise<string> {
  const states = await Promise.all([...servers.map(health), ...pages.map(text)])
  return [`load average: ${loadavg().join(' ')}`, ...states].join('\n')
}

async function health(server: string): Promise<string> {
  const answer = fetch(new URL('/healthz', server), { signal: AbortSignal.timeout(TIMEOUT_MS) })
  return `${server}: ${await answer.then(({ status }) => status, String)}`
}

async function text(page: Page): Promise<string> {
  const body = await page.locator('body').textContent({ timeout: TIMEOUT_MS }).catch(String)
  return `page: ${body?.replaceAll(/\s+/g, ' ')}`
}
