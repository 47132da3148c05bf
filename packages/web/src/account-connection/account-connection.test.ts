import type { AccountView } from '@lectern/control-client'
import { describe, expect, it, vi } from 'vitest'
import { createTestConnection } from './testing.ts'

const view = (display_name: string) => ({ user_id: '7', display_name }) as AccountView

describe('AccountConnection', () => {
  it('has the view and the capabilities of the account', () => {
    const { connection, control } = createTestConnection()
    expect(connection.get()).toEqual({ is: 'connecting', view: null, capabilities: [] })
    connection.open()
    control.ready(['admin'])
    control.view.set(view('Anna'))
    expect(connection.get()).toEqual({ is: 'online', view: view('Anna'), capabilities: ['admin'] })
  })

  it('keeps the last view while it is interrupted and until the next one', () => {
    const { connection, control } = createTestConnection()
    connection.open()
    control.view.set(view('Anna'))
    control.state.set({ is: 'waiting', until: 0, attempt: 1, reason: 'lost' })
    control.view.set(null)
    expect(connection.get()).toMatchObject({ is: 'interrupted', view: { display_name: 'Anna' } })
    control.ready()
    expect(connection.get()).toMatchObject({ is: 'online', view: { display_name: 'Anna' } })
    control.view.set(view('Anne'))
    expect(connection.get()).toMatchObject({ view: { display_name: 'Anne' } })
  })

  it('reports that the account is signed out, but not its own close', () => {
    const signedOut = vi.fn()
    const { connection, control } = createTestConnection(signedOut)
    connection.open()
    control.state.set({ is: 'ended', reason: { is: 'account-deleted' } })
    expect(signedOut).toHaveBeenCalledTimes(1)
    connection.close()
    expect([control.isClosed, signedOut.mock.calls.length]).toEqual([true, 1])
  })

  it('is outdated when the server needs a newer page', () => {
    const { connection, control } = createTestConnection()
    connection.open()
    control.state.set({ is: 'ended', reason: { is: 'incompatible', code: 'unsupported_version' } })
    expect(connection.get().is).toBe('outdated')
  })
})
