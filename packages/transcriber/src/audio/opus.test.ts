import { expect, it } from 'vitest'
import { goForward, opusPackets, rtp } from '../testing/speech.ts'
import { OpusTrackDecoder } from './opus.ts'
import { concat, durationMs, rms } from './samples.ts'

const speech = goForward()

async function decode(packets: Buffer[], lost: (index: number) => boolean = () => false) {
  const opus = await OpusTrackDecoder.open()
  const parts = packets.flatMap((payload, index) =>
    lost(index) ? [] : [...opus.decode(rtp(payload, index))],
  )
  opus.close()
  return concat(parts)
}

it.each([1, 2])('decodes packets with %i channels', async channels => {
  const decoded = await decode(await opusPackets(speech, channels))
  expect(Math.abs(durationMs(decoded) - durationMs(speech))).toBeLessThan(50)
  expect(rms(decoded) / rms(speech)).toBeCloseTo(1, 0)
})

it('replaces lost packets by silence of the same length', async () => {
  const packets = await opusPackets(speech)
  const complete = await decode(packets)
  const withGap = await decode(packets, index => index >= 40 && index < 60)
  expect(withGap.length).toBe(complete.length)
  expect(rms(withGap.subarray(16 * 20 * 40, 16 * 20 * 60))).toBe(0)
  expect(rms(withGap.subarray(0, 16 * 20 * 40))).toBe(rms(complete.subarray(0, 16 * 20 * 40)))
})

it('fills each gap once, during it or afterwards', async () => {
  const packets = await opusPackets(speech.subarray(0, 16_000))
  const opus = await OpusTrackDecoder.open()
  const ms = (parts: Iterable<Int16Array>) => durationMs(concat([...parts]))
  expect(ms(opus.decode(rtp(packets[0] as Buffer, 0)))).toBe(20)
  expect(ms(opus.fillGap(500))).toBe(500)
  expect(ms(opus.fillGap(500))).toBe(0)
  expect(ms(opus.fillGap(800))).toBe(300)
  expect(ms(opus.decode(rtp(packets[1] as Buffer, 51)))).toBe(220) // 1 s was missing
  expect(ms(opus.fillGap(60_000))).toBe(3_000)
  opus.close()
})

it('ignores payloads that are not Opus', async () => {
  const opus = await OpusTrackDecoder.open()
  for (const payload of [Buffer.alloc(0), Buffer.from([255]), Buffer.alloc(1_400, 0xff)])
    expect(() => [...opus.decode(rtp(payload, 1))]).not.toThrow()
  const [packet] = await opusPackets(speech.subarray(0, 16_000))
  expect([...opus.decode(rtp(packet as Buffer, 2))].length).toBeGreaterThan(0)
  opus.close()
})
