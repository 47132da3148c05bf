import { AUDIT_ACTIONS } from '@lectern/protocol'
import { expect, it } from 'vitest'
import { ACTIONS } from './audit-actions.ts'

it('names every action of the audit log', () => {
  expect(Object.values(ACTIONS).sort()).toEqual(Object.keys(AUDIT_ACTIONS).sort())
})
