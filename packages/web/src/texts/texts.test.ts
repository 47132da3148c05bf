import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CALL_END_REASONS } from '../call/end-reasons.ts'
import { ROUTES } from '../connection-test/connection-test.ts'
import { DEVICE_PROBLEMS } from '../devices/problem.ts'
import { PROBLEMS, REASONS } from '../link/resolve.ts'
import { UPLOAD_REFUSALS } from '../uploads/upload.ts'
import { LANGUAGES, type LanguageName } from './languages.ts'
import { loaders } from './loaders.ts'
import { baseOf, flatten, type Tree, textDefects } from './testing/text-defects.ts'
import { changeLanguage, createTexts, loadHomeTexts, loadRoomTexts } from './texts.ts'

const LANGUAGE_NAMES = Object.keys(LANGUAGES) as LanguageName[]
const PARTS = ['core', 'room', 'roomParts', 'board', 'home', 'admin'] as const

/** The word for meetings, which no text of a partner's lesson has. */
const MEETING: Record<LanguageName, RegExp> = {
  ar: /اجتماع/,
  de: /meeting/i,
  en: /meeting/i,
  es: /reuni/i,
  fr: /réunion/i,
  pt: /reuni/i,
  ru: /встреч/i,
  tr: /toplantı/i,
}

/** All parts of a language in one tree. */
async function allOf(language: LanguageName): Promise<Tree> {
  const parts = await Promise.all(PARTS.map(async part => (await loaders[language][part]()) as Tree))
  return parts.reduce(merge)
}

/** Some groups of texts are in two parts: what the prejoin screen needs loads first. */
function merge(one: Tree, other: Tree): Tree {
  const isGroup = (value: Tree[string] | undefined) => typeof value === 'object'
  const both = Object.entries(other).map(([key, each]) => {
    const before = one[key]
    return [key, isGroup(each) && isGroup(before) ? merge(before as Tree, each as Tree) : each] as const
  })
  return { ...one, ...Object.fromEntries(both) }
}

/** The keys that the source uses, with their variants for a context: t('a.b'), and t(`a.${b}.c`) as a pattern. */
function usedKeys(): RegExp[] {
  const root = fileURLToPath(new URL('../', import.meta.url))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const source = files
    .filter(file => /(?<!\.test)\.tsx?$/.test(file))
    .map(file => readFileSync(root + file, 'utf8'))
    .join('\n')
  return [...source.matchAll(/\bt\(\s*['`]([^'`]+)['`]/g)].map(([, key = '']) => {
    const parts = key.split(/\$\{[^}]*\}/).map(part => part.replaceAll('.', '\\.'))
    return new RegExp(`^${parts.join('[^.]+')}(_teacher)?$`)
  })
}

describe('texts', () => {
  it.each(LANGUAGE_NAMES)('in %s have the keys, plural forms and placeholders of English', async language => {
    expect(textDefects(language, await allOf(language), await allOf('en'))).toEqual([])
  })

  it('contain every key that the source uses, and no other', async () => {
    const used = usedKeys()
    const keys = flatten(await allOf('en')).map(([key]) => baseOf(key))
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter(pattern => !keys.some(key => pattern.test(key)))).toEqual([])
    expect(keys.filter(key => !used.some(pattern => pattern.test(key)))).toEqual([])
  })

  it.each(Object.entries(MEETING))('in %s call a lesson no meeting', async (language, word) => {
    const texts = flatten((await loaders[language as LanguageName].room()) as Tree)
    const keys = new Set(texts.map(([key]) => key))
    const ofLessons = texts.filter(([key]) => !keys.has(`${key}_teacher`))
    expect(ofLessons.filter(([, text]) => word.test(text))).toEqual([])
  })

  it('cover every refusal, problem and end reason', async () => {
    const [en, room, parts] = await Promise.all([
      loaders.en.core(),
      loaders.en.room(),
      loaders.en.roomParts(),
    ])
    expect(Object.keys(en.refused).sort()).toEqual([...REASONS].sort())
    expect(Object.keys(en.problem)).toEqual(expect.arrayContaining([...PROBLEMS]))
    expect(Object.keys(en.deviceProblem).sort()).toEqual([...DEVICE_PROBLEMS].sort())
    expect(Object.keys(parts.callEnded)).toEqual(expect.arrayContaining([...CALL_END_REASONS]))
    expect(Object.keys(en.connection)).toEqual(expect.arrayContaining([...ROUTES]))
    expect(Object.keys(room.upload.refused).sort()).toEqual([...UPLOAD_REFUSALS])
  })
})

describe('the comparison of texts', () => {
  const english = { a: { b: 'Hello {{name}}' }, days_one: '{{count}} day', days_other: '{{count}} days' }

  it('names texts that are missing, superfluous, empty or have other placeholders', () => {
    const arabic = {
      a: { b: 'مرحبا {{nom}}', c: 'x' },
      days_zero: 'لا أيام',
      days_one: ' ',
      days_two: 'يومان',
      days_few: 'أيام',
      days_other: '{{count, number}} يوم',
    }
    expect(textDefects('ar', arabic, english)).toEqual([
      'ar: days_many is missing',
      'ar: a.b has other placeholders',
      'ar: a.c is not in English, or no plural form of this language',
      'ar: days_one is empty',
      'ar: days_few has other placeholders',
    ])
    expect(textDefects('de', { a: { b: '{{name}}' }, days_two: 'x' }, english)).toEqual([
      'de: days_one is missing',
      'de: days_other is missing',
      'de: days_two is not in English, or no plural form of this language',
    ])
  })
})

describe('createTexts', () => {
  it('uses the chosen language', async () => {
    const russian = await createTexts(['ru-RU', 'en'])
    expect(russian.t('invitation.until', { time: '11:00' })).toBe('до 11:00')
    const english = await createTexts(['en-GB'])
    expect(english.t('invitation.until', { time: "a & b's" })).toBe("until a & b's")
  })

  it('chooses the plural form, with the number in the format of the locale', async () => {
    const russian = await createTexts(['ru'])
    await loadRoomTexts(russian)
    expect([1, 3, 5, 21].map(count => russian.t('people.devices', { count }))).toEqual([
      '1 устройство',
      '3 устройства',
      '5 устройств',
      '21 устройство',
    ])
    const arabic = await createTexts(['ar-EG'])
    await loadRoomTexts(arabic)
    const forms = [0, 1, 2, 3, 11, 100].map(count => arabic.t('people.devices', { count }))
    expect(new Set(forms).size).toBe(6)
    expect(forms[3]).toContain('٣')
  })

  it.each(LANGUAGE_NAMES)('falls back to English for texts that are missing in %s', async language => {
    const texts = await createTexts([language])
    texts.addResource('en', 'translation', 'onlyEnglish', 'Hello')
    expect(texts.t('onlyEnglish' as 'chat.send')).toBe('Hello')
  })
})

describe('loadHomeTexts', () => {
  it('adds the texts of signed-in users, also in a language that is chosen later', async () => {
    const texts = await createTexts(['en'])
    expect(texts.exists('home.pages.meetings')).toBe(false)
    await loadHomeTexts(texts)
    expect(texts.t('home.pages.meetings')).toBe('Meetings')
    await changeLanguage(texts, ['ru'])
    expect([texts.t('home.pages.meetings'), texts.t('menu.title')]).toEqual(['Встречи', 'Меню'])
  })

  it('loads them in the language that was chosen before', async () => {
    const texts = await createTexts(['ru'])
    await loadHomeTexts(texts)
    expect(texts.t('home.back')).toBe('Назад')
  })
})
