import { expect, it } from 'vitest'
import type { PlatformAction } from '../../sessions/platform-actions.ts'
import type { Room } from '../ports.ts'
import { LiveControl } from './live.ts'

it('IDEMPOTENT-2 sends a message once when the request is handled again with its key', async () => {
  const actions: PlatformAction[] = []
  const live = new LiveControl(
    {
      performForPlatform: async (_tag, action) => {
        actions.push(action)
        throw new Error('the answer was lost')
      },
      end: async () => {},
    },
    {} as never,
  )
  const caller = { name: 'school', clientId: 7, scopes: [] } as never
  const room = { tag: 'aaaa-bbbbb-cccc', settings: {} } as Room
  const keyed = { serviceAccount: 'school', key: 'k-1', fingerprint: 'f' }
  for (const each of [keyed, keyed, { ...keyed, key: 'k-2' }, null, null])
    await expect(live.sendMessage(caller, room, { text: 'Hello' }, each)).rejects.toThrow('lost')
  const ids = actions.map(action => ('commandId' in action ? action.commandId : ''))
  expect(ids[1]).toBe(ids[0])
  expect(new Set(ids).size).toBe(4)
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/)
})
