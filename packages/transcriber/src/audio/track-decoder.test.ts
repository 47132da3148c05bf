import { expect, it, vi } from 'vitest'
import { FakeTrack } from '../testing/held-job.ts'
import { goForward, opusPackets } from '../testing/speech.ts'
import { TrackDecoder } from './track-decoder.ts'

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
