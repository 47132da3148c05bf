import { describe, expect, it } from 'vitest'
import { encodingOf } from './encodings.ts'

const ofSize = (width?: number, height?: number) => ({
  getSettings: () => ({ ...(width && { width }), ...(height && { height }) }),
  contentHint: '',
})

const scalesOf = (codec: string, width?: number, height?: number) =>
  encodingOf('camera', codec, ofSize(width, height)).encodings?.map(each => each.scaleResolutionDownBy)

describe('a camera', () => {
  it.each([
    [1920, 1080, [4, 2, 1]],
    [1280, 720, [4, 2, 1]],
    [720, 1280, [4, 2, 1]],
    [960, 540, [4, 2, 1]],
    [640, 480, [2, 1]],
    [640, 360, [2, 1]],
    [480, 270, [2, 1]],
    [320, 240, [1]],
    [320, 180, [1]],
    [160, 120, [1]],
  ])(
    'of %ix%i offers no more encodings than browsers keep, the last one in full size',
    (width, height, scales) => {
      for (const codec of ['video/VP8', 'video/H264']) expect(scalesOf(codec, width, height)).toEqual(scales)
    },
  )

  it('assumes a large camera while the size is unknown', () => {
    expect(scalesOf('video/VP8')).toEqual([4, 2, 1])
  })

  it('uses one encoding with three layers where the codec is scalable, whatever the size', () => {
    for (const codec of ['video/VP9', 'video/AV1'])
      for (const size of [ofSize(1280, 720), ofSize(320, 240)])
        expect(encodingOf('camera', codec, size).encodings).toMatchObject([{ scalabilityMode: 'L3T3_KEY' }])
  })
})

describe('a microphone', () => {
  const encodingFor = (contentHint: string) =>
    encodingOf('microphone', 'video/VP8', { ...ofSize(), contentHint })

  it('sends voice without silence, music in stereo without gaps', () => {
    expect(encodingFor('speech').codecOptions).toEqual({ opusDtx: true, opusFec: true })
    expect(encodingFor('music').codecOptions).toMatchObject({
      opusStereo: true,
      opusDtx: false,
      opusMaxAverageBitrate: 160_000,
    })
  })
})

describe('on a slow connection', () => {
  it('audio goes before the screen, and the screen before the camera', () => {
    const prioritiesOf = (source: 'microphone' | 'screen_audio' | 'screen' | 'camera') =>
      encodingOf(source, 'video/VP8', ofSize(1280, 720)).encodings?.map(each => each.priority)
    expect(prioritiesOf('microphone')).toEqual(['high'])
    expect(prioritiesOf('screen_audio')).toEqual(['high'])
    expect(prioritiesOf('screen')).toEqual(['medium'])
    expect(prioritiesOf('camera')).toEqual(['low', 'low', 'low'])
  })
})
