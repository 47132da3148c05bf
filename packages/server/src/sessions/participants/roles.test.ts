import { describe, expect, it } from 'vitest'
import { grantFor, resolveRole } from './roles.ts'

const OWNER = 1
const VISITOR = 2

describe('the role of an account on a connection', () => {
  it.each([
    { ownerId: null, userId: VISITOR, linkRole: null, role: 'participant' },
    { ownerId: null, userId: VISITOR, linkRole: 'participant', role: 'participant' },
    { ownerId: null, userId: VISITOR, linkRole: 'moderator', role: 'moderator' },
    { ownerId: OWNER, userId: VISITOR, linkRole: null, role: 'participant' },
    { ownerId: OWNER, userId: VISITOR, linkRole: 'participant', role: 'participant' },
    { ownerId: OWNER, userId: VISITOR, linkRole: 'moderator', role: 'moderator' },
    { ownerId: OWNER, userId: OWNER, linkRole: null, role: 'moderator' },
    { ownerId: OWNER, userId: OWNER, linkRole: 'participant', role: 'moderator' },
    { ownerId: OWNER, userId: OWNER, linkRole: 'moderator', role: 'moderator' },
  ] as const)(
    'A1 is $role for owner $ownerId, account $userId and link $linkRole',
    ({ role, ...sources }) => {
      expect(resolveRole(sources, sources)).toBe(role)
    },
  )

  it('A1 grants nothing by a link of another conference', () => {
    const grant = { tag: 'a', role: 'moderator', displayName: '' } as const
    expect([grantFor(grant, 'a'), grantFor(grant, 'b'), grantFor(null, 'a')]).toEqual([grant, null, null])
  })
})
