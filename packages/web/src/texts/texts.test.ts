import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CALL_END_REASONS } from '../call/end-reasons.ts'
import { ROUTES } from '../connection-test/connection-test.ts'
import { DEVICE_PROBLEMS } from '../devices/problem.ts'
import { PROBLEMS, REASONS } from '../link/resolve.ts'
import { adminEn } from './admin-en.ts'
import { adminRu } from './admin-ru.ts'
import { en as coreEn } from './en.ts'
import { homeEn } from './home-en.ts'
import { homeRu } from './home-ru.ts'
import { ru as coreRu } from './ru.ts'
import { changeLanguage, chooseLocale, createTexts, loadHomeTexts } from './texts.ts'

const en = { ...coreEn, ...homeEn, ...adminEn }
const ru = { ...coreRu, ...homeRu, ...adminRu }

type Tree = { [key: string]: string | Tree }

const flatten = (tree: Tree, prefix = ''): [key: string, text: string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  )

const keysOf = (tree: Tree) => flatten(tree).map(([key]) => key)
const gapsOf = (text: string) => text.match(/\{\{\w+\}\}/g)?.sort() ?? []

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
  it('have the same keys and placeholders in every language', () => {
    expect(keysOf(ru)).toEqual(keysOf(en))
    const russian = new Map(flatten(ru))
    for (const [key, text] of flatten(en)) expect(gapsOf(russian.get(key) ?? ''), key).toEqual(gapsOf(text))
  })

  it('are never empty', () => {
    for (const [key, text] of [...flatten(en), ...flatten(ru)]) expect(text.trim(), key).not.toBe('')
  })

  it('contain every key that the source uses, and no other', () => {
    const used = usedKeys()
    const keys = keysOf(en)
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter(pattern => !keys.some(key => pattern.test(key)))).toEqual([])
    expect(keys.filter(key => !used.some(pattern => pattern.test(key)))).toEqual([])
  })

  it('cover every refusal, problem and end reason', () => {
    expect(Object.keys(en.refused).sort()).toEqual([...REASONS].sort())
    expect(Object.keys(en.problem)).toEqual(expect.arrayContaining([...PROBLEMS]))
    expect(Object.keys(en.deviceProblem).sort()).toEqual([...DEVICE_PROBLEMS].sort())
    expect(Object.keys(en.callEnded)).toEqual(expect.arrayContaining([...CALL_END_REASONS]))
    expect(Object.keys(en.connection)).toEqual(expect.arrayContaining([...ROUTES]))
  })
})

describe('chooseLocale', () => {
  it('returns the first supported language of the user, with its region', () => {
    expect(chooseLocale(['ru'])).toBe('ru')
    expect(chooseLocale(['de-DE', 'en-GB', 'ru'])).toBe('en-GB')
    expect(chooseLocale(['RU-by'])).toBe('RU-by')
  })

  it('falls back to English', () => {
    expect(chooseLocale([])).toBe('en')
    expect(chooseLocale(['de'])).toBe('en')
    expect(chooseLocale(['en-US@posix', 'C', ''])).toBe('en')
  })
})

describe('createTexts', () => {
  it('uses the chosen language', async () => {
    const russian = await createTexts(['ru-RU', 'en'])
    expect(russian.t('invitation.until', { time: '11:00' })).toBe('до 11:00')
    const english = await createTexts(['en-GB'])
    expect(english.t('invitation.until', { time: "a & b's" })).toBe("until a & b's")
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
