import { describe, expect, it } from 'vitest'
import { roleOf } from './claims.ts'
import { lessonOf, presencePercent } from './presence.ts'

const member = (role: string) => `http://purl.imsglobal.org/vocab/lis/v2/membership#${role}`
const person = (role: string) => `http://purl.imsglobal.org/vocab/lis/v2/institution/person#${role}`

describe('roleOf', () => {
  it.each([
    [[member('Instructor')], 'teacher'],
    [[member('Learner')], 'student'],
    [['Instructor'], 'teacher'],
    [
      [
        member('Instructor'),
        'http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant',
      ],
      'assistant',
    ],
    [[member('Learner'), person('Instructor')], 'student'],
    [[member('Learner'), person('Administrator')], 'student'],
    [[person('Administrator')], 'teacher'],
    [[member('Mentor')], 'observer'],
    [[], 'student'],
    [['http://evil.example/x#Instructor-not'], 'student'],
  ])('maps %j to %s', (roles, role) => {
    expect(roleOf(roles)).toBe(role)
  })
})

describe('presencePercent', () => {
  it('counts time on two devices once, and none outside of the lesson', () => {
    const lesson = lessonOf([[10, 110]], [[0, 200]])
    expect(
      presencePercent(
        [
          [0, 40],
          [30, 60],
          [150, 200],
        ],
        lesson,
      ),
    ).toBe(50)
  })

  it('counts the session as the lesson if nobody taught', () => {
    expect(presencePercent([[0, 50]], lessonOf([], [[0, 100]]))).toBe(50)
    expect(presencePercent([[0, 50]], lessonOf([], []))).toBe(0)
  })
})
