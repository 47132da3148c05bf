import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { delayed } from '../support/delayed.ts'
import { median, spread } from '../support/statistics.ts'

/** What a turned page shows: strokes of this colour, which the other page has not. */
type Shown = 'red' | 'dark'

interface Line {
  received(): number
}

interface Options {
  teacher: Page
  student: Page
  /** The student's. */
  line: Line
  rounds: number
  strokes: number
  roundTripMs: number
  bitsPerSecond: number
}

/**
 * How long it takes until the student sees the page to which the teacher turns: a page of red strokes, drawn by hand, behind one of
 * many dark ones, which comes over the line each time. Relative to a bare request of as many bytes over a line of its own.
 */
export async function measureTurns(options: Options): Promise<void> {
  const { teacher, student, line, rounds, strokes, roundTripMs, bitsPerSecond } = options
  const turns: number[] = []
  const openings: { ms: number; bytes: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const forward = await turn(teacher, student, 'PageDown', 'red')
    const before = line.received()
    const back = await turn(teacher, student, 'PageUp', 'dark')
    if (round === 0) continue // a warm-up
    turns.push(forward)
    openings.push({ ms: back, bytes: line.received() - before })
  }
  const bytes = median(openings.map(opening => opening.bytes))
  const bare = await bareRequests(bytes, rounds, roundTripMs / 2, bitsPerSecond)
  const ms = openings.map(opening => opening.ms)
  const speed = `at ${bitsPerSecond / 1e6} Mbit/s and ${roundTripMs} ms`
  console.log(`page change ${speed}: shown after ${spread(turns)} ms`)
  console.log(
    `a page of ${strokes} strokes ${speed}: shown after ${spread(ms)} ms, bare ${spread(bare)} ms for its ${(bytes / 1e6).toFixed(2)} MB`,
  )
  console.log(
    `  ratio ${spread(
      ms.map((each, index) => each / (bare[index] ?? Number.NaN)),
      2,
    )}`,
  )
}

async function turn(teacher: Page, student: Page, key: string, shown: Shown): Promise<number> {
  await student.waitForTimeout(500)
  const seen = whenShown(student, shown)
  await student.waitForTimeout(50) // until it is looked at
  const begun = Date.now()
  await teacher.keyboard.press(key)
  return (await seen) - begun
}

const whenShown = (page: Page, shown: Shown): Promise<number> =>
  page
    .locator('[data-tile=board] [role=img] canvas')
    .first()
    .evaluate(
      (canvas: HTMLCanvasElement, shown: Shown) =>
        new Promise<number>(resolve => {
          const look = () => {
            const part = [0, 0, Math.ceil(canvas.width / 8), Math.ceil(canvas.height / 4)] as const
            const data = canvas.getContext('2d')?.getImageData(...part).data ?? []
            for (let i = 0; i < data.length; i += 4) {
              const [red = 0, green = 0] = [data[i], data[i + 1]]
              // A canvas that has another size is black until it is painted.
              const isStroke = green > 20 && green < 90
              if (isStroke && (shown === 'red' ? red > 150 : red < 60)) return resolve(Date.now())
            }
            setTimeout(look, 5)
          }
          look()
        }),
      shown,
    )

/** The milliseconds of requests for so many bytes, one after the other on an open connection. */
async function bareRequests(
  bytes: number,
  rounds: number,
  delayMs: number,
  bitsPerSecond: number,
): Promise<number[]> {
  const body = Buffer.alloc(bytes)
  const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const line = await delayed((server.address() as AddressInfo).port, delayMs, bitsPerSecond)
  const times: number[] = []
  try {
    for (let round = 0; round <= rounds; round++) {
      const begun = performance.now()
      await (await fetch(`http://127.0.0.1:${line.port}`)).arrayBuffer()
      if (round > 0) times.push(performance.now() - begun)
    }
  } finally {
    line.close()
    server.close()
  }
  return times
}
