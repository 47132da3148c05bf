import { describe, expect, it } from 'vitest'
import { invitationUrlOf } from './invitation-url.ts'

const ordinary = { tag: 'k7mq-x2wd9-rtnh', isCall: false, isPartnerRoom: false }

describe('invitationUrlOf', () => {
  it('is the plain address of an ordinary room', () => {
    expect(invitationUrlOf(ordinary, 'https://meet.example')).toBe(
      'https://meet.example/conferences/k7mq-x2wd9-rtnh',
    )
  })

  it('is nothing in partner rooms, whose links are personal, and in calls', () => {
    expect(invitationUrlOf({ ...ordinary, isPartnerRoom: true }, 'https://meet.example')).toBeNull()
    expect(invitationUrlOf({ ...ordinary, isCall: true }, 'https://meet.example')).toBeNull()
  })
})
