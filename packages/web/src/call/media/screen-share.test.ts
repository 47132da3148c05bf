import { describe, expect, it } from 'vitest'
import { aTrack } from '../testing/transports.ts'
import type { DesiredTrack } from './publisher.ts'
import { ScreenShare } from './screen-share.ts'

function aScreen() {
  const wishes: Record<'audio' | 'video', DesiredTrack> = { audio: null, video: null }
  const [video, audio] = [aTrack(), aTrack()]
  const screen = new ScreenShare(
    {
      video: { setDesired: wanted => void Object.assign(wishes, { video: wanted }) },
      audio: { setDesired: wanted => void Object.assign(wishes, { audio: wanted }) },
    },
    async () => ({ video: video.track, audio: audio.track }),
  )
  return { screen, wishes, video, audio }
}

describe('Screen', () => {
  it('shares the picture and its sound', async () => {
    const { screen, wishes, video, audio } = aScreen()
    await screen.start()
    expect(screen.get()).toMatchObject({ on: true, busy: false, track: video.track })
    expect(wishes.video?.track).toBe(video.track)
    expect(wishes.audio?.track).toBe(audio.track)
  })

  it('ends with the button of the browser, sound included', async () => {
    const { screen, wishes, video, audio } = aScreen()
    await screen.start()
    video.fake.end()
    expect(screen.get()).toMatchObject({ on: false, track: null })
    expect(wishes).toEqual({ audio: null, video: null })
    expect(audio.fake.readyState).toBe('ended')
  })

  it('takes a person who changed their mind for no failure', async () => {
    const refuses = async () => {
      throw new DOMException('no', 'NotAllowedError')
    }
    const nobody = { setDesired: () => {} }
    const screen = new ScreenShare({ video: nobody, audio: nobody }, refuses)
    await screen.start()
    expect(screen.get()).toMatchObject({ on: false, busy: false, failed: false })
  })
})
