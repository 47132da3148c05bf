import { expect, it } from 'vitest'
import { aView } from '../home/messaging/testing.ts'
import { followName } from './follow-name.ts'
import { createTestConnection } from './testing.ts'

it('stores a name that was changed on another device, once, until the connection is closed', () => {
  const { connection, control } = createTestConnection()
  const names: string[] = []
  followName(connection, { setDisplayName: async name => void names.push(name) })
  connection.open()
  for (const display_name of ['Anna', 'Anne', 'Anne', 'Anna']) control.view.set(aView({ display_name }))
  connection.close()
  control.view.set(aView({ display_name: 'Ann' }))
  expect(names).toEqual(['Anne', 'Anna'])
})
