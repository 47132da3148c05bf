import { afterEach, expect, it, vi } from 'vitest'
import { FakeTrack } from '../testing/held-job.ts'
import { goForward, opusPackets, rtpBytes } from '../testing/speech.ts'
import { durationMs } from './samples.ts'
import { TrackDecoder } from './track-decoder.ts'

afterEach(() => void vi.useRealTimers())

it('ignores what arrives after it was closed', async () => {
  const samples = vi.fn()
  const decoder = await TrackDecoder.open(samples)
  const track = new FakeTrack('42.1.1')
  track.setListener({ packet: rtp => decoder.packet(rtp), report() {}, paused() {}, ended() {} })
  const packets = await opusPackets(goForward())
  track.send(packets.slice(0, 50))
  decoder.close()
  const before = samples.mock.calls.length
  expect(before).toBeGreaterThan(0)
  track.send(packets.slice(50))
  expect(samples).toHaveBeenCalledTimes(before)
})

it('passes the audio of real time and of a stall, however much a sender sends', async () => {
  const packets = await opusPackets(goForward())
  vi.useFakeTimers({ toFake: ['performance'] })
  let passedMs = 0
  const decoder = await TrackDecoder.open(samples => {
    passedMs += durationMs(samples)
  })
  let sent = 0
  const send = (seconds: number) => {
    for (let end = sent + seconds * 50; sent < end; sent++)
      decoder.packet(rtpBytes(packets[sent % packets.length] as Buffer, sent))
  }
  send(25)
  expect(passedMs).toBeGreaterThan(20_000)
  send(100)
  expect(passedMs).toBeLessThan(31_000)
  vi.advanceTimersByTime(10_000)
  send(100)
  expect(passedMs).toBeGreaterThan(35_000)
  expect(passedMs).toBeLessThan(44_000)
  decoder.close()
})
