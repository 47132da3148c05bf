import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PartnerClient } from '@lectern/partner'
import type { Browser, Page } from 'playwright-core'
import type { Classroom } from '../classroom/clients.ts'
import { openBrowser } from '../recording/people.ts'
import { Guests } from '../support/guests.ts'
import { type Service, startService } from '../support/lectern.ts'
import { busyBelow } from '../support/processes.ts'
import { isSmoke } from '../support/size.ts'
import { TaskProcess } from '../support/tasks.ts'

/** A page that shows few tiles at once, so that most of a class is not visible. */
const PHONE = { width: 390, height: 844 }
const VIDEO = { width: 320, height: 180 }
const SETTLE_MS = isSmoke ? 1_000 : 6_000
const MEASURE_MS = isSmoke ? 1_000 : 10_000
/** Those that fit on the page. */
const FEW = isSmoke ? 2 : 8

/** What a phone's page of a class costs, with few people and with `people`: it MUST NOT grow with those who are not visible. */
export async function measurePages(folder: string, people: number): Promise<void> {
  mkdirSync(folder)
  const service = await startService(folder, { settings: { SVC_SERVER_LOG_LEVEL: 'error' } })
  try {
    console.log('\na page of 390 x 844, with the others sending VP8 of 320 x 180')
    for (const size of [FEW, people]) {
      const { shown, received, cpu, kbps } = await measurePage(service, size)
      console.log(
        `  ${String(size).padStart(2)} people: ${shown} videos shown, ${received} received, ` +
          `${kbps.toFixed(0)} kbit/s, ${cpu.toFixed(2)} CPU s a second for the whole browser`,
      )
    }
  } finally {
    await service.program.stop()
  }
}

async function measurePage(service: Service, people: number) {
  const partner = new PartnerClient({ baseUrl: service.url, ...service.account })
  const { tag, teacher_join_url } = await partner.createRoom(`class-of-${people}`, {
    teacher: { display_name: 'Anna' },
  })
  const guests = new Guests(service)
  const students = new TaskProcess<Classroom>(
    fileURLToPath(new URL('../classroom/clients.ts', import.meta.url)),
  )
  const browser = await openBrowser()
  try {
    const tokens = await Promise.all(
      Array.from({ length: people - 1 }, (_, i) => guests.register(`Student ${i + 1}`)),
    )
    await students.run(
      'join',
      service.url,
      tokens.map(token => ({ tag, token })),
      VIDEO,
    )
    const page = await openRoom(browser.browser, teacher_join_url)
    await sleep(SETTLE_MS)
    const before = { cpu: busyBelow(browser.pid), bytes: (await statistics(page)).bytes }
    await sleep(MEASURE_MS)
    const { bytes, received } = await statistics(page)
    const seconds = MEASURE_MS / 1000
    return {
      shown: await page.locator('[data-tile] video').count(),
      received,
      kbps: ((bytes - before.bytes) * 8) / 1000 / seconds,
      cpu: (busyBelow(browser.pid) - before.cpu) / seconds,
    }
  } finally {
    await browser.close()
    students.stop()
  }
}

async function openRoom(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE })
  const page = await context.newPage()
  await page.addInitScript(keepConnections)
  await page.goto(link)
  for (const device of ['microphone', 'camera'])
    await page.getByRole('button', { name: `Turn off ${device}` }).click()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('region', { name: 'Controls' }).waitFor()
  return page
}

/** Runs in the page, before its scripts. */
function keepConnections(): void {
  const connections: RTCPeerConnection[] = []
  const Connection = window.RTCPeerConnection
  Object.assign(window, { lecternConnections: connections })
  window.RTCPeerConnection = class extends Connection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      connections.push(this)
    }
  }
}

/** Bytes that the page has received, and how many videos it receives. */
const statistics = (page: Page) =>
  page.evaluate(async () => {
    const { lecternConnections } = window as unknown as { lecternConnections: RTCPeerConnection[] }
    const sum = { bytes: 0, received: 0 }
    for (const connection of lecternConnections)
      for (const entry of (await connection.getStats()).values()) {
        if (entry.type !== 'inbound-rtp') continue
        sum.bytes += entry.bytesReceived
        if (entry.kind === 'video' && entry.framesPerSecond > 0) sum.received += 1
      }
    return sum
  })
