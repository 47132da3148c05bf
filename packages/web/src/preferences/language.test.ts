import { beforeEach, expect, it, vi } from 'vitest'
import { StoredValue } from '../stored-value.ts'
import { makeStorage } from '../testing.ts'
import { Language } from './language.ts'

beforeEach(() => vi.stubGlobal('document', { documentElement: { lang: '', dir: '' } }))

it('the language that a partner suggests holds for the page only, and not against the choice of the user', async () => {
  const storage = makeStorage()
  const stored = new StoredValue('language', () => storage)
  const language = await Language.open(stored, ['en'])
  await language.suggest('fr')
  expect(language.get()).toBe('fr')
  expect(stored.get()).toBeNull()
  await language.choose('de')
  await language.suggest('fr')
  expect(language.get()).toBe('de')
})
