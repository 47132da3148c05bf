import { describe, expect, it } from 'vitest'
import { transcriptName } from '../../save-file.ts'
import { StoredValue } from '../../stored-value.ts'
import { makeStorage } from '../../testing.ts'
import { writeText, writeVtt } from './export.ts'
import { captionsOf } from './lines.ts'
import { TranscriptionLanguage } from './transcription-language.ts'

const START = Date.UTC(2031, 4, 14, 9, 30)
const phraseAt = (seconds: number, text: string, display_name = 'Anna') => ({
  at_ms: START + seconds * 1000,
  display_name,
  participant_id: display_name,
  text,
})

describe('writeText', () => {
  it('writes time, name and text', () => {
    const text = writeText([phraseAt(61, 'Good morning.'), phraseAt(65, 'Hello.', 'Ben')], 'en-GB', 'UTC')
    expect(text).toBe('[09:31:01] Anna: Good morning.\n[09:31:05] Ben: Hello.\n')
  })
})

describe('writeVtt', () => {
  it('counts from the start of the session, with voice tags', () => {
    expect(writeVtt([phraseAt(3661.5, 'Good morning.')], START)).toBe(
      'WEBVTT\n\n01:01:00.500 --> 01:01:01.500\n<v Anna>Good morning.\n',
    )
  })

  it('escapes markup and line breaks', () => {
    const vtt = writeVtt([phraseAt(10, 'a < b --> c\n\nNOTE & more', '<b>Eve')], START)
    expect(vtt).toContain('<v &lt;b&gt;Eve>a &lt; b --&gt; c NOTE &amp; more\n')
  })

  it('does not overlap the cues of one speaker', () => {
    const long = 'a long sentence '.repeat(20)
    const vtt = writeVtt([phraseAt(9, 'first'), phraseAt(12, long), phraseAt(13, long, 'Ben')], START)
    expect(vtt.match(/^[\d:.]+ --> [\d:.]+/gm)).toEqual([
      '00:00:03.000 --> 00:00:13.000',
      '00:00:08.000 --> 00:00:09.000',
      '00:00:09.000 --> 00:00:12.000',
    ])
  })

  it('ends every cue after it starts, also of phrases that are published together', () => {
    const vtt = writeVtt(
      [phraseAt(0.2, 'one'), phraseAt(0.4, 'two'), phraseAt(9, 'three'), phraseAt(9, 'four')],
      START,
    )
    const times = [...vtt.matchAll(/^([\d:.]+) --> ([\d:.]+)/gm)]
    expect(times).toHaveLength(4)
    for (const [, start = '', end = ''] of times) expect(start < end).toBe(true)
  })

  it('sorts cues by their start, none before the session', () => {
    const vtt = writeVtt(
      [phraseAt(0, 'early'), phraseAt(9, 'short', 'Ben'), phraseAt(10, 'long '.repeat(50), 'Cleo')],
      START,
    )
    expect(vtt.match(/^[\d:.]+(?= -->)/gm)).toEqual(['00:00:00.000', '00:00:00.000', '00:00:08.000'])
  })
})

describe('the name of a saved transcript', () => {
  it('keeps letters of every language, and nothing that a system rejects', () => {
    expect(transcriptName('Algebra: quadratic / equations', 'vtt')).toBe('Algebra-quadratic-equations.vtt')
    expect(transcriptName('Урок №1', 'txt')).toBe('Урок-1.txt')
    const marked = ['हिन्दी', 'رِيَاضِيَّات', 'E\u0301cole']
    expect(marked.map(title => transcriptName(title, 'txt'))).toEqual(marked.map(title => `${title}.txt`))
    expect(transcriptName('𠮷'.repeat(100), 'txt')).toBe(`${'𠮷'.repeat(60)}.txt`)
    expect(transcriptName('../..', 'txt')).toBe('transcript.txt')
  })
})

describe('the language of a transcription', () => {
  const available = ['de', 'en-US']
  it('is the one chosen last, as long as it is available, else that of the page', () => {
    const storage = makeStorage()
    const open = (languages: string[], page = 'fr') =>
      new TranscriptionLanguage(languages, new StoredValue('language', () => storage), page)
    const first = open(available)
    expect([first.get(), open(available, 'en').get()]).toEqual(['de', 'en-US'])
    first.choose('fr')
    expect(first.get()).toBe('de')
    first.choose('en-US')
    expect([open(available).get(), open(['fr']).get(), open([]).get()]).toEqual(['en-US', 'fr', null])
  })
})

describe('captionsOf', () => {
  const phrase = (id: string, speaker: string, text: string) => ({
    phrase_id: id,
    participant_id: speaker,
    user_id: speaker,
    display_name: speaker,
    text,
    at_ms: 9_000,
  })
  const names = (id: string) => id.toUpperCase()

  it('shows partial phrases after recent ones, newest last', () => {
    const state = {
      recent: [phrase('2', 'ben', 'just now')],
      partials: new Map([['cleo', 'and I']]),
    }
    expect(captionsOf(state, names)).toEqual([
      { key: '2', name: 'ben', text: 'just now' },
      { key: 'partial cleo', name: 'CLEO', text: 'and I' },
    ])
  })

  it('shows two lines at most', () => {
    const recent = [1, 2, 3, 4, 5].map(number => phrase(`${number}`, 'anna', `${number}`))
    const shown = (partials: Map<string, string>) =>
      captionsOf({ recent, partials }, names).map(({ text }) => text)
    expect(shown(new Map())).toEqual(['4', '5'])
    expect(
      shown(
        new Map([
          ['ben', 'a'],
          ['cleo', 'b'],
          ['dan', 'c'],
        ]),
      ),
    ).toEqual(['b', 'c'])
  })
})
