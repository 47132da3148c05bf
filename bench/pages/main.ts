import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PartnerClient } from '@lectern/partner'
import { freePort } from '@lectern/server/testing'
import lighthouse from 'lighthouse'
import { chromium } from 'playwright-core'
import { startService } from '../support/lectern.ts'
import { size } from '../support/size.ts'
import { spread } from '../support/statistics.ts'

// Lighthouse on a join link, for a first visit on a mobile phone: its mobile preset simulates a slow 4G network and a
// quarter of the CPU speed. Prints Lighthouse's scores without a comparison.

const ROUNDS = size('ROUNDS', 5, 1)
const AIMS = { performance: 0.95, accessibility: 1, 'best-practices': 1 }
const METRICS = {
  'first-contentful-paint': 'ms',
  'largest-contentful-paint': 'ms',
  'total-blocking-time': 'ms',
  'speed-index': 'ms',
  'cumulative-layout-shift': '',
  'total-byte-weight': 'B',
}
type Category = keyof typeof AIMS

const ARGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--use-fake-device-for-media-stream']

/** Runs Lighthouse on the page in a new browser profile. */
async function visit(url: string) {
  const port = await freePort()
  const args = [...ARGS, `--remote-debugging-port=${port}`]
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args })
  try {
    const result = await lighthouse(url, { port, onlyCategories: Object.keys(AIMS), logLevel: 'error' })
    if (!result || result.lhr.runtimeError) throw new Error(result?.lhr.runtimeError?.message ?? 'no report')
    if (process.env.REPORT) writeFileSync(process.env.REPORT, JSON.stringify(result.lhr))
    return result.lhr
  } finally {
    await browser.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const service = await startService(folder)
try {
  const partner = new PartnerClient({ baseUrl: service.url, ...service.account })
  const { student_join_url: link } = await partner.createRoom('lesson', {
    title: 'Algebra, lesson 12',
    starts_at: '2030-09-01T10:00:00+03:00',
    ends_at: '2030-09-01T10:45:00+03:00',
    teacher: { display_name: 'Anna Petrova' },
    student: { display_name: 'Ben' },
  })
  const reports = []
  for (let round = 0; round < ROUNDS; round++) reports.push(await visit(link))
  console.log(`Lighthouse, mobile, ${ROUNDS} visits; medians (min–max)`)
  for (const [category, aim] of Object.entries(AIMS)) {
    const scores = reports.map(({ categories }) => categories[category as Category]?.score ?? 0)
    console.log(`${category.padEnd(26)} ${spread(scores, 2)}, aim ${aim}`)
  }
  for (const [metric, unit] of Object.entries(METRICS)) {
    const values = reports.map(({ audits }) => audits[metric]?.numericValue ?? Number.NaN)
    console.log(`${metric.padEnd(26)} ${spread(values, unit ? 0 : 3)} ${unit}`)
  }
  const failed = new Set(
    reports.flatMap(({ audits, categories }) =>
      (['accessibility', 'best-practices'] as const).flatMap(category =>
        (categories[category]?.auditRefs ?? [])
          .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
          .map(({ id }) => `${category}: ${audits[id]?.title}`),
      ),
    ),
  )
  for (const line of failed) console.log(`failed, ${line}`)
} finally {
  await service.program.stop()
  rmSync(folder, { recursive: true, force: true })
}
