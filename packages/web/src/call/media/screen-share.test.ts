import { describe, expect, it } from 'vitest'
import { aTrack } from '../testing/transports.ts'
import type { DesiredTrack } from './publisher.ts'
import { ScreenShare } from './screen-share.ts'
import { ShareFailure } from './share-problem.ts'

function startScreenShare() {
  const desired: Record<'audio' | 'video', DesiredTrack> = { audio: null, video: null }
  const [video, audio] = [aTrack(), aTrack()]
  const screen = new ScreenShare(
    {
      video: { setDesired: track => void Object.assign(desired, { video: track }) },
      audio: { setDesired: track => void Object.assign(desired, { audio: track }) },
    },
    async () => ({ video: video.track, audio: audio.track }),
  )
  return { screen, desired, video, audio }
}

describe('ScreenShare', () => {
  it('pauses and resumes the sound while the screen is shared', async () => {
    const { screen, desired, audio } = startScreenShare()
    await screen.start()
    screen.toggleSound()
    expect([screen.get().sound, desired.audio?.paused, audio.fake.enabled]).toEqual(['off', true, false])
    expect(desired.video).not.toBeNull()
    screen.toggleSound()
    expect([screen.get().sound, desired.audio?.paused, audio.fake.enabled]).toEqual(['on', false, true])
  })

  it('sends no sound while audio is forbidden, and waits for the user afterwards', async () => {
    const { screen, desired, audio } = startScreenShare()
    screen.permitSound(false)
    await screen.start()
    screen.toggleSound()
    expect([screen.get().sound, desired.audio?.paused, audio.fake.enabled]).toEqual([
      'forbidden',
      true,
      false,
    ])
    screen.permitSound(true)
    expect([screen.get().sound, desired.audio?.paused]).toEqual(['off', true])
    screen.toggleSound()
    screen.turnSoundOff()
    expect([screen.get().sound, desired.audio?.paused, audio.fake.enabled]).toEqual(['off', true, false])
    screen.toggleSound()
    screen.permitSound(false)
    expect([screen.get().sound, desired.audio?.paused, audio.fake.enabled]).toEqual([
      'forbidden',
      true,
      false,
    ])
  })

  it('continues without sound when the shared tab is replaced by one that has none', async () => {
    const { screen, desired, audio } = startScreenShare()
    await screen.start()
    audio.fake.end()
    expect(screen.get()).toMatchObject({ on: true, sound: 'none' })
    expect(desired.audio).toBeNull()
    screen.toggleSound()
    expect(screen.get().sound).toBe('none')
  })

  it('reports why it is impossible, until the user has read it', async () => {
    const nobody = { setDesired: () => {} }
    const screen = new ScreenShare({ video: nobody, audio: nobody }, async () => {
      throw new ShareFailure('unsupported')
    })
    await screen.start()
    expect(screen.get()).toMatchObject({ on: false, busy: false, problem: 'unsupported' })
    screen.dismissProblem()
    expect(screen.get().problem).toBeNull()
  })

  it('shares the screen and its audio', async () => {
    const { screen, desired, video, audio } = startScreenShare()
    await screen.start()
    expect(screen.get()).toMatchObject({ on: true, busy: false, track: video.track, sound: 'on' })
    expect(desired.video?.track).toBe(video.track)
    expect(desired.audio?.track).toBe(audio.track)
  })

  it('begins with sharp text, and is optimised for video on request until it ends', async () => {
    const { screen, video } = startScreenShare()
    screen.optimiseForVideo(true) // nothing is shared yet
    await screen.start()
    expect([screen.get().isForVideo, video.fake.contentHint]).toEqual([false, 'text'])
    screen.optimiseForVideo(true)
    expect([screen.get().isForVideo, video.fake.contentHint]).toEqual([true, 'motion'])
    expect(video.fake.constraints).toEqual({ frameRate: { ideal: 30, max: 30 } })
    screen.optimiseForVideo(false)
    expect([screen.get().isForVideo, video.fake.contentHint]).toEqual([false, 'text'])
    screen.optimiseForVideo(true)
    screen.stop()
    await screen.start()
    expect([screen.get().isForVideo, video.fake.contentHint]).toEqual([false, 'text'])
  })

  it("ends, audio included, when the browser's own button is used", async () => {
    const { screen, desired, video, audio } = startScreenShare()
    await screen.start()
    video.fake.end()
    expect(screen.get()).toMatchObject({ on: false, track: null })
    expect(desired).toEqual({ audio: null, video: null })
    expect(audio.fake.readyState).toBe('ended')
  })

  it('does not report a cancelled dialog as a failure', async () => {
    const refuses = async () => {
      throw new DOMException('no', 'NotAllowedError')
    }
    const nobody = { setDesired: () => {} }
    const screen = new ScreenShare({ video: nobody, audio: nobody }, refuses)
    await screen.start()
    expect(screen.get()).toMatchObject({ on: false, busy: false, problem: null })
  })
})
