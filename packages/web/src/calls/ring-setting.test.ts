import { expect, it } from 'vitest'
import { StoredValue } from '../stored-value.ts'
import { blockedStorage, makeStorage } from '../testing.ts'
import { RingSetting } from './ring-setting.ts'

it('is the same in all tabs of the browser', () => {
  const storage = makeStorage()
  const open = () => new RingSetting(new StoredValue('ring', () => storage))
  const [here, there] = [open(), open()]
  const changes: boolean[] = []
  there.subscribe(() => changes.push(there.get()))
  for (let i = 0; i < 3; i++) {
    here.toggle()
    there.syncFromStorage()
    there.syncFromStorage()
  }
  expect([changes, here.get(), open().get()]).toEqual([[false, true, false], false, false])
})

it('is kept by the tab where storage is blocked', () => {
  const setting = new RingSetting(new StoredValue('ring', blockedStorage))
  setting.toggle()
  setting.syncFromStorage()
  expect(setting.get()).toBe(false)
})
