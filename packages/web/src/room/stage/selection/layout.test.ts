import { describe, expect, it } from 'vitest'
import { StoredValue } from '../../../stored-value.ts'
import { makeStorage } from '../../../testing.ts'
import { Layout } from './layout.ts'
import { OwnViewSetting } from './own-view-setting.ts'

const storedIn = (storage: Storage) => new StoredValue('setting', () => storage)

describe('Layout', () => {
  it('begins with the layout of the room, and remembers a choice across visits', () => {
    const storage = makeStorage()
    expect(new Layout(storedIn(storage), 'webinar').get()).toBe('webinar')
    new Layout(storedIn(storage), 'webinar').choose('presentation')
    expect(new Layout(storedIn(storage), 'webinar').get()).toBe('presentation')
  })

  it('ignores a stored name that is no layout', () => {
    const storage = makeStorage()
    storage.setItem('setting', 'mosaic')
    expect(new Layout(storedIn(storage), 'grid').get()).toBe('grid')
  })

  it('offers all layouts in turn', () => {
    const layout = new Layout(storedIn(makeStorage()), 'webinar')
    const seen = Array.from({ length: 5 }, () => {
      layout.chooseNext()
      return layout.get()
    })
    expect(seen).toEqual(['grid', 'speaker', 'presentation', 'webinar', 'grid'])
  })
})

describe('OwnViewSetting', () => {
  it('is shown until it is hidden, also on the next visit', () => {
    const storage = makeStorage()
    const setting = new OwnViewSetting(storedIn(storage))
    expect(setting.get()).toBe(true)
    setting.show(false)
    expect(new OwnViewSetting(storedIn(storage)).get()).toBe(false)
    setting.show(true)
    expect(new OwnViewSetting(storedIn(storage)).get()).toBe(true)
  })
})
