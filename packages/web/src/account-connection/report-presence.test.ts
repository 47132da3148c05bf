import { expect, it } from 'vitest'
import { reportPresence } from './report-presence.ts'
import { createTestConnection } from './testing.ts'

class FakePage extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible'
  show(state: DocumentVisibilityState): void {
    this.visibilityState = state
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

it('reports a page that becomes hidden or visible, until the connection is closed', () => {
  const { connection, control } = createTestConnection()
  const page = new FakePage()
  reportPresence(connection, page)
  connection.open()
  expect(control.bodies('presence.update')).toEqual([])
  page.show('hidden')
  page.show('visible')
  connection.close()
  page.show('hidden')
  expect(control.bodies('presence.update')).toEqual([{ visible: false }, { visible: true }])
})

it('gives an earlier report up that has no answer yet: it would take effect after the newer one', () => {
  const { connection, control } = createTestConnection()
  const page = new FakePage()
  reportPresence(connection, page)
  connection.open()
  page.show('hidden')
  page.show('visible')
  expect(control.commands.map(({ options }) => options.signal?.aborted)).toEqual([true, false])
})

it('reports a page that is hidden when the connection is new to the server', () => {
  const { connection, control } = createTestConnection()
  const page = new FakePage()
  page.visibilityState = 'hidden'
  reportPresence(connection, page)
  connection.open()
  expect(control.bodies('presence.update')).toEqual([{ visible: false }])
})
