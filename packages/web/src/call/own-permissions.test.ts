import { expect, it } from 'vitest'
import { ALL_PERMITTED, permissionsOf } from './own-permissions.ts'

const session = {
  chat_mode: 'read_only' as const,
  permissions: { microphone: true, camera: false, screen: false },
  person_permissions: [{ user_id: '8', screen: true, microphone: false, chat: true, files: false }],
}

it('grants the permissions of everybody', () => {
  expect(permissionsOf(session, { role: 'participant', user_id: '7' })).toEqual({
    microphone: true,
    camera: false,
    screen: false,
    chat: false,
    files: true,
  })
})

it('prefers the exceptions for the person', () => {
  expect(permissionsOf(session, { role: 'participant', user_id: '8' })).toEqual({
    microphone: false,
    camera: false,
    screen: true,
    chat: true,
    files: false,
  })
})

it('permits everything to moderators', () => {
  expect(permissionsOf(session, { role: 'moderator', user_id: '8' })).toEqual(ALL_PERMITTED)
})
