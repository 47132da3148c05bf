import { expect, it } from 'vitest'
import { goForward, opusPackets, rtp } from '../testing/speech.ts'
import { OpusAudio } from './opus.ts'
import { joined, loudness, msOf } from './samples.ts'

const speech = goForward()

async function decode(packets: Buffer[], lost: (index: number) => boolean = () => false) {
  const opus = await OpusAudio.open()
  const parts = packets.flatMap((payload, index) =>
    lost(index) ? [] : [...opus.decode(rtp(payload, index))],
  )
  opus.close()
  return joined(parts)
}

it.each([1, 2])('decodes packets with %i channels into what was said', async channels => {
  const decoded = await decode(await opusPackets(speech, channels))
  expect(Math.abs(msOf(decoded) - msOf(speech))).toBeLessThan(50)
  expect(loudness(decoded) / loudness(speech)).toBeCloseTo(1, 0)
})

it('is silent where packets are missing, and keeps the time', async () => {
  const packets = await opusPackets(speech)
  const whole = await decode(packets)
  const holed = await decode(packets, index => index >= 40 && index < 60)
  expect(holed.length).toBe(whole.length)
  expect(loudness(holed.subarray(16 * 20 * 40, 16 * 20 * 60))).toBe(0)
  expect(loudness(holed.subarray(0, 16 * 20 * 40))).toBe(loudness(whole.subarray(0, 16 * 20 * 40)))
})

it('fills a pause once: in time while it lasts, or afterwards', async () => {
  const packets = await opusPackets(speech.subarray(0, 16_000))
  const opus = await OpusAudio.open()
  const ms = (parts: Iterable<Int16Array>) => msOf(joined([...parts]))
  expect(ms(opus.decode(rtp(packets[0] as Buffer, 0)))).toBe(20)
  expect(ms(opus.fill(500))).toBe(500)
  expect(ms(opus.fill(500))).toBe(0)
  expect(ms(opus.fill(800))).toBe(300)
  expect(ms(opus.decode(rtp(packets[1] as Buffer, 51)))).toBe(220) // 1 s was missing
  expect(ms(opus.fill(60_000))).toBe(3_000)
  opus.close()
})

it('survives packets that are no Opus', async () => {
  const opus = await OpusAudio.open()
  for (const payload of [Buffer.alloc(0), Buffer.from([255]), Buffer.alloc(1_400, 0xff)])
    expect(() => [...opus.decode(rtp(payload, 1))]).not.toThrow()
  const [packet] = await opusPackets(speech.subarray(0, 16_000))
  expect([...opus.decode(rtp(packet as Buffer, 2))].length).toBeGreaterThan(0)
  opus.close()
})
