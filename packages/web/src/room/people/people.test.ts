import { describe, expect, it } from 'vitest'
import type { Quality } from '../../call/connection-qualities.ts'
import { aParticipant, aPublication, aSession } from '../../call/testing/session.ts'
import { listPeople, type Person, raisedHands } from './people.ts'
import { permissionsFor } from './permissions.ts'
import { weakQualityOf } from './quality.ts'

const me = aParticipant('me')
const teacher = aParticipant('teacher', { user_id: '8', display_name: 'Tom', role: 'moderator' })
const mia = aParticipant('mia', { user_id: '9', display_name: 'Mia' })
const list = (participants: (typeof me)[], publications = [aPublication()]) =>
  listPeople({ ...aSession('me'), participants, publications }, me)

const find = (people: Person[], userId: string): Person => {
  const person = people.find(each => each.userId === userId)
  if (!person) throw new Error(`nobody is ${userId}`)
  return person
}

describe('listPeople', () => {
  it('groups the devices of a person', () => {
    const tablet = aParticipant('tablet', { display_name: 'Anna on the tablet', presence: 'away' })
    const people = list([tablet, mia, me])
    expect(people).toHaveLength(2)
    expect(find(people, '7')).toMatchObject({ name: 'Anna', isMe: true, isAway: false })
    expect(find(people, '7').devices.map(({ id }) => id)).toEqual(['tablet', 'me'])
  })

  it('has the own person first, then moderators, then the others by join time, wherever hands are raised', () => {
    const early = { ...mia, hand_raised_at_ms: 5 }
    const other = aParticipant('other', { user_id: '11' })
    expect(list([other, teacher, me, early]).map(each => each.userId)).toEqual(['7', '8', '11', '9'])
  })

  it('shows publications that are not paused', () => {
    const people = list(
      [me, teacher],
      [
        aPublication({ source: 'microphone' }),
        aPublication({ source: 'camera', paused: true }),
        aPublication({ source: 'screen', participant_id: 'me' }),
      ],
    )
    expect(find(people, '8').devices[0]).toMatchObject({ microphone: true, camera: false, screen: false })
    expect(find(people, '7').devices[0]).toMatchObject({ microphone: false, screen: true })
  })

  it('marks who is named like a moderator, but not a moderator with another device', () => {
    const copy = aParticipant('copy', { user_id: '10', display_name: 'tоm' }) // with a Cyrillic o
    const phone = { ...teacher, participant_id: 'phone', role: 'participant' as const }
    const marked = list([me, teacher, phone, mia, copy]).filter(({ isNamesake }) => isNamesake)
    expect(marked.map(({ userId }) => userId)).toEqual(['10'])
    expect(list([me, copy])[1]?.isNamesake).toBe(false)
  })

  it('treats a moderator on any device as a moderator', () => {
    const phone = { ...teacher, participant_id: 'phone', role: 'participant' as const }
    expect(list([phone, teacher])[0]?.isModerator).toBe(true)
  })
})

describe('raisedHands', () => {
  it('are in the order in which people raised their first one', () => {
    const tablet = aParticipant('tablet', { user_id: '9', hand_raised_at_ms: 7 })
    const late = aParticipant('late', { user_id: '10', hand_raised_at_ms: 6 })
    const people = list([me, late, tablet, { ...mia, hand_raised_at_ms: 5 }])
    expect(raisedHands(people).map(({ person, since }) => [person.userId, since])).toEqual([
      ['9', 5],
      ['10', 6],
    ])
  })
})

describe('permissionsFor', () => {
  const people = list([me, teacher, mia], [aPublication({ participant_id: 'mia', source: 'microphone' })])
  const nothing = { mute: false, remove: false }

  it('lets moderators mute and remove', () => {
    expect(permissionsFor(find(people, '9'))).toEqual({ mute: true, remove: true })
  })

  it('excludes what the server would refuse, and the own person', () => {
    expect(permissionsFor(find(people, '8'))).toEqual(nothing)
    expect(permissionsFor(find(people, '7'))).toEqual(nothing)
  })
})

describe('weakQualityOf', () => {
  const tablet = aParticipant('tablet', { presence: 'away' })
  const qualities = new Map<string, Quality>([
    ['me', 'fair'],
    ['tablet', 'poor'],
  ])

  it('is the worst of the connected devices, where it is weak', () => {
    expect(weakQualityOf(find(list([me, tablet]), '7'), qualities)).toBe('fair')
    expect(weakQualityOf(find(list([me, { ...tablet, presence: 'here' }]), '7'), qualities)).toBe('poor')
  })

  it('is lost when no device is connected, and null when nothing is known or it is good', () => {
    expect(weakQualityOf(find(list([tablet]), '7'), qualities)).toBe('lost')
    expect(weakQualityOf(find(list([mia]), '9'), new Map([['mia', 'good']]))).toBeNull()
    expect(weakQualityOf(find(list([mia]), '9'), qualities)).toBeNull()
  })
})
