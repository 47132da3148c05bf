import { expect, it } from 'vitest'
import { StoredValue } from '../stored-value.ts'
import { makeStorage } from '../testing.ts'
import { SilencedCall } from './silenced-call.ts'

it('is silent in all tabs of the browser', () => {
  const storage = makeStorage()
  const open = () => new SilencedCall(new StoredValue('silenced-call', () => storage))
  const [here, there] = [open(), open()]
  const silenced: (string | null)[] = []
  there.subscribe(() => silenced.push(there.get()))
  for (const id of ['5', '6']) {
    here.silence(id)
    there.syncFromStorage()
  }
  expect([silenced, here.get(), open().get()]).toEqual([['5', '6'], '6', '6'])
})
