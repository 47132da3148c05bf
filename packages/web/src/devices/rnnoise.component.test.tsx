import { describe, expect, it } from 'vitest'
import { Rnnoise } from './rnnoise.ts'

const aMicrophone = () => {
  const destination = new MediaStreamAudioDestinationNode(new AudioContext({ sampleRate: 48_000 }))
  return destination.stream.getAudioTracks()[0] as MediaStreamTrack
}

describe('strong noise suppression', () => {
  it('is there for whoever leaves while it loads, and comes back at once', async () => {
    const rnnoise = new Rnnoise()
    const leaving = rnnoise.load()
    rnnoise.close()
    await Promise.all([rnnoise.load(), leaving])
    expect(rnnoise.suppress(aMicrophone())?.kind).toBe('audio')
    rnnoise.close()
  })

  it('leaves nothing behind for whoever leaves while it loads', async () => {
    const rnnoise = new Rnnoise()
    const leaving = rnnoise.load()
    rnnoise.close()
    await leaving
    expect(rnnoise.suppress(aMicrophone())).toBeNull()
  })
})
