import { expect, it } from 'vitest'
import { toWebVtt } from './web-vtt.ts'

it('escapes names and words, which cannot break the WebVTT', () => {
  const phrases = [
    { from_ms: 1_000, to_ms: 2_500, speaker: 'Anna <A>\n', text: 'Hello & welcome\n\n--> x' },
    { from_ms: 3_723_400, to_ms: 3_723_400, speaker: 'ענת', text: 'Привет' },
  ]
  expect(toWebVtt(phrases)).toBe(
    [
      'WEBVTT',
      '',
      '00:00:01.000 --> 00:00:02.500',
      '<v Anna &lt;A&gt;>Hello &amp; welcome --&gt; x',
      '',
      '01:02:03.400 --> 01:02:03.900',
      '<v ענת>Привет',
      '',
    ].join('\n'),
  )
  expect(toWebVtt([])).toBe('WEBVTT\n')
})
